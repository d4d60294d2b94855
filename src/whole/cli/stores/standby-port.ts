// The answers of a standby to monitoring: GET /ready and GET /metrics, at a port of their own. A balancer that checks
// the port of the API must not take it for a server.
import type { StandbyProgress } from "../../../operator/backup/stream/standby.ts";
import { iso, MINUTE_MS, type Clock } from "../../../base/clock.ts";
import type { Config } from "../../../base/config.ts";
import { gauge } from "../../../base/metrics/metric.ts";
import { Metrics } from "../../../base/metrics/metrics.ts";
import { listenForMetrics } from "../../../operator/operation/metrics-routes.ts";
import { measureProcess } from "../../../operator/operation/process-figures.ts";

const WORKS = gauge("posthorn_standby_works", "1 = the copy is whole and follows; 0 = it does not.");
const BEHIND = gauge(
  "posthorn_standby_behind_seconds",
  "For how long the copy has not had all that the place of the stream has; absent = it never had.",
);
const REACHED = gauge(
  "posthorn_standby_reached_seconds",
  "Everything committed until then is in the copy, in seconds since 1970; absent = the copy is not whole.",
);

/** Without a finished step for this long, a large snapshot is on its way, or the place does not answer. */
const MOST_BEHIND_MS = MINUTE_MS;

type StandbyFault = { readonly at: string; readonly reason: string };

/** The outcome of the last steps. */
export class StandbyState {
  #reached = "";
  #piece: string | null = null;
  #last: StandbyFault | null = null;
  #isSound = false;
  /** When a step last found the copy complete, by the monotonic clock. */
  #soundMs: number | null = null;

  constructor(private readonly clock: Clock) {}

  note({ reached, fault }: StandbyProgress, piece: string | null): void {
    const { clock } = this;
    this.#reached = reached;
    this.#piece = piece;
    this.#isSound = fault === null && reached !== "";
    if (this.#isSound) this.#soundMs = clock.monotonicMs();
    if (fault !== null) this.#last = { at: iso(clock.nowMs()), reason: fault };
  }

  get isReady(): boolean {
    return this.#isSound && (this.behindSeconds ?? Infinity) * 1000 <= MOST_BEHIND_MS;
  }

  /** Null: it was never complete. */
  get behindSeconds(): number | null {
    return this.#soundMs === null ? null : Math.round((this.clock.monotonicMs() - this.#soundMs) / 1000);
  }

  get record() {
    const { behindSeconds } = this;
    return { reachedAt: this.#reached || null, behindSeconds, lastPiece: this.#piece, lastFault: this.#last };
  }
}

/** Null: no port is configured. @throws Error in plain words if it cannot be listened on */
export function listenForStandby(state: StandbyState, config: Config["metrics"]): Bun.Server<undefined> | null {
  if (config.port === 0) return null;
  const metrics = new Metrics(true);
  const text = async () => {
    const { reachedAt, behindSeconds } = state.record;
    metrics.forget(BEHIND, REACHED);
    metrics.set(WORKS, state.isReady ? 1 : 0);
    if (behindSeconds !== null) metrics.set(BEHIND, behindSeconds);
    if (reachedAt !== null) metrics.set(REACHED, Date.parse(reachedAt) / 1000);
    measureProcess(metrics);
    return metrics.text();
  };
  return listenForMetrics({ text }, config, { "/ready": () => readiness(state) });
}

function readiness(state: StandbyState): Response {
  const { record } = state;
  const headers = { "cache-control": "no-store" };
  if (state.isReady) return Response.json({ status: "standing by", ...record }, { headers });
  const message = `The copy does not follow: ${record.lastFault?.reason ?? "it is not whole yet"}.`;
  return Response.json({ success: false, error: { code: "NOT_READY", message }, ...record }, { status: 503, headers });
}
