// Looks at how each workspace's mail fares, tells the operator when bounces or complaints are too many, and stops marketing mail.
import { DAY_MS, iso, MINUTE_MS, type Clock } from "../../clock.ts";
import type { Log } from "../../log.ts";
import type { Store } from "../../store/store.ts";
import { setMarketingStopped, workspaceBySeq } from "../../workspaces/queries.ts";
import { healthOf, type Health, type HealthLimits, type Warning } from "./health.ts";
import { troubledWorkspaces } from "./queries.ts";

type HealthWatchOptions = {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly limits: HealthLimits;
};

/** How often all rates are looked at: what they have stopped need not be tried more often. */
export const RATES_EVERY_MS = 10 * MINUTE_MS;
const BETTER = "a workspace has fewer bounces and complaints again";
/** A workspace in which nothing new has happened is not told again. */
const RECENT_MS = DAY_MS;
/** What is recorded now may be dated so much earlier: by a long transaction, or by another machine. */
const MAX_LATE_MS = MINUTE_MS;

export class HealthWatch {
  readonly #options: HealthWatchOptions;
  /** What was told last of a workspace, by its id. */
  readonly #told = new Map<string, string>();
  #lookedAtMs = -Infinity;
  #lookedAtAllMs = -Infinity;

  constructor(options: HealthWatchOptions) {
    this.#options = options;
  }

  /** Looks at workspaces with a bounce or a complaint since the last look and at stopped ones, now and then at all of the last day. */
  async step(): Promise<number> {
    const { store, clock, limits } = this.#options;
    const long = { longFor: 0 };
    const nowMs = clock.nowMs();
    const isForAll = Math.abs(nowMs - this.#lookedAtAllMs) >= RATES_EVERY_MS;
    const sinceMs = isForAll ? nowMs - RECENT_MS : Math.min(this.#lookedAtMs, nowMs) - MAX_LATE_MS;
    const troubled = await store.read((reader) => troubledWorkspaces(reader, iso(sinceMs)), long);
    for (const { seq, id } of troubled) {
      const health = await store.read((reader) => healthOf(reader, seq, nowMs, limits), long);
      this.#tell(id, health);
      await setStop(this.#options, { seq, id }, health);
    }
    this.#lookedAtMs = nowMs;
    if (isForAll) this.#forgetAllBut(troubled.map(({ id }) => id));
    if (isForAll) this.#lookedAtAllMs = nowMs;
    return RATES_EVERY_MS;
  }

  /** Once, until it changes. */
  #tell(workspace: string, { warnings, bounceRate, complaintRate }: Health): void {
    const news = warnings.join(" ");
    if (news === (this.#told.get(workspace) ?? "")) return;
    this.#told.set(workspace, news);
    const rates = { workspace, bounceRate, complaintRate };
    if (news === "") this.#options.log.info(BETTER, rates);
    else this.#options.log.warn("a workspace has too many bounces or complaints", { ...rates, warnings: news });
  }

  /** To the others nothing has come back for so long that there are no rates to tell of. */
  #forgetAllBut(troubled: readonly string[]): void {
    for (const [workspace, news] of this.#told) {
      if (troubled.includes(workspace)) continue;
      if (news !== "") this.#options.log.info(BETTER, { workspace });
      this.#told.delete(workspace);
    }
  }
}

/** Stops the workspace's marketing mail, or lets it go on, as its rates are. */
export async function setStop(
  { store, log }: Pick<HealthWatchOptions, "store" | "log">,
  { seq, id }: { readonly seq: number; readonly id: string },
  { stops, bounceRate, complaintRate }: Health,
): Promise<void> {
  const reason = stops.length === 0 ? null : reasonOf(stops);
  const stands = (await store.read((reader) => workspaceBySeq(reader, seq)))?.marketing_stopped ?? null;
  if (stands === reason || (await store.write((tx) => setMarketingStopped(tx, seq, reason))) === 0) return;
  if (reason === null) log.info("a workspace's marketing mail goes on", { workspace: id });
  else log.error("a workspace's marketing mail is stopped", { workspace: id, reason, bounceRate, complaintRate });
}

/** The same as long as the same is too high. */
function reasonOf(stops: readonly Warning[]): string {
  const parts = [
    ...(stops.includes("BOUNCE_RATE") ? ["too many mails bounce for good"] : []),
    ...(stops.includes("COMPLAINT_RATE") ? ["too many mails are complained of"] : []),
  ];
  return `Marketing mail is stopped: ${parts.join(", ")}. GET /workspace/health has the rates.`;
}
