// Sending: a backlog leaves through a local sink as fast as it goes, beside nodemailer's pool in a bare loop.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { BareDrainTask } from "./bare-drain.ts";
import type { Bench } from "./bench.ts";
import { Child } from "./child.ts";
import type { Figure } from "./report.ts";
import { ServerProcess } from "./server-process.ts";
import { SinkProcess } from "./sink-process.ts";
import { throughSink } from "./smtp-server-env.ts";
import { median } from "./statistics.ts";
import { stock } from "./stock.ts";
import type { UnsignedDrainTask } from "./unsigned-drain.ts";

const WARM_UP_SECONDS = 1;
/** More than can leave. */
const STOCK_A_SECOND = 8_000;

type Rates = {
  readonly signed: number[];
  readonly unsigned: number[];
  readonly bare: number[];
  readonly bareSigned: number[];
};

export async function measureDrain(bench: Bench): Promise<Figure[]> {
  const dir = join(bench.dir, "drain");
  mkdirSync(dir);
  await (await ServerProcess.start(bench.command, dir, {}))[Symbol.asyncDispose]();
  await using sink = await SinkProcess.start();
  await using bare = new Child("bare-drain.ts");
  const drain = new Drain(bench, dir, sink, bare);
  const fifty = await drain.passes(50);
  const ten = await drain.passes(10);
  return [
    ...figuresOf(50, fifty),
    ...figuresOf(10, ten),
    { name: "memory, sending: peak", unit: "MB", ours: drain.peakMb, goal: { atMost: 250 } },
  ];
}

class Drain {
  peakMb = 0;

  constructor(
    private readonly bench: Bench,
    private readonly dir: string,
    private readonly sink: SinkProcess,
    private readonly bare: Child,
  ) {}

  async passes(connections: number): Promise<Rates> {
    const rates: Rates = { signed: [], unsigned: [], bare: [], bareSigned: [] };
    for (let pass = 0; pass < this.bench.passes; pass++) {
      rates.bare.push(await this.#bare(connections, false));
      rates.signed.push(await this.#signed(connections));
      rates.bareSigned.push(await this.#bare(connections, true));
      rates.unsigned.push(await this.#unsigned(connections));
    }
    return rates;
  }

  #bare(connections: number, signed: boolean): Promise<number> {
    const { port } = this.sink;
    return this.bare.ask<number>({
      port,
      connections,
      signed,
      warmUpSeconds: WARM_UP_SECONDS,
      seconds: this.bench.seconds,
    } satisfies BareDrainTask);
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

function figuresOf(connections: number, rates: Rates): Figure[] {
  const [signed, unsigned, bare, bareSigned] = [rates.signed, rates.unsigned, rates.bare, rates.bareSigned].map(
    median,
  ) as [number, number, number, number];
  const line = (what: string, ours: number, limit: number): Figure => ({
    name: `send, ${connections} connections, ${what}`,
    unit: "mails/s",
    ours,
    limit,
  });
  return [
    {
      ...line("unsigned", unsigned, bare),
      goal: { ratioAtLeast: 0.8 },
      note: "limit: nodemailer pool; ours without HTTP",
    },
    {
      ...line("signed", signed, bareSigned),
      goal: { ratioAtLeast: 1.5 },
      note: "limit: nodemailer pool signing in its one thread",
    },
    { ...line("signed", signed, bare), note: "limit: nodemailer pool, unsigned" },
  ];
}
