// Writes that wait for the one writer, and how they are gathered.
import { AppError } from "../../base/errors.ts";
import type { SqliteTx } from "./tx.ts";
import { MOST_TOGETHER, type BatchHandler, type Tx } from "../store.ts";

type TxWork = (tx: Tx) => Promise<unknown>;
export type WorkRequest = {
  readonly together: BatchHandler<never, unknown>;
  readonly request: unknown;
  readonly resolve: (value: never) => void;
  readonly reject: (reason: unknown) => void;
};
/** The result of work that was carried out together: mostly one request. */
export type WorkResult = { readonly waiting: readonly WorkRequest[]; readonly tx: SqliteTx } & (
  { readonly ok: true; readonly answers: readonly unknown[] } | { readonly ok: false; readonly reason: unknown }
);

/** The kind of work that runs alone. */
export const alone: BatchHandler<TxWork, unknown> = async (tx, [work]) => [await (work as TxWork)(tx)];

export type WorkKind = WorkRequest["together"];

/**
 * Gathers the waiting requests by kind, each kind at the place of its first. Kinds take turns: one group of each, then
 * the next of each; the kind whose last turn (by the number of the batch) was longest ago comes first. Thousands of one
 * kind may wait.
 */
export function gathered(
  waiting: readonly WorkRequest[],
  lastTurns: Pick<WeakMap<WorkKind, number>, "get">,
): WorkRequest[][] {
  const rounds: WorkRequest[][][] = [];
  const counts = new Map<WorkKind, number>();
  const open = new Map<WorkKind, WorkRequest[]>();
  for (const one of waiting) {
    const count = counts.get(one.together) ?? 0;
    counts.set(one.together, count + 1);
    const isFirst = count % MOST_TOGETHER === 0;
    if (!isFirst && one.together !== alone) {
      open.get(one.together)?.push(one);
      continue;
    }
    const unit = [one];
    open.set(one.together, unit);
    (rounds[Math.floor(count / MOST_TOGETHER)] ??= []).push(unit);
  }
  const lastTurn = ([first]: readonly WorkRequest[]) => (first && lastTurns.get(first.together)) ?? 0;
  return rounds.flatMap((units) => units.sort((one, other) => lastTurn(one) - lastTurn(other)));
}

/** Gives each request its answer. The answer of work that runs alone is passed on as it is. */
export function answerEach(waiting: readonly WorkRequest[], answers: readonly unknown[]): void {
  waiting.forEach(({ together, resolve, reject }, index) => {
    const answer = answers[index];
    if (answer instanceof AppError && together !== alone) reject(answer);
    else resolve(answer as never);
  });
}

export function without(waiting: readonly WorkRequest[], some: readonly WorkRequest[]): WorkRequest[] {
  const gone = new Set(some);
  return waiting.filter((one) => !gone.has(one));
}
