// Looks now and then at how each workspace's mail fares, and tells the operator when bounces or complaints are too many.
import { iso, type Clock } from "../clock.ts";
import type { Log } from "../log.ts";
import type { Store } from "../store/store.ts";
import { healthOf, type Health, type HealthLimits } from "./health.ts";
import { troubledWorkspaces } from "./health-queries.ts";

export type HealthWatchOptions = {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly limits: HealthLimits;
};

const REST_MS = 10 * 60 * 1000;
/** A workspace in which nothing new has happened is not told again. */
const NEWS_MS = 24 * 60 * 60 * 1000;

export class HealthWatch {
  readonly #options: HealthWatchOptions;
  /** What was told last of a workspace, by its id. */
  readonly #told = new Map<string, string>();

  constructor(options: HealthWatchOptions) {
    this.#options = options;
  }

  async step(): Promise<number> {
    const { store, clock, limits } = this.#options;
    const long = { long: true };
    const nowMs = clock.nowMs();
    const troubled = await store.read((reader) => troubledWorkspaces(reader, iso(nowMs - NEWS_MS)), long);
    for (const { seq, id } of troubled)
      this.#tell(id, await store.read((reader) => healthOf(reader, seq, nowMs, limits), long));
    for (const id of this.#told.keys()) if (!troubled.some((one) => one.id === id)) this.#told.delete(id);
    return REST_MS;
  }

  /** Once, until it changes. */
  #tell(workspace: string, { warnings, bounceRate, complaintRate }: Health): void {
    const news = warnings.join(" ");
    if (news === (this.#told.get(workspace) ?? "")) return;
    this.#told.set(workspace, news);
    const rates = { workspace, bounceRate, complaintRate };
    if (news === "") this.#options.log.info("a workspace has fewer bounces and complaints again", rates);
    else this.#options.log.warn("a workspace has too many bounces or complaints", { ...rates, warnings: news });
  }
}
