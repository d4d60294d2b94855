// Plays hostile cases: as many as wanted, the same ones for the same seed. What fails is told with the line that plays
// it again.
import fc from "fast-check";
import { FuzzedHouse, type Case } from "./house.ts";
import { requestCases } from "./requests.ts";
import { textCases } from "./texts.ts";

/** Cases that share a server: one of them may delete what the others ask for. */
const A_HOUSE = 1_000;
const SETTLED_EVERY = 250;
/** Cases that are no requests. */
const TEXTS = 2;
const REQUESTS = 3;

export type Failed = { readonly fault: string; readonly again: string };

export async function fuzz(cases: number, seed: number, onFailed: (failed: Failed) => void): Promise<number> {
  let played = 0;
  for (let house = 0; played < cases; house++)
    played += await playHouse(Math.min(A_HOUSE, cases - played), seed + house, onFailed);
  return played;
}

/** One case alone. @throws what is wrong with it */
export async function playAgain(one: Case): Promise<void> {
  await using house = await FuzzedHouse.open();
  await house.play(one);
  await house.settle();
}

async function playHouse(count: number, seed: number, onFailed: (failed: Failed) => void): Promise<number> {
  await using house = await FuzzedHouse.open();
  const cases = casesOf(house, count, seed);
  let talks: Promise<void>[] = [];
  for (const [index, one] of cases.entries()) {
    const played = house.play(one).catch((error) => onFailed(told(one, error)));
    // A listener greets a new connection after a while; nothing waits for that.
    if (one.kind === "smtp") talks.push(played);
    else await played;
    if ((index + 1) % SETTLED_EVERY !== 0 && index + 1 !== count) continue;
    await Promise.all(talks);
    talks = [];
    await house
      .settle()
      .catch((error) => onFailed({ fault: String(error), again: `--seed ${seed} --cases ${index + 1}` }));
  }
  return count;
}

let known: fc.Arbitrary<Case> | null = null;

/** The document is the same for all houses. */
function casesOf({ document }: FuzzedHouse, numRuns: number, seed: number): Case[] {
  known ??= fc.oneof<fc.MaybeWeightedArbitrary<Case>[]>(
    { weight: REQUESTS, arbitrary: requestCases(document) },
    { weight: TEXTS, arbitrary: textCases },
  );
  return fc.sample(known, { numRuns, seed });
}

function told(one: Case, error: unknown): Failed {
  const fault =
    error instanceof Error
      ? `${error.message}\n${(error.stack ?? "").split("\n").slice(0, 6).join("\n")}`
      : String(error);
  return { fault, again: `--case '${JSON.stringify(one).replaceAll("'", "\\u0027")}'` };
}
