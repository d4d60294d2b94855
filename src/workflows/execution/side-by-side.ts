// What is done for many contacts at once: each of them is there once, and what else is to be done for them follows.

/** The first of each contact, the second of each, and so on. */
export function* sidesOf<One>(all: readonly One[], contactOf: (one: One) => number): Generator<readonly One[]> {
  const byContact = [...Map.groupBy(all, contactOf).values()];
  for (let turn = 0; ; turn++) {
    const side = byContact.flatMap((own) => own.slice(turn, turn + 1));
    if (side.length === 0) return;
    yield side;
  }
}
