// Accepting and sending at full rate, in turn without and with open faces, so that both meet the same machine.
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Bench } from "./bench.ts";
import { Child } from "./child.ts";
import type { FacesResult, FacesTask } from "./faces.ts";
import { Load } from "./load.ts";
import type { Figure } from "./report.ts";
import { ServerProcess } from "./server-process.ts";
import { SinkProcess } from "./sink-process.ts";
import { throughSink } from "./smtp-server-env.ts";
import { median, medianRatio } from "./statistics.ts";

const FACES = 20;
const CONNECTIONS = 64;
const CONCURRENCY = 50;
const WARM_UP_SECONDS = 1;

type Pass = { readonly acceptPerSecond: number; readonly sendPerSecond: number; readonly faces: FacesResult | null };

export async function measureFace(bench: Bench): Promise<Figure[]> {
  const dir = join(bench.dir, "face");
  mkdirSync(dir);
  await using sink = await SinkProcess.start();
  await using server = await ServerProcess.start(bench.command, dir, throughSink(sink.port, CONCURRENCY));
  await using load = new Load(server);
  await using child = new Child("faces.ts");
  const link = /\/app\/welcome#([\w-]+)/.exec(readFileSync(join(dir, "server.out"), "utf8"))?.[1] ?? "";
  await child.ask({ kind: "enter", url: server.url, link, faces: FACES } satisfies FacesTask);
  const [without, among]: [Pass[], Pass[]] = [[], []];
  for (let pass = 0; pass < bench.passes; pass++) {
    without.push(await onePass(bench, { load, sink }, null));
    among.push(await onePass(bench, { load, sink }, child));
  }
  return figures(without, among, server.memory.peakMb);
}

async function onePass(
  { seconds }: Bench,
  { load, sink }: { load: Load; sink: SinkProcess },
  faces: Child | null,
): Promise<Pass> {
  await faces?.ask({ kind: "open" } satisfies FacesTask);
  const terms = { connections: CONNECTIONS, recipients: 1, sendAt: null, warmUpSeconds: WARM_UP_SECONDS, seconds };
  const [accepted, sendPerSecond] = await Promise.all([load.run(terms), sink.rate(WARM_UP_SECONDS, seconds)]);
  const shown = faces && (await faces.ask<FacesResult>({ kind: "close" } satisfies FacesTask));
  await sink.reaches(load.acknowledged, 120_000);
  return { acceptPerSecond: accepted.perSecond, sendPerSecond, faces: shown };
}

function figures(without: readonly Pass[], among: readonly Pass[], peakMb: number): Figure[] {
  const shown = among.flatMap(({ faces }) => (faces ? [faces] : []));
  const refreshes = median(shown.map((one) => one.refreshes));
  return [
    {
      ...besides("accept, 64 connections, 20 faces open", "sends/s", without, among, (pass) => pass.acceptPerSecond),
      goal: { ratioAtLeast: 0.95 },
    },
    {
      ...besides(
        "send, 50 connections, signed, 20 faces open",
        "mails/s",
        without,
        among,
        (pass) => pass.sendPerSecond,
      ),
      goal: { ratioAtLeast: 0.9 },
    },
    {
      name: "a list of mails that is shown again: p99",
      unit: "ms",
      ours: median(shown.map((one) => one.p99Ms)),
      note: `${refreshes.toFixed(0)} refreshes a pass`,
    },
    { name: "memory, peak", unit: "MB", ours: peakMb },
  ];
}

function besides(
  name: string,
  unit: string,
  without: readonly Pass[],
  among: readonly Pass[],
  of: (pass: Pass) => number,
): Figure {
  return {
    name,
    unit,
    ours: median(among.map(of)),
    limit: median(without.map(of)),
    ratio: medianRatio(among.map(of), without.map(of)),
    note: "limit: ours without; the ratio is the median of the passes'",
  };
}
