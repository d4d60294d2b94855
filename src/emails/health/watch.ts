// Looks now and then at how each workspace's mail fares, and tells the operator when bounces or complaints are too many.
import { DAY_MS, iso, MINUTE_MS, type Clock } from "../../clock.ts";
import type { Log } from "../../log.ts";
import type { Store } from "../../store/store.ts";
import { setMarketingStopped } from "../../workspaces/queries.ts";
import { healthOf, type Health, type HealthLimits, type Warning } from "./health.ts";
import { troubledWorkspaces } from "./queries.ts";

type HealthWatchOptions = {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly limits: HealthLimits;
};

/** How often the rates are looked at: what they have stopped need not be tried more often. */
export const RATES_EVERY_MS = 10 * MINUTE_MS;
const BETTER = "a workspace has fewer bounces and complaints again";
/** A workspace in which nothing new has happened is not told again. */
const RECENT_MS = DAY_MS;

export class HealthWatch {
  readonly #options: HealthWatchOptions;
  /** What was told last of a workspace, by its id. */
  readonly #told = new Map<string, string>();

  constructor(options: HealthWatchOptions) {
    this.#options = options;
  }

  async step(): Promise<number> {
    const { store, clock, limits } = this.#options;
    const long = { longFor: 0 };
    const nowMs = clock.nowMs();
    const troubled = await store.read((reader) => troubledWorkspaces(reader, iso(nowMs - RECENT_MS)), long);
    for (const { seq, id } of troubled) {
      const health = await store.read((reader) => healthOf(reader, seq, nowMs, limits), long);
      this.#tell(id, health);
      await this.#stop(seq, id, health);
    }
    for (const id of this.#told.keys()) if (!troubled.some((one) => one.id === id)) this.#forget(id);
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

  /** Nothing has come back for so long that there are no rates to tell of. */
  #forget(workspace: string): void {
    if (this.#told.get(workspace)) this.#options.log.info(BETTER, { workspace });
    this.#told.delete(workspace);
  }

  /** Stops the workspace's marketing mail, or lets it go on. */
  async #stop(workspace: number, id: string, { stops, bounceRate, complaintRate }: Health): Promise<void> {
    const reason = stops.length === 0 ? null : reasonOf(stops);
    const { store, log } = this.#options;
    if ((await store.write((tx) => setMarketingStopped(tx, workspace, reason))) === 0) return;
    if (reason === null) log.info("a workspace's marketing mail goes on", { workspace: id });
    else log.error("a workspace's marketing mail is stopped", { workspace: id, reason, bounceRate, complaintRate });
  }
}

/** The same as long as the same is too high. */
function reasonOf(stops: readonly Warning[]): string {
  const parts = [
    ...(stops.includes("BOUNCE_RATE") ? ["too many mails bounce for good"] : []),
    ...(stops.includes("COMPLAINT_RATE") ? ["too many mails are complained of"] : []),
  ];
  return `Marketing mail is stopped: ${parts.join(", ")}. GET /workspace/health has the rates.`;
}
