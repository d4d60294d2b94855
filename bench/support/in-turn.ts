// Accepting mail on two servers in turn: what something costs, held against the same without it. The other stands still
// meanwhile.
import { readFileSync } from "node:fs";
import type { Bench } from "./bench.ts";
import { Load } from "./load.ts";
import type { Figure } from "./report.ts";
import { ServerProcess, type Environment } from "./server-process.ts";
import { median, medianRatio } from "./statistics.ts";

const CONNECTIONS = 64;
const WARM_UP_SECONDS = 0.5;
const DAY_MS = 86_400_000;

/** Of all its threads, in steps of ten milliseconds. */
export function cpuSeconds({ child }: ServerProcess): number {
  const fields = readFileSync(`/proc/${child.pid}/stat`, "utf8")
    .replace(/^.*\) /, "")
    .split(" ");
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

export type Place = { readonly dir: string; readonly env: Environment };
/** A second, and in processor time a thousand. */
type Pass = { readonly perSecond: number; readonly cpuMs: number };
type Rates = { readonly ours: readonly Pass[]; readonly limits: readonly Pass[] };

/** Passes of one and of the other by turns, so that what else the machine does disturbs both. */
export async function inTurn(bench: Bench, one: Place, other: Place): Promise<Rates> {
  await using ours = await ServerProcess.start(bench.command, one.dir, one.env);
  await using limit = await ServerProcess.start(bench.command, other.dir, other.env);
  await using oursLoad = new Load(ours);
  await using limitLoad = new Load(limit);
  const rates = { ours: [] as Pass[], limits: [] as Pass[] };
  for (let pass = 0; pass < bench.passes; pass++) {
    rates.ours.push(await alone(oursLoad, { server: ours, other: limit }, bench.seconds));
    rates.limits.push(await alone(limitLoad, { server: limit, other: ours }, bench.seconds));
  }
  return rates;
}

type Pair = { readonly server: ServerProcess; readonly other: ServerProcess };

async function alone(load: Load, { server, other }: Pair, seconds: number): Promise<Pass> {
  other.child.kill("SIGSTOP");
  try {
    const sendAt = new Date(Date.now() + DAY_MS).toISOString();
    const terms = { connections: CONNECTIONS, recipients: 1, seconds, sendAt, warmUpSeconds: WARM_UP_SECONDS };
    const [cpuBefore, mailsBefore] = [cpuSeconds(server), load.acknowledged];
    const { perSecond } = await load.run(terms);
    return { perSecond, cpuMs: ((cpuSeconds(server) - cpuBefore) * 1_000_000) / (load.acknowledged - mailsBefore) };
  } finally {
    other.child.kill("SIGCONT");
  }
}

/** On a busy machine the processor time says more than the rate. */
export function figuresOf(
  name: string,
  { ours, limits }: Rates,
  goal: Figure["goal"] & object,
  note: string,
): Figure[] {
  const rates = [ours, limits].map((passes) => passes.map(({ perSecond }) => perSecond)) as [number[], number[]];
  const costs = [ours, limits].map((passes) => passes.map(({ cpuMs }) => cpuMs)) as [number[], number[]];
  const [rate, cost] = [medianRatio(...rates), 1 / medianRatio(...costs)];
  return [
    { name, unit: "sends/s", ours: median(rates[0]), limit: median(rates[1]), ratio: rate, goal, note },
    {
      name: "  processor time of a thousand",
      unit: "ms",
      ours: median(costs[0]),
      limit: median(costs[1]),
      ratio: cost,
      goal,
    },
  ];
}
