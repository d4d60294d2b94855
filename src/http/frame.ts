// The frame around every request: its id, its body, its faults, cross-origin headers. server.ts adds the routes.
import { Elysia } from "elysia";
import { iso, MINUTE_MS, type Clock } from "../base/clock.ts";
import {
  AppError,
  invalidFields,
  invalidParameter,
  invalidParameters,
  isStoreAway,
  type ErrorCode,
} from "../base/errors.ts";
import type { LinkBases } from "../base/link-bases.ts";
import { newId } from "../base/ids.ts";
import { SparseWarnings } from "../base/jobs/sparse-warnings.ts";
import type { Log } from "../base/log.ts";
import type { Metrics } from "../base/metrics/metrics.ts";
import { ConstraintError } from "../store/store.ts";
import { UNREAD } from "./body/body.ts";
import { inCallersWords } from "./body/body-notes.ts";
import { atItsPath, refusalIn, withSingleSlashes, type ApiDialect, type OwnHosts } from "./dialect.ts";
import { fieldErrors, type SchemaFault } from "./body/fields.ts";
import { NearRoutes } from "./near-routes.ts";
import { errorBody } from "./replies.ts";
import { Requests, type RequestRecord } from "./requests.ts";

type FrameOptions = {
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly isHttps?: boolean;
  readonly dialects?: readonly ApiDialect[];
  readonly ownHosts?: OwnHosts;
  readonly bases?: LinkBases;
};

type AnsweredContext = Pick<RequestRecord, "request" | "route"> & {
  readonly set: { readonly status?: number | string; readonly headers: Readonly<Record<string, unknown>> };
  readonly responseValue: unknown;
  /** Found by routes that need a caller (access/auth.ts). */
  readonly caller?: { readonly workspaceId: string };
};

const NONE: OwnHosts = new Map();

/** Scripts of any page may call, and read headers such as Retry-After. */
const CROSS_ORIGIN = { "access-control-allow-origin": "*", "access-control-expose-headers": "*" };
const PREFLIGHT = {
  "access-control-allow-methods": "POST, OPTIONS",
  "access-control-allow-headers": "Authorization, Content-Type, Idempotency-Key, X-Request-Id, *",
  "access-control-max-age": "86400",
};

/** How long browsers use this host over HTTPS alone. */
const ONE_YEAR = "max-age=31536000";

/** Codes that need no log: the program is not at fault, and the answer says it all. */
const EXPECTED: ReadonlySet<ErrorCode> = new Set(["NOTICE_EARLY", "NOT_READY"]);

export function frame(options: FrameOptions) {
  const { clock, log, metrics, isHttps = false, dialects = [], ownHosts = NONE, bases = null } = options;
  const requests = new Requests(clock, metrics, log);
  const warnings = new SparseWarnings(log, clock, MINUTE_MS);
  // Where the path begins: with `standardHostname` behind the 11th letter of the URL, else behind the 7th, which suits
  // any host of http:// alone. The system's router sees paths alone, and before any code of ours.
  const app = new Elysia({ handler: { standardHostname: isHttps }, systemRouter: ownHosts.size === 0 });
  if (ownHosts.size > 0) app.wrap((answer) => (request: Request) => answer(atItsPath(ownHosts, request)));
  const near = new NearRoutes(() => app.routes);
  return (
    app
      .onRequest(({ request, set }) => {
        requests.begun(request);
        set.headers["x-request-id"] = requestIdOf(request, clock);
        set.headers["x-content-type-options"] = "nosniff";
        if (isHttps) set.headers["strict-transport-security"] = ONE_YEAR;
        if (request.headers.has("authorization")) set.headers["cache-control"] = "no-store";
        if (isPublic(request)) Object.assign(set.headers, CROSS_ORIGIN);
        if (!isHost(request.headers.get("host")) || !URL.canParse(request.url)) throw badHost(set.headers);
        if (bases?.isServed(request) === false) throw nothingHere(set.headers);
        if (request.url.includes("%")) refuseUnreadable(request, set.headers);
      })
      // It is read once the key is known (access/auth.ts).
      .onParse(() => UNREAD)
      .onError(({ error, code, request, body, set }) => {
        const again = code === "NOT_FOUND" ? withSingleSlashes(dialects, request) : null;
        if (again) return app.handle(again);
        const known =
          code === "NOT_FOUND" ? near.refusal(request) : inCallersWords(asAppError(error, String(code)), body);
        const requestId = String(set.headers["x-request-id"] ?? requestIdOf(request, clock));
        if (known.code === "SERVER_BUSY") warnings.warn("bodies were refused: no memory left");
        // All requests fail then: a line for each would fill the disk, which may be full already.
        else if (isStoreAway(known)) warnings.warn(unavailableBecause(known), { error: known });
        else if (known.status >= 500 && !EXPECTED.has(known.code))
          log.error("a request failed", { requestId, error: known.cause ?? error });
        const said = refusalIn(dialects, request, known);
        set.status = said?.status ?? known.status;
        if (set.status === 401) set.headers["www-authenticate"] = "Bearer";
        if (known.details.allow) set.headers["allow"] = known.details.allow.join(", ");
        if (known.details.retryAfterSeconds) set.headers["retry-after"] = String(known.details.retryAfterSeconds);
        return said?.body ?? errorBody(known, requestId, iso(clock.nowMs()));
      })
      .onAfterResponse((({ request, route, set, responseValue: answer, caller }: AnsweredContext) => {
        const requestId = set.headers["x-request-id"];
        requests.answered({ request, route, status: set.status, answer, requestId, workspace: caller?.workspaceId });
      }) as (context: object) => void)
      .options("/v1/*", ({ set }) => {
        Object.assign(set.headers, PREFLIGHT);
        set.status = 204;
      })
  );
}

/** A name or an address, and a port; any other text would stand in our URLs before the path. */
function isHost(host: string | null): boolean {
  return host === null || /^(?:[\w.-]{1,253}|\[[\da-f:.]{2,45}\])(?::\d{1,5})?$/i.test(host);
}

/** The answer is kept by no cache. */
function badHost(reply: Record<string, string | number>): AppError {
  reply["cache-control"] = "no-store";
  return invalidParameter("Host", "The header names no host.");
}

/** A host of a workspace serves the paths for recipients alone. The answer is kept by no cache. */
function nothingHere(reply: Record<string, string | number>): AppError {
  reply["cache-control"] = "no-store";
  return new AppError("ROUTE_NOT_FOUND", "There is nothing at this address.");
}

/** The answer is kept by no cache. Parts of a path that cannot be decoded would reach the routes as null. */
function refuseUnreadable({ url }: Request, reply: Record<string, string | number>): void {
  const hasNul = url.includes("%00");
  if (!hasNul && isDecodable(new URL(url).pathname)) return;
  reply["cache-control"] = "no-store";
  const problem = hasNul ? "The URL contains a NUL character." : "The path contains a % that begins no character.";
  throw invalidParameter("url", problem);
}

function isDecodable(path: string): boolean {
  try {
    return decodeURIComponent(path) !== "";
  } catch {
    return false;
  }
}

/** The store's own message is the cause; without a cause the request only waited too long for its turn. */
function unavailableBecause({ cause }: AppError): string {
  return cause === undefined
    ? "requests were refused after waiting too long"
    : "requests fail: the store is not available";
}

/** The caller's own id if it is a sane one, else a new one. */
function requestIdOf(request: Request, clock: Clock): string {
  const given = request.headers.get("x-request-id");
  return given && /^[\w.:-]{1,128}$/.test(given) ? given : newId(clock.nowMs());
}

function isPublic(request: Request): boolean {
  const path = request.url.indexOf("/", 8);
  return request.url.startsWith("/v1/", path);
}

type Faulty = {
  readonly cause?: unknown;
  readonly type?: string;
  readonly validator?: unknown;
  readonly value?: unknown;
};
type Checker = { Errors(value: unknown): Iterable<SchemaFault> };

function asAppError(error: unknown, code: string): AppError {
  const faulty = error as Faulty;
  if (error instanceof AppError) return error;
  if (faulty.cause instanceof AppError) return faulty.cause;
  if (error instanceof ConstraintError && error.kind === "unique") return nameTaken();
  if (error instanceof ConstraintError && error.kind === "foreignKey") return inUse();
  if (code === "PARSE") return new AppError("INVALID_JSON", "The body could not be read.");
  if (code === "VALIDATION") return invalidInput(faulty);
  return new AppError("INTERNAL_ERROR", "Something went wrong on our side.");
}

/** Another transaction has taken a name since a rule found it free. */
function nameTaken(): AppError {
  return new AppError("CONFLICT", "Another request took the same name at the same moment.");
}

/** The user of a record may live on a floor above it, so the schema refuses. */
function inUse(): AppError {
  return new AppError("CONFLICT", "This is still in use, or something that it refers to has just been deleted.", {
    reason: "still_in_use",
    suggestion: "Look for workflows, forms and unsent campaigns that use it.",
  });
}

/** For Elysia's own faults; routes check with asBody and asQuery, whose faults do not come here. */
function invalidInput({ type, validator, value }: Faulty): AppError {
  const errors = fieldErrors((validator as Partial<Checker>).Errors?.(value) ?? []);
  return type === "body" ? invalidFields(errors) : invalidParameters(errors);
}
