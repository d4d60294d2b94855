// Workspaces whose bounces or complaints are over the mark.
import { DAY_MS, iso } from "../../base/clock.ts";
import type { Config } from "../../base/config.ts";
import { healthOf } from "../../mail/emails/health/health.ts";
import { troubledWorkspaces } from "../../mail/emails/health/queries.ts";
import { RATES_EVERY_MS } from "../../mail/emails/health/watch.ts";
import type { Store } from "../../store/store.ts";
import { workspaceBySeq } from "../../tenant/workspaces/queries.ts";
import type { HighRate } from "../operation/needs/row.ts";

type RatesOptions = { readonly store: Store; readonly config: Config };

export class Rates {
  readonly #options: RatesOptions;
  #high: readonly HighRate[] = [];
  #lookedAtMs = -Infinity;

  constructor(options: RatesOptions) {
    this.#options = options;
  }

  /** As computed at most ten minutes ago. */
  async high(): Promise<readonly HighRate[]> {
    const { store } = this.#options;
    const nowMs = store.clock.monotonicMs();
    if (nowMs - this.#lookedAtMs < RATES_EVERY_MS) return this.#high;
    const since = iso(store.clock.nowMs() - DAY_MS);
    const troubled = await store.read((reader) => troubledWorkspaces(reader, since), { longFor: 0 });
    const high = [];
    for (const { seq } of troubled) high.push(...(await this.#highOf(seq)));
    this.#lookedAtMs = nowMs;
    return (this.#high = high);
  }

  async #highOf(workspace: number): Promise<HighRate[]> {
    const { store, config } = this.#options;
    const nowMs = store.clock.nowMs();
    const long = { longFor: 0 };
    const health = await store.read((reader) => healthOf(reader, workspace, nowMs, config.limits), long);
    const name = (await store.read((reader) => workspaceBySeq(reader, workspace)))?.name ?? "";
    const { warnings, bounceRate, complaintRate } = health;
    return warnings.map((what) => ({
      ...{ what, workspace, name },
      rate: what === "BOUNCE_RATE" ? bounceRate : complaintRate,
    }));
  }
}
