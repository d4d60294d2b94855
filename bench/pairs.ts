// `bun bench/pairs.ts --against REF`: this tree and another commit side by side, by turns, in processor time: what a
// change costs. Nothing is said of a difference that the turns themselves do not show.
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Ground } from "./support/bench.ts";
import { executableHere, executableOf } from "./support/commit-build.ts";
import { onPostgres } from "./support/measure-engines.ts";
import type { Figure } from "./support/report.ts";
import { runBench } from "./support/run-bench.ts";
import { ServerProcess, type Environment } from "./support/server-process.ts";
import { SinkProcess } from "./support/sink-process.ts";
import { throughSink } from "./support/smtp-server-env.ts";
import { median } from "./support/statistics.ts";
import { settled, Stage, WORKLOADS, type Workload } from "./support/pair-workloads.ts";

const CONNECTIONS = 10;
const ROUNDS = 5;
/** Of `--short`: what the gate has time for. */
const SHORT = { rounds: 3, share: 0.3 };

/** The day before costs were counted: until there is a release. */
const FIRST = "39bed952";

function newestRelease(): string {
  const { stdout } = Bun.spawnSync(["git", "describe", "--tags", "--abbrev=0", "--match", "v*"]);
  return stdout.toString().trim() || FIRST;
}

type Pass = { readonly perSecond: number; readonly cpuUs: number; readonly foreignShare: number };
type Plan = { readonly rounds: number; readonly share: number; readonly workloads: readonly Workload[] };

/** Of all its threads; the system counts it in nanoseconds. */
function cpuUsOf({ child }: ServerProcess): number {
  const tasks = `/proc/${child.pid}/task`;
  // One that ends in between is not there any more.
  const ran = (task: string) => {
    try {
      return Number(readFileSync(`${tasks}/${task}/schedstat`, "utf8").split(" ")[0]);
    } catch {
      return 0;
    }
  };
  return readdirSync(tasks).reduce((sum, task) => sum + ran(task) / 1000, 0);
}

/** What all processes of the machine have used. */
function allCpuUs(): number {
  const [, user, nice, system] = /^cpu +(\d+) (\d+) (\d+)/.exec(readFileSync("/proc/stat", "utf8")) ?? [];
  return (Number(user) + Number(nice) + Number(system)) * 10_000;
}

async function measured(stage: Stage, workload: Workload, share: number): Promise<Pass> {
  const count = Math.ceil((workload.count * share) / 50) * 50;
  const work = await workload.prepare(stage, count);
  await idle(stage);
  const before = { cpu: cpuUsOf(stage.server), all: allCpuUs(), atMs: performance.now() };
  const fromMs = (await work()) ?? before.atMs;
  const tookMs = performance.now() - fromMs;
  await idle(stage);
  const [cpu, all] = [cpuUsOf(stage.server) - before.cpu, allCpuUs() - before.all];
  return { perSecond: (count * 1000) / tookMs, cpuUs: cpu / count, foreignShare: 1 - cpu / all };
}

/** What a server does by itself all the time is less than this in the 50 ms between two looks. */
const IDLE_US = 2_500;

function idle({ server }: Stage): Promise<void> {
  let last = cpuUsOf(server);
  return settled(() => {
    const now = cpuUsOf(server);
    const isIdle = now - last < IDLE_US;
    last = now;
    return isIdle;
  });
}

/** The other stands still meanwhile. */
async function beside(other: Stage, work: () => Promise<Pass>): Promise<Pass> {
  other.server.child.kill("SIGSTOP");
  try {
    return await work();
  } finally {
    other.server.child.kill("SIGCONT");
    await idle(other);
  }
}

type Side = { readonly name: string; readonly command: readonly string[]; readonly env: Environment };

async function open(dir: string, { name, command, env }: Side): Promise<Stage> {
  const place = join(dir, name);
  mkdirSync(place);
  const sink = await SinkProcess.start();
  const server = await ServerProcess.start(command, place, { ...throughSink(sink.port, CONNECTIONS), ...env });
  const publicKey = /public\s+(pk_\w+)/.exec(readFileSync(join(place, "server.out"), "utf8"))?.[1] ?? "";
  return new Stage(server, sink, publicKey);
}

async function pairs(dir: string, [ours, theirs]: readonly [Side, Side], plan: Plan): Promise<Figure[]> {
  const [one, other] = [await open(dir, ours), await open(dir, theirs)];
  await using stack = new AsyncDisposableStack();
  for (const part of [one, other]) {
    stack.use(part);
    stack.use(part.server);
  }
  const figures: Figure[] = [];
  for (const workload of plan.workloads) {
    const passes = { ours: [] as Pass[], theirs: [] as Pass[] };
    // The first round warms up what both of them have not done before.
    for (let round = 0; round <= plan.rounds; round++) {
      const [mine, its] = [
        await beside(other, () => measured(one, workload, plan.share)),
        await beside(one, () => measured(other, workload, plan.share)),
      ];
      if (round === 0) continue;
      passes.ours.push(mine);
      passes.theirs.push(its);
    }
    figures.push(...figuresOf(workload.name, passes.ours, passes.theirs));
    console.error(`${workload.name}: done`);
  }
  return figures;
}

function figuresOf(name: string, ours: readonly Pass[], theirs: readonly Pass[]): Figure[] {
  const of = (passes: readonly Pass[], what: keyof Pass) => passes.map((pass) => pass[what]);
  const figure = (label: string, unit: string, what: keyof Pass): Figure => {
    const [mine, its] = [of(ours, what), of(theirs, what)];
    return { name: label, unit, ours: median(mine), limit: median(its), note: verdict(mine, its) };
  };
  const foreign = Math.round(median(of([...ours, ...theirs], "foreignShare")) * 100);
  const cpu = figure(name, "µs", "cpuUs");
  return [
    { ...cpu, note: `${cpu.note}; ${foreign} % of the processors' time was others'` },
    figure(`${name}: rate`, "/s", "perSecond"),
  ];
}

/**
 * By how much they differ at least: the nearest of their ratios, round by round. If these lie on both sides: how many
 * lie on which.
 */
function verdict(ours: readonly number[], theirs: readonly number[]): string {
  const ratios = ours.map((one, at) => one / (theirs[at] ?? Number.NaN));
  const [low, high] = [Math.min(...ratios), Math.max(...ratios)];
  if (low > 1) return `≥ ${((low - 1) * 100).toFixed(0)} % more`;
  if (high < 1) return `≥ ${((1 - high) * 100).toFixed(0)} % less`;
  const more = ratios.filter((ratio) => ratio > 1).length;
  return `no difference shown: more in ${more} of ${ratios.length} rounds`;
}

/** Both on one engine: SQLite, or a database each on a server of PostgreSQL. */
async function against(
  ground: Ground,
  ref: string,
  { postgres, ...plan }: Plan & { readonly postgres?: string },
): Promise<Figure[]> {
  const [here, there] = [await executableHere(), await executableOf(ref)];
  const side = (name: string, file: string, env: Environment): Side => ({ name, command: [file], env });
  if (!postgres) return pairs(ground.dir, [side("ours", here, {}), side("theirs", there, {})], plan);
  return onPostgres(postgres, 1, (ours) =>
    onPostgres(postgres, 2, (theirs) =>
      pairs(ground.dir, [side("ours", here, ours), side("theirs", there, theirs)], plan),
    ),
  );
}

await runBench({
  options: {
    against: { value: "REF", help: "the commit, tag or branch to compare with (default: the newest release)" },
    only: { value: "send,track", help: "the workloads whose names begin so" },
    short: { help: "fewer rounds of less work" },
    rounds: { value: "5", help: "how often each of the two is measured" },
    postgres: { value: "URL", help: "on PostgreSQL, on which databases may be made" },
  },
  measure: (ground, { against: ref = newestRelease(), only, short, rounds, postgres }) => {
    const begins = only?.split(",") ?? [""];
    const workloads = WORKLOADS.filter(({ name }) => begins.some((start) => name.startsWith(start)));
    const length = short ? SHORT : { rounds: ROUNDS, share: 1 };
    const plan = { ...length, ...(rounds ? { rounds: Number(rounds) } : {}), workloads };
    return against(ground, ref, postgres ? { ...plan, postgres } : plan);
  },
});
