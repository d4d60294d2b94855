// Workspaces whose bounces or complaints are over the mark, as needs of the operator.
import { DAY_MS, iso } from "../../base/clock.ts";
import type { Config } from "../../base/config.ts";
import { healthOf } from "../../mail/emails/health/health.ts";
import { troubledWorkspaces } from "../../mail/emails/health/queries.ts";
import { RATES_EVERY_MS } from "../../mail/emails/health/watch.ts";
import type { Store } from "../../store/store.ts";
import { workspaceBySeq } from "../../tenant/workspaces/queries.ts";
import type { OperatorNeed } from "../operation/needs.ts";

type RatesOptions = { readonly store: Store; readonly config: Config };

const NAMES = { BOUNCE_RATE: "bounces", COMPLAINT_RATE: "complaints" } as const;

export class Rates {
  readonly #options: RatesOptions;
  #needs: readonly OperatorNeed[] = [];
  #lookedAtMs = -Infinity;

  constructor(options: RatesOptions) {
    this.#options = options;
  }

  /** The needs as computed at most ten minutes ago. */
  async needs(): Promise<readonly OperatorNeed[]> {
    const { store } = this.#options;
    const nowMs = store.clock.monotonicMs();
    if (nowMs - this.#lookedAtMs < RATES_EVERY_MS) return this.#needs;
    const since = iso(store.clock.nowMs() - DAY_MS);
    const troubled = await store.read((reader) => troubledWorkspaces(reader, since), { longFor: 0 });
    const needs = [];
    for (const { seq } of troubled) needs.push(...(await this.#needsOf(seq)));
    this.#lookedAtMs = nowMs;
    return (this.#needs = needs);
  }

  async #needsOf(workspace: number): Promise<OperatorNeed[]> {
    const { store, config } = this.#options;
    const nowMs = store.clock.nowMs();
    const long = { longFor: 0 };
    const health = await store.read((reader) => healthOf(reader, workspace, nowMs, config.limits), long);
    const name = (await store.read((reader) => workspaceBySeq(reader, workspace)))?.name ?? "";
    return health.warnings.map((what) => {
      const rate = what === "BOUNCE_RATE" ? health.bounceRate : health.complaintRate;
      return { key: `${what} ${workspace}`, text: `${name} has too many ${NAMES[what]}: ${rate} % of its email.` };
    });
  }
}
