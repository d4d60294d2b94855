// Sending: a backlog leaves through a local sink as fast as it goes, beside nodemailer's pool in a bare loop.
import { join } from "node:path";
import type { BareDrainTask } from "./bare-drain.ts";
import type { Bench } from "./bench.ts";
import { Child } from "./child.ts";
import type { Figure } from "./report.ts";
import { prepareInstallation, ServerProcess } from "./server-process.ts";
import { SinkProcess } from "./sink-process.ts";
import { throughSink } from "./smtp-server-env.ts";
import { median, medianRatio } from "./statistics.ts";
import { stock } from "./stock.ts";
import type { UnsignedDrainTask } from "./unsigned-drain.ts";

const WARM_UP_SECONDS = 0.8;
/** More than can leave. */
const STOCK_A_SECOND = 8_000;

/** Mails a second, one a pass. */
type Rates = { readonly [Kind in "signed" | "unsigned" | "bare" | "bareSigned"]: number[] };

export async function measureDrain(bench: Bench): Promise<Figure[]> {
  const dir = join(bench.dir, "drain");
  await prepareInstallation(bench.command, dir);
  await using sink = await SinkProcess.start();
  await using bare = new Child("bare-drain.ts");
  const drain = new Drain(bench, dir, sink, bare);
  const fifty = figuresOf(50, await drain.passes(50, bench.passes));
  const ten = figuresOf(10, await drain.passes(10, 1));
  return [...fifty, ...ten, { name: "memory, sending: peak", unit: "MB", ours: drain.peakMb, goal: { atMost: 250 } }];
}

class Drain {
  peakMb = 0;

  constructor(
    private readonly bench: Bench,
    private readonly dir: string,
    private readonly sink: SinkProcess,
    private readonly bare: Child,
  ) {}

  /** All four in turn, so that what else the machine does disturbs all. */
  async passes(connections: number, passes: number): Promise<Rates> {
    const rates: Rates = { signed: [], unsigned: [], bare: [], bareSigned: [] };
    for (let pass = 0; pass < passes; pass++) {
      rates.bare.push(await this.#bare(connections, false));
      rates.unsigned.push(await this.#unsigned(connections));
      rates.bareSigned.push(await this.#bare(connections, true));
      rates.signed.push(await this.#signed(connections));
    }
    return rates;
  }

  #bare(connections: number, signed: boolean): Promise<number> {
    const { seconds } = this.bench;
    const task: BareDrainTask = { port: this.sink.port, connections, signed, warmUpSeconds: WARM_UP_SECONDS, seconds };
    return this.bare.ask<number>(task);
  }

  async #signed(connections: number): Promise<number> {
    this.#restock();
    await using server = await ServerProcess.start(
      this.bench.command,
      this.dir,
      throughSink(this.sink.port, connections),
    );
    const rate = await this.sink.rate(WARM_UP_SECONDS, this.bench.seconds);
    if ((await server.mails("QUEUED")) === 0) throw new Error("The backlog was too small");
    this.peakMb = Math.max(this.peakMb, server.memory.peakMb);
    return rate;
  }

  async #unsigned(concurrency: number): Promise<number> {
    this.#restock();
    await using child = new Child("unsigned-drain.ts");
    await child.ask({ kind: "start", dir: this.dir, port: this.sink.port, concurrency } satisfies UnsignedDrainTask);
    const rate = await this.sink.rate(WARM_UP_SECONDS, this.bench.seconds);
    await child.ask({ kind: "stop" } satisfies UnsignedDrainTask);
    return rate;
  }

  #restock(): void {
    stock(this.dir, STOCK_A_SECOND * (WARM_UP_SECONDS + this.bench.seconds), "QUEUED");
  }
}

function figuresOf(connections: number, { signed, unsigned, bare, bareSigned }: Rates): Figure[] {
  const figure = (what: string, ours: number[], limits: number[]) => ({
    name: `send, ${connections} connections, ${what}`,
    unit: "mails/s",
    ours: median(ours),
    limit: median(limits),
    ratio: medianRatio(ours, limits),
  });
  const ratios = connections === 50 ? { unsigned: { ratioAtLeast: 0.8 }, signed: { ratioAtLeast: 1.5 } } : null;
  return [
    {
      ...figure("unsigned", unsigned, bare),
      goal: { atLeast: 5_000, ...ratios?.unsigned },
      note: "limit: nodemailer pool; ours without HTTP",
    },
    {
      ...figure("signed", signed, bareSigned),
      goal: { atLeast: 2_300, ...ratios?.signed },
      note: "limit: nodemailer pool signing in its one thread",
    },
    { ...figure("signed", signed, bare), note: "limit: nodemailer pool, not signing" },
  ];
}
