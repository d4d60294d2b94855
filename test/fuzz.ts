// Hostile input as a program: `bun test/fuzz.ts [--cases 1000000] [--seed N] | --case '{"kind":…}'`.
import { parseArgs } from "node:util";
import { fuzz, playAgain, type Failed } from "./fuzz/run.ts";

const OPTIONS = {
  cases: { type: "string", default: "1000000" },
  seed: { type: "string", default: "1" },
  /** As a failure was told. */
  case: { type: "string" },
} as const;
const MOST_SHOWN = 20;

async function main(): Promise<number> {
  const { values } = parseArgs({ options: OPTIONS });
  let crashes = 0;
  process.on("unhandledRejection", (error) => {
    crashes++;
    console.log("CRASH", error);
  });
  if (values.case !== undefined) return playAgain(JSON.parse(values.case)).then(() => 0);
  const [cases, seed] = [Number(values.cases), Number(values.seed)];
  if (![cases, seed].every((number) => Number.isInteger(number) && number > 0))
    throw new Error("--cases and --seed take whole numbers from 1.");
  const startMs = performance.now();
  const failed: Failed[] = [];
  const played = await fuzz(cases, seed, (one) => void (failed.push(one) <= MOST_SHOWN && console.log(inWords(one))));
  const took = Math.round((performance.now() - startMs) / 1000);
  console.log(`${played} cases, seed ${seed}, ${took} s; ${failed.length} failed, ${crashes} crashes`);
  return failed.length + crashes === 0 ? 0 : 1;
}

function inWords({ fault, again }: Failed): string {
  return `FAILED: ${fault}\n  again: bun test/fuzz.ts ${again}`;
}

if (import.meta.main) process.exit(await main());
