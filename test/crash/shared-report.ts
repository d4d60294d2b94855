// What a scenario with several servers amounts to: the report, and what only several can show.
import type { Installation } from "./installation.ts";
import { mostWithin } from "./pace.ts";
import { reportOn, type Report } from "./report.ts";

export type SharedReport = Report & {
  /** How often a server said 503: nothing was done, or it could not tell. */
  readonly refusals: { readonly refused: number; readonly unsure: number };
  readonly outages: number;
  /** The most mails that left within any second, and within any ten. */
  readonly busiest: { readonly second: number; readonly tenSeconds: number };
  /** How many mails each start of a server handed over. */
  readonly byRun: readonly number[];
};

/** To be asked after `drain`. */
export async function sharedReportOn(installation: Installation): Promise<SharedReport> {
  const evidence = await installation.evidence();
  const { departuresMs } = installation.sink;
  const perRun = Map.groupBy(evidence.arrivals, ({ run }) => run);
  return {
    ...reportOn(evidence, installation),
    refusals: installation.book.refusals,
    outages: installation.outages.length,
    busiest: { second: mostWithin(1_000, departuresMs), tenSeconds: mostWithin(10_000, departuresMs) },
    byRun: evidence.inHand.map((_, run) => perRun.get(run)?.length ?? 0),
  };
}
