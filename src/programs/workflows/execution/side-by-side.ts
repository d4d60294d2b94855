// Splits work on many contacts into rounds: each contact is in a round once, and its further work follows in the next.

/** The first of each contact, the second of each, and so on. */
export function* sidesOf<One>(all: readonly One[], contactOf: (one: One) => number): Generator<readonly One[]> {
  const byContact = [...Map.groupBy(all, contactOf).values()];
  for (let turn = 0; ; turn++) {
    const side = byContact.flatMap((own) => own.slice(turn, turn + 1));
    if (side.length === 0) return;
    yield side;
  }
}
