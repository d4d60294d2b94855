// What tests share until their process ends. file-end.ts ends it; programs outside of the test runner share nothing.
const ends: (() => Promise<void>)[] = [];

export function atTheEnd(end: () => Promise<void>): void {
  ends.push(end);
}

export async function endAll(): Promise<void> {
  for (const end of ends) await end();
}
