// The simulation as a program: `bun test/simulation.ts [--seeds 10000] [--from 1] | --seed N`.
import { parseArgs } from "node:util";
import { play, type Played } from "./simulation/play.ts";

const OPTIONS = {
  seeds: { type: "string", default: "10000" },
  from: { type: "string", default: "1" },
  /** This one alone. */
  seed: { type: "string" },
} as const;
/** Seeds that share an installation: starting one takes longer than a seed. */
export const A_HOUSE = 10;
const TELL_EVERY = 500;

type Sum = { seeds: number; crashes: number; arrivals: number; failed: number };

async function main(): Promise<number> {
  const { values } = parseArgs({ options: OPTIONS });
  const [from, seeds] = values.seed ? [Number(values.seed), 1] : [Number(values.from), Number(values.seeds)];
  if (![from, seeds].every((number) => Number.isInteger(number) && number > 0))
    throw new Error("--seeds, --from and --seed take whole numbers from 1.");
  const startMs = performance.now();
  const sum: Sum = { seeds: 0, crashes: 0, arrivals: 0, failed: 0 };
  for (let first = from; first < from + seeds; first += A_HOUSE) {
    const count = Math.min(A_HOUSE, from + seeds - first);
    await play(first, count, (played) => note(played, { sum, first }));
  }
  const took = Math.round((performance.now() - startMs) / 1000);
  console.log(
    `${sum.seeds} seeds, ${sum.crashes} crashes, ${sum.arrivals} arrivals, ${took} s; ${sum.failed} seeds failed`,
  );
  return sum.failed === 0 ? 0 : 1;
}

function note(played: Played, { sum, first }: { readonly sum: Sum; readonly first: number }): void {
  sum.seeds++;
  sum.crashes += played.crashes;
  sum.arrivals += played.arrivals;
  if (sum.seeds % TELL_EVERY === 0) console.log(`… ${sum.seeds} seeds`);
  if (played.faults.length === 0) return;
  sum.failed++;
  console.log(inWords(played, first));
}

/** With the two lines that play it again: alone, and in the company it was in. */
export function inWords({ seed, faults }: Played, first: number): string {
  return [
    `seed ${seed} failed:`,
    ...faults.slice(0, 10).map((fault) => `  ${fault}`),
    `  again: bun test/simulation.ts --seed ${seed}, or --from ${first} --seeds ${seed - first + 1}`,
  ].join("\n");
}

if (import.meta.main) process.exit(await main());
