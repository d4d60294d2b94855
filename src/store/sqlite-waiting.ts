// Writes that wait for the one writer, and how they go together.
import { AppError } from "../errors.ts";
import type { SqliteTx } from "./sqlite-tx.ts";
import { MOST_TOGETHER, type Together, type Tx } from "./store.ts";

type Work = (tx: Tx) => Promise<unknown>;
export type Waiting = {
  readonly together: Together<never, unknown>;
  readonly request: unknown;
  readonly resolve: (value: never) => void;
  readonly reject: (reason: unknown) => void;
};
/** What was carried out together: mostly one. */
export type Settled = { readonly waiting: readonly Waiting[]; readonly tx: SqliteTx } & (
  { readonly ok: true; readonly answers: readonly unknown[] } | { readonly ok: false; readonly reason: unknown }
);

/** Work that nothing else is carried out with. */
export const alone: Together<Work, unknown> = async (tx, [work]) => [await (work as Work)(tx)];

/** Those that wait for the same, each kind at the place of its first. */
export function gathered(waiting: readonly Waiting[]): Waiting[][] {
  const units: Waiting[][] = [];
  const open = new Map<Waiting["together"], Waiting[]>();
  for (const one of waiting) {
    const unit = open.get(one.together);
    if (unit && unit.length < MOST_TOGETHER && one.together !== alone) unit.push(one);
    else open.set(one.together, (units[units.length] = [one]));
  }
  return units;
}

/** Each request gets its answer. What work alone answers is an answer, whatever it is. */
export function answerEach(waiting: readonly Waiting[], answers: readonly unknown[]): void {
  waiting.forEach(({ together, resolve, reject }, index) => {
    const answer = answers[index];
    if (answer instanceof AppError && together !== alone) reject(answer);
    else resolve(answer as never);
  });
}

export function without(waiting: readonly Waiting[], some: readonly Waiting[]): Waiting[] {
  const gone = new Set(some);
  return waiting.filter((one) => !gone.has(one));
}
