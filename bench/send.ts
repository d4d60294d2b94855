// `bun bench/send.ts`: what Posthorn does in a second on this machine, each figure beside its limit and its goal.
import { measureAccept } from "./support/measure-accept.ts";
import { measureBoth } from "./support/measure-both.ts";
import { measureDrain } from "./support/measure-drain.ts";
import { measureEngines } from "./support/measure-engines.ts";
import { measureRate } from "./support/measure-rate.ts";
import { measureSoak } from "./support/measure-soak.ts";
import { measureStream } from "./support/measure-stream.ts";
import { measureBigStart, measureStart } from "./support/measure-start.ts";
import type { Bench } from "./support/bench.ts";
import type { Figure } from "./support/report.ts";
import { runBench } from "./support/run-bench.ts";

await runBench({
  options: {
    quick: { help: "one short pass of each" },
    only: { value: "start,accept,send,both", help: "some of the measurements" },
    rate: { help: "the rate of 14 emails a second instead, across a kill -9" },
    minutes: { value: "5", help: "how long --rate lasts (default: 1)" },
    big: { help: "the start with a million mails stored instead" },
    stream: { help: "accepting while the log is shipped, and while it is not, instead" },
    soak: { help: "memory over 200,000 mails accepted and sent instead" },
    engines: {
      value: "URL",
      help: "SQLite and PostgreSQL side by side instead; URL is a PostgreSQL server on which databases may be made",
    },
  },
  measure: (ground, options) => {
    const bench = { ...ground, ...(options.quick ? { passes: 1, seconds: 2 } : { passes: 3, seconds: 1.2 }) };
    if (options.rate) return measureRate(bench, Number(options.minutes ?? 1) * 60);
    if (options.engines) return measureEngines(bench, options.engines);
    if (options.stream) return measureStream(bench);
    if (options.big) return measureBigStart(bench);
    if (options.soak) return measureSoak(bench);
    return sending(bench, (options.only ?? "start,accept,send,both").split(","));
  },
});

async function sending(bench: Bench, wanted: readonly string[]): Promise<Figure[]> {
  const start = wanted.includes("start") ? await measureStart(bench) : [];
  const accept = wanted.includes("accept") ? await measureAccept(bench) : [];
  const send = wanted.includes("send") ? await measureDrain(bench) : [];
  const alone = {
    acceptPerSecond: oursIn(accept, "accept, 64 connections"),
    sendPerSecond: oursIn(send, "send, 50 connections, signed"),
  };
  const both = wanted.includes("both") ? await measureBoth(bench, alone) : [];
  return [...start, ...accept, ...send, ...both];
}

function oursIn(measured: readonly Figure[], name: string): number | null {
  return measured.find((figure) => figure.name === name)?.ours ?? null;
}
