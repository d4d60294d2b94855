// 200,000 mails accepted and sent, memory looked at all the way: it must not grow with what has gone through.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Bench } from "./bench.ts";
import { Load } from "./load.ts";
import { allSent } from "./measure-both.ts";
import type { Figure } from "./report.ts";
import { ServerProcess } from "./server-process.ts";
import { SinkProcess } from "./sink-process.ts";
import { throughSink } from "./smtp-server-env.ts";
import { median } from "./statistics.ts";

type Sample = { readonly sent: number; readonly mb: number };

const MAILS = 200_000;
const CONNECTIONS = 16;
const CONCURRENCY = 50;
const SAMPLE_MS = 250;
const LONGEST_SECONDS = 3_600;

export async function measureSoak(bench: Bench): Promise<Figure[]> {
  const dir = join(bench.dir, "soak");
  mkdirSync(dir);
  await using sink = await SinkProcess.start();
  await using server = await ServerProcess.start(bench.command, dir, throughSink(sink.port, CONCURRENCY));
  await using load = new Load(server);
  const terms = {
    connections: CONNECTIONS,
    recipients: 1,
    sendAt: null,
    warmUpSeconds: 0,
    seconds: LONGEST_SECONDS,
    most: MAILS,
  };
  const work = Promise.all([load.run(terms), sink.reaches(MAILS)]);
  const samples = await samplesDuring(work, server, sink);
  await allSent(server, sink, load.acknowledged);
  return figuresOf(samples, server.memory.peakMb);
}

async function samplesDuring(work: Promise<unknown>, server: ServerProcess, sink: SinkProcess): Promise<Sample[]> {
  const samples: Sample[] = [];
  let over = false;
  const watched = work.finally(() => (over = true));
  while (!over) {
    samples.push({ sent: await sink.count(), mb: server.memory.nowMb });
    await Bun.sleep(SAMPLE_MS);
  }
  await watched;
  return samples;
}

function figuresOf(samples: readonly Sample[], peakMb: number): Figure[] {
  const quarter = (number: number) =>
    median(samples.filter(({ sent }) => Math.floor((sent / MAILS) * 4) === number - 1).map(({ mb }) => mb));
  const quarters = [1, 2, 3, 4].map(quarter);
  const growth = (quarters[3] ?? 0) / (quarters[1] ?? 1);
  const note = `quarters: ${quarters.map((mb) => mb.toFixed(0)).join(", ")} MB; peak ${peakMb.toFixed(0)} MB`;
  return [
    {
      name: "memory over 200,000 sends, last quarter to second",
      unit: "times",
      ours: growth,
      goal: { atMost: 1.1 },
      note,
    },
  ];
}
