// Columns as values: 0 and 1 as booleans, JSON text as its value. For the decode functions of queries.ts, which turn
// each row into a record of its room, so that nothing above them reads columns.

export function flag(value: 0 | 1): boolean {
  return value === 1;
}

/** `T`: the type of the value that the room itself has written there. */
export function json<T>(text: string): T {
  return JSON.parse(text) as T;
}

export function jsonOrNull<T>(text: string | null): T | null {
  return text === null ? null : json<T>(text);
}
