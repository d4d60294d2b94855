// Accepting: POST /v1/send answered after its commit, while nothing is sent, because every mail is meant for tomorrow.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { BareAcceptResult, BareAcceptTask } from "./bare-accept.ts";
import type { Bench } from "./bench.ts";
import { Child } from "./child.ts";
import type { LoadResult, LoadTask } from "./client.ts";
import { probed } from "./health-probe.ts";
import type { Figure, Goal } from "./report.ts";
import { ServerProcess } from "./server-process.ts";
import { median, type Latencies } from "./statistics.ts";

type Level = { readonly connections: number; readonly goal: Goal; readonly worstP99Ms: number };
type Pass = { readonly ours: LoadResult; readonly bare: BareAcceptResult; readonly delayMs: Latencies };

const LEVELS: readonly Level[] = [
  { connections: 1, goal: { atLeast: 1_500, ratioAtLeast: 0.5 }, worstP99Ms: 5 },
  { connections: 16, goal: { atLeast: 5_000, ratioAtLeast: 0.5 }, worstP99Ms: 15 },
  { connections: 64, goal: { atLeast: 6_000, ratioAtLeast: 0.5 }, worstP99Ms: 30 },
];
const WARM_UP_SECONDS = 1;
const DAY_MS = 24 * 60 * 60 * 1000;
const MANY = { recipients: 50, connections: 16, goal: { atLeast: 10_000 } };

export async function measureAccept(bench: Bench): Promise<Figure[]> {
  const dir = join(bench.dir, "accept");
  mkdirSync(dir);
  await using server = await ServerProcess.start(bench.command, dir, {});
  await using bare = new Child("bare-accept.ts");
  await bare.ask({ kind: "open", dir: join(bench.dir, "bare-accept") } satisfies BareAcceptTask);
  const load = new Load(server);
  await using _client = load.client;
  const figures: Figure[] = [];
  for (const level of LEVELS) figures.push(...figuresOf(level, await passes(bench, level, { server, bare, load })));
  figures.push(await manyRecipients(bench, load));
  await load.verify();
  figures.push({ name: "memory, accepting: peak", unit: "MB", ours: server.memory.peakMb, goal: { atMost: 250 } });
  return figures;
}

/** Load on one server that adds up what was acknowledged. */
class Load {
  readonly client = new Child("client.ts");
  readonly #server: ServerProcess;
  #runs = 0;
  #acknowledged = 0;

  constructor(server: ServerProcess) {
    this.#server = server;
  }

  /** @throws Error if anything but 200 was answered: such a run is void */
  async run(terms: { connections: number; seconds: number; recipients: number }): Promise<LoadResult> {
    const sendAt = new Date(Date.now() + DAY_MS).toISOString();
    const { url, key } = this.#server;
    const task: LoadTask = { ...terms, url, key, sendAt, run: `r${++this.#runs}`, warmUpSeconds: WARM_UP_SECONDS };
    const result = await this.client.ask<LoadResult>(task);
    if (Object.keys(result.refused).length > 0) throw new Error(`Refused: ${JSON.stringify(result.refused)}`);
    this.#acknowledged += result.acknowledged * terms.recipients;
    return result;
  }

  /** @throws Error unless there is a mail for each that was acknowledged */
  async verify(): Promise<void> {
    const stored = await this.#server.mails();
    if (stored !== this.#acknowledged) throw new Error(`${this.#acknowledged} mails acknowledged, ${stored} stored`);
  }
}

type Beside = { readonly server: ServerProcess; readonly bare: Child; readonly load: Load };

async function passes(bench: Bench, { connections }: Level, { server, bare, load }: Beside): Promise<Pass[]> {
  const { seconds } = bench;
  const done: Pass[] = [];
  while (done.length < bench.passes) {
    const limit = await bare.ask<BareAcceptResult>({
      kind: "run",
      writers: connections,
      seconds,
    } satisfies BareAcceptTask);
    const { result, delayMs } = await probed(server.url, () => load.run({ connections, seconds, recipients: 1 }));
    done.push({ ours: result, bare: limit, delayMs });
  }
  return done;
}

function figuresOf({ connections, goal, worstP99Ms }: Level, done: readonly Pass[]): Figure[] {
  const name = `accept, ${connections} ${connections === 1 ? "connection" : "connections"}`;
  const middle = (pick: (pass: Pass) => number) => median(done.map(pick));
  const p50 = middle(({ ours }) => ours.latencyMs.p50).toFixed(1);
  const longest = Math.max(...done.map(({ ours }) => ours.latencyMs.max)).toFixed(0);
  const ours = middle((pass) => pass.ours.perSecond);
  const limit = middle(({ bare }) => bare.perSecond);
  const p99 = { ours: middle((pass) => pass.ours.latencyMs.p99), limit: middle(({ bare }) => bare.latencyMs.p99) };
  const delays = done.map(({ delayMs }) => delayMs.max);
  return [
    { name, unit: "sends/s", ours, limit, goal, note: "limit: same statements, no HTTP" },
    { name: `${name}: p99`, unit: "ms", ...p99, goal: { atMost: worstP99Ms }, note: `p50 ${p50}, max ${longest}` },
    {
      name: `${name}: longest wait of GET /health`,
      unit: "ms",
      ours: median(delays),
      goal: { atMost: 30 },
      note: eachOf(delays),
    },
  ];
}

async function manyRecipients({ seconds }: Bench, load: Load): Promise<Figure> {
  const { recipients, connections, goal } = MANY;
  const { perSecond, latencyMs } = await load.run({ connections, seconds, recipients });
  const note = `${connections} connections, p99 ${latencyMs.p99.toFixed(0)} ms`;
  return {
    name: `accept, ${recipients} recipients a request`,
    unit: "recipients/s",
    ours: perSecond * recipients,
    goal,
    note,
  };
}

function eachOf(delaysMs: readonly number[]): string {
  return `each pass: ${delaysMs.map((delay) => delay.toFixed(0)).join(", ")}`;
}
