// What a scenario amounts to: its figures and its faults.
import type { Book } from "./book.ts";
import type { Sink } from "./sink.ts";
import { duplicatesIn, faultsIn, type Evidence } from "./verdict.ts";

export type Report = {
  /** Requests answered 200, and the mails in them. */
  readonly answered: number;
  readonly accepted: number;
  /** Requests whose connection died first, and those of them whose mails were stored all the same. */
  readonly unanswered: number;
  readonly stored: number;
  /** Requests repeated with their key. */
  readonly repeated: number;
  readonly arrivals: number;
  readonly duplicates: number;
  /** The most duplicates after one kill. */
  readonly worstKill: number;
  /** Mails in hand when a run ended, over all runs. */
  readonly inHand: number;
  /** Messages under way when their connection went: in part, or whole and still without an answer. */
  readonly cutOff: { readonly part: number; readonly whole: number };
  /** Everything in which the promise was broken; empty = it was kept. */
  readonly faults: readonly string[];
};

export function reportOn(evidence: Evidence, { book, sink }: { readonly book: Book; readonly sink: Sink }): Report {
  const stored = new Set(evidence.mails.map(({ recipient }) => recipient));
  const duplicates = duplicatesIn(evidence.arrivals);
  const unanswered = evidence.exchanges.filter(({ ids }) => ids === null);
  return {
    answered: evidence.exchanges.filter(({ ids }) => ids !== null && ids.length > 0).length,
    accepted: evidence.exchanges.flatMap(({ ids }) => ids ?? []).length,
    unanswered: unanswered.length,
    stored: unanswered.filter(({ recipients }) => stored.has(recipients[0] ?? "")).length,
    repeated: book.repeated,
    arrivals: evidence.arrivals.length,
    duplicates: duplicates.length,
    worstKill: Math.max(
      0,
      ...evidence.inHand.map((_, run) => duplicates.filter(({ before }) => before.run === run).length),
    ),
    inHand: evidence.inHand.reduce((sum, { size }) => sum + size, 0),
    cutOff: sink.cutOff,
    faults: [...book.faults, ...faultsIn(evidence)],
  };
}
