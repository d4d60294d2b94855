// `bun bench/verify.ts`: how many addresses are verified in a second while the domains are known, beside GET /health.
import type { Bench } from "./support/bench.ts";
import { Child } from "./support/child.ts";
import { BenchNameServer } from "./support/name-server.ts";
import type { RepeatResult, RepeatTask } from "./support/repeat.ts";
import type { Figure } from "./support/report.ts";
import { runBench } from "./support/run-bench.ts";
import { ServerProcess } from "./support/server-process.ts";
import { median, medianRatio } from "./support/statistics.ts";

const CONNECTIONS = 16;
const DOMAINS = 1_000;
const GOAL_PER_SECOND = 1_000;
const QUIET_MS = 500;

async function figures({ command, dir, passes, seconds }: Bench): Promise<Figure[]> {
  await using names = await BenchNameServer.start();
  await using server = await ServerProcess.start(command, dir, { POSTHORN_DNS_SERVERS: names.address });
  await using load = new Child("repeat.ts");
  const run = (requests: readonly string[], longSeconds = seconds) =>
    load.ask<RepeatResult>({
      url: server.url,
      requests,
      connections: CONNECTIONS,
      seconds: longSeconds,
    } satisfies RepeatTask);
  await Bun.sleep(QUIET_MS);
  const idleMb = server.memory.nowMb;
  await run([verifyRequest(server, 0)], 0.01);
  const listsMb = server.memory.nowMb - idleMb;
  const verify = Array.from({ length: DOMAINS }, (_, number) => verifyRequest(server, number));
  while (names.asked < DOMAINS * 3) await run(verify, 0.5);
  const asked = names.asked;
  const ours: RepeatResult[] = [];
  const bare: RepeatResult[] = [];
  for (let pass = 0; pass < passes; pass++) {
    bare.push(await run([`GET /health HTTP/1.1\r\nHost: ${new URL(server.url).host}\r\n\r\n`]));
    ours.push(await run(verify));
  }
  if (names.asked !== asked) throw new Error("The cache was not warm");
  const rates = (results: readonly RepeatResult[]) => results.map(({ perSecond }) => perSecond);
  const p99 = median(ours.map(({ latencyMs }) => latencyMs.p99)).toFixed(1);
  return [
    {
      name: `verify, ${CONNECTIONS} connections, ${DOMAINS} known domains`,
      unit: "answers/s",
      ours: median(rates(ours)),
      limit: median(rates(bare)),
      ratio: medianRatio(rates(ours), rates(bare)),
      goal: { atLeast: GOAL_PER_SECOND },
      note: `limit: GET /health; p99 ${p99} ms`,
    },
    { name: "memory, what the first answer adds", unit: "MB", ours: listsMb },
  ];
}

function verifyRequest({ url, key }: ServerProcess, number: number): string {
  const body = JSON.stringify({ email: `ada.lovelace@company-${number}.example` });
  const head = [
    "POST /v1/verify HTTP/1.1",
    `Host: ${new URL(url).host}`,
    `Authorization: Bearer ${key}`,
    "Content-Type: application/json",
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  return `${head.join("\r\n")}\r\n\r\n${body}`;
}

await runBench({
  options: { quick: { help: "one short pass" } },
  measure: (ground, { quick }) =>
    figures({ ...ground, ...(quick ? { passes: 1, seconds: 1 } : { passes: 5, seconds: 1 }) }),
});
