// The simulation as a program: `bun test/simulation.ts [--seeds 10000] [--from 1] | --seed N`.
import { parseArgs } from "node:util";
import { A_HOUSE, play, type Played } from "./simulation/play.ts";

const OPTIONS = {
  seeds: { type: "string", default: "10000" },
  from: { type: "string", default: "1" },
  /** This one alone. */
  seed: { type: "string" },
} as const;
/**
 * Each start of a server leaves a megabyte behind, compiled routes most of all: a process plays no more than so many
 * seeds.
 */
const A_PROCESS = 500;

type Sum = { seeds: number; crashes: number; arrivals: number; failed: number };

async function main(): Promise<number> {
  const { values } = parseArgs({ options: OPTIONS });
  const [from, seeds] = values.seed ? [Number(values.seed), 1] : [Number(values.from), Number(values.seeds)];
  if (![from, seeds].every((number) => Number.isInteger(number) && number > 0))
    throw new Error("--seeds, --from and --seed take whole numbers from 1.");
  const startMs = performance.now();
  const sum = seeds > A_PROCESS ? await inProcesses(from, seeds) : await here(from, seeds);
  const took = Math.round((performance.now() - startMs) / 1000);
  console.log(`${inNumbers(sum)}, ${took} s; ${sum.failed} seeds failed`);
  return sum.failed === 0 ? 0 : 1;
}

async function here(from: number, seeds: number): Promise<Sum> {
  const sum: Sum = { seeds: 0, crashes: 0, arrivals: 0, failed: 0 };
  for (let first = from; first < from + seeds; first += A_HOUSE) {
    const count = Math.min(A_HOUSE, from + seeds - first);
    await play(first, count, (played) => note(played, { sum, first }));
  }
  return sum;
}

/** @throws Error if one of them did not come to its end */
async function inProcesses(from: number, seeds: number): Promise<Sum> {
  const sum: Sum = { seeds: 0, crashes: 0, arrivals: 0, failed: 0 };
  for (let first = from; first < from + seeds; first += A_PROCESS) {
    const words = ["--from", String(first), "--seeds", String(Math.min(A_PROCESS, from + seeds - first))];
    const child = Bun.spawn([process.execPath, import.meta.path, ...words], { stdout: "pipe", stderr: "inherit" });
    const said = (await child.stdout.text()).trim().split("\n");
    const numbers = said.pop()?.match(/\d+/g)?.map(Number) ?? [];
    if (numbers.length !== 5) throw new Error(`Seeds from ${first} on did not come to their end.`);
    said.forEach((line) => console.log(line));
    const [played = 0, crashes = 0, arrivals = 0, , failed = 0] = numbers;
    sum.seeds += played;
    sum.crashes += crashes;
    sum.arrivals += arrivals;
    sum.failed += failed;
    console.log(`… ${inNumbers(sum)}`);
  }
  return sum;
}

function inNumbers({ seeds, crashes, arrivals }: Sum): string {
  return `${seeds} seeds, ${crashes} crashes, ${arrivals} arrivals`;
}

function note(played: Played, { sum, first }: { readonly sum: Sum; readonly first: number }): void {
  sum.seeds++;
  sum.crashes += played.crashes;
  sum.arrivals += played.arrivals;
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
