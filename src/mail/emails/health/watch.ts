// Watches each workspace's bounces and complaints: warns the operator if there are too many, and stops marketing mail.
import { DAY_MS, iso, MINUTE_MS, type Clock } from "../../../base/clock.ts";
import type { Log } from "../../../base/log.ts";
import type { Store } from "../../../store/store.ts";
import { setMarketingStopped, workspaceBySeq } from "../../../tenant/workspaces/queries.ts";
import { healthOf, type HealthLimits } from "./health.ts";
import { troubledWorkspaces } from "./queries.ts";
import type { Health, HealthWarning } from "./record.ts";

type HealthWatchOptions = {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly limits: HealthLimits;
};

/** How often all rates are checked; stopped mail is not tried more often. */
export const RATES_EVERY_MS = 10 * MINUTE_MS;
const BETTER = "a workspace's bounces and complaints are back to normal";
/** A workspace without newer bounces or complaints is not reported again. */
const RECENT_MS = DAY_MS;
/** A long transaction, or another machine, may record a row with an earlier time. */
const MAX_LATE_MS = MINUTE_MS;

export class HealthWatch {
  readonly #options: HealthWatchOptions;
  /** The last report about a workspace, by its id. */
  readonly #reported = new Map<string, string>();
  #checkedAtMs = -Infinity;
  #checkedAllAtMs = -Infinity;

  constructor(options: HealthWatchOptions) {
    this.#options = options;
  }

  /**
   * Checks workspaces with a bounce or a complaint since the last check, and stopped ones; now and then those of the
   * whole last day.
   */
  async step(): Promise<number> {
    const { store, clock, limits } = this.#options;
    const long = { longFor: 0 };
    const nowMs = clock.nowMs();
    const isForAll = Math.abs(nowMs - this.#checkedAllAtMs) >= RATES_EVERY_MS;
    const sinceMs = isForAll ? nowMs - RECENT_MS : Math.min(this.#checkedAtMs, nowMs) - MAX_LATE_MS;
    const troubled = await store.read((reader) => troubledWorkspaces(reader, iso(sinceMs)), long);
    for (const { seq, id } of troubled) {
      const health = await store.read((reader) => healthOf(reader, seq, nowMs, limits), long);
      this.#report(id, health);
      await setStop(this.#options, { seq, id }, health);
    }
    this.#checkedAtMs = nowMs;
    if (isForAll) this.#forgetAllBut(troubled.map(({ id }) => id));
    if (isForAll) this.#checkedAllAtMs = nowMs;
    return RATES_EVERY_MS;
  }

  /** Reports once, until the warnings change. */
  #report(workspace: string, { warnings, bounceRate, complaintRate }: Health): void {
    const report = warnings.join(" ");
    if (report === (this.#reported.get(workspace) ?? "")) return;
    this.#reported.set(workspace, report);
    const rates = { workspace, bounceRate, complaintRate };
    if (report === "") this.#options.log.info(BETTER, rates);
    else this.#options.log.warn("a workspace has too many bounces or complaints", { ...rates, warnings: report });
  }

  /** All other workspaces had no recent bounce or complaint, so they have no rates to report. */
  #forgetAllBut(troubled: readonly string[]): void {
    for (const [workspace, report] of this.#reported) {
      if (troubled.includes(workspace)) continue;
      if (report !== "") this.#options.log.info(BETTER, { workspace });
      this.#reported.delete(workspace);
    }
  }
}

/** Stops or releases the workspace's marketing mail, depending on its rates. */
export async function setStop(
  { store, log }: Pick<HealthWatchOptions, "store" | "log">,
  { seq, id }: { readonly seq: number; readonly id: string },
  { stopReasons, bounceRate, complaintRate }: Health,
): Promise<void> {
  const reason = stopReasons.length === 0 ? null : reasonOf(stopReasons);
  const current = (await store.read((reader) => workspaceBySeq(reader, seq)))?.marketingStopped ?? null;
  if (current === reason || (await store.write((tx) => setMarketingStopped(tx, seq, reason))) === 0) return;
  if (reason === null) log.info("a workspace's marketing email continues", { workspace: id });
  else log.error("a workspace's marketing email is stopped", { workspace: id, reason, bounceRate, complaintRate });
}

function reasonOf(stops: readonly HealthWarning[]): string {
  const parts = [
    ...(stops.includes("BOUNCE_RATE") ? ["too many emails bounce for good"] : []),
    ...(stops.includes("COMPLAINT_RATE") ? ["too many emails are complained of"] : []),
  ];
  return `Marketing email is stopped: ${parts.join(", ")}. GET /workspace/health has the rates.`;
}
