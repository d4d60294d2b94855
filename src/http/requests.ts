// Records each request: counted by route and status, measured by route, and logged.
import type { Clock } from "../base/clock.ts";
import { counterBy, histogram } from "../base/metrics/metric.ts";
import type { Log } from "../base/log.ts";
import type { Metrics, Sample } from "../base/metrics/metrics.ts";

const REQUESTS = counterBy("posthorn_http_requests_total", "Requests by HTTP.", ["method", "route", "status"]);
const SECONDS = histogram(
  "posthorn_http_request_duration_seconds",
  "From the first look at a request to its answer; of a stream, to its beginning.",
  [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
  "method",
  "route",
);

/** Other methods are a client's invention, and would each be a separate figure. */
const METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/** When a request came; on the request itself, since a map of requests would cost more than the rest. */
const BEGUN = Symbol("begun");
type TimedRequest = Request & { [BEGUN]?: number };

export type RequestRecord = {
  readonly request: Request;
  /** The route as declared; undefined for a path without a route. */
  readonly route: string | undefined;
  readonly status: number | string | undefined;
  /** The answer of the handler: a whole response has a status of its own. */
  readonly answer: unknown;
  readonly requestId: unknown;
  /** Public id of the caller's workspace, once the caller is known. */
  readonly workspace: string | undefined;
};

/** The figures of a method and a route. */
type RouteFigures = { readonly took: Sample; readonly byStatus: Map<number | string, Sample> };

export class Requests {
  readonly #places = new Map<string, RouteFigures>();

  constructor(
    private readonly clock: Clock,
    private readonly metrics: Metrics,
    private readonly log: Log,
  ) {}

  begun(request: Request): void {
    (request as TimedRequest)[BEGUN] = this.clock.monotonicMs();
  }

  /** The line has the route and not the path, since some paths are secrets. */
  answered({ request, route, status, answer, requestId, workspace }: RequestRecord): void {
    const method = METHODS.has(request.method) ? request.method : "OTHER";
    const place = route || "none";
    const code = answer instanceof Response ? answer.status : (status ?? 200);
    const { took, byStatus } = this.#placeOf(method, place);
    let requests = byStatus.get(code);
    if (!requests) byStatus.set(code, (requests = this.metrics.sample(REQUESTS, method, place, String(code))));
    requests.value++;
    const nowMs = this.clock.monotonicMs();
    const tookMs = nowMs - ((request as TimedRequest)[BEGUN] ?? nowMs);
    took.observe(tookMs / 1000);
    this.log.debug("request", () => {
      const whose = workspace ? { workspace } : {};
      return { method, route: place, status: code, ms: Math.round(tookMs), ...whose, requestId };
    });
  }

  #placeOf(method: string, route: string): RouteFigures {
    const key = `${method} ${route}`;
    let place = this.#places.get(key);
    if (!place) {
      place = { took: this.metrics.sample(SECONDS, method, route), byStatus: new Map() };
      this.#places.set(key, place);
    }
    return place;
  }
}
