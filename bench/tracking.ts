// `bun bench/tracking.ts`: how many opens and clicks are taken in a second, each durable, beside GET /health.
import type { Bench } from "./support/bench.ts";
import { Child } from "./support/child.ts";
import type { RepeatResult, RepeatTask } from "./support/repeat.ts";
import type { Figure } from "./support/report.ts";
import { runBench } from "./support/run-bench.ts";
import { ServerProcess, UNLIMITED } from "./support/server-process.ts";
import { median, medianRatio } from "./support/statistics.ts";

const CONNECTIONS = 64;
const MAILS = 400;
const GOAL_PER_SECOND = 5_000;
const GOAL_P99_MS = 20;
const BODY = '<p>Hello <a href="https://shop.example/offer?week=46&amp;from=mail">our offer of the week</a></p>';

type Marks = { readonly opens: string[]; readonly clicks: string[] };

async function figures({ command, dir, passes, seconds }: Bench): Promise<Figure[]> {
  await using server = await ServerProcess.start(command, dir, UNLIMITED);
  await using load = new Child("repeat.ts");
  const run = (requests: readonly string[]) =>
    load.ask<RepeatResult>({ url: server.url, requests, connections: CONNECTIONS, seconds } satisfies RepeatTask);
  const { opens, clicks } = await marksOf(server);
  const results: Record<"health" | "opens" | "clicks", RepeatResult[]> = { health: [], opens: [], clicks: [] };
  for (let pass = 0; pass < passes; pass++) {
    results.health.push(await run([request(server, "/health")]));
    results.opens.push(await run(opens));
    results.clicks.push(await run(clicks));
  }
  const rates = (kind: keyof typeof results) => results[kind].map(({ perSecond }) => perSecond);
  return (["opens", "clicks"] as const).flatMap((kind): Figure[] => [
    {
      name: `${kind}, ${CONNECTIONS} connections, ${MAILS} mails`,
      unit: `${kind}/s`,
      ours: median(rates(kind)),
      limit: median(rates("health")),
      ratio: medianRatio(rates(kind), rates("health")),
      goal: { atLeast: GOAL_PER_SECOND },
      note: "limit: GET /health",
    },
    {
      name: `${kind}, p99`,
      unit: "ms",
      ours: median(results[kind].map(({ latencyMs }) => latencyMs.p99)),
      goal: { atMost: GOAL_P99_MS },
    },
  ]);
}

/** Sends mails, and reads the marks out of what left. */
async function marksOf(server: ServerProcess): Promise<Marks> {
  const headers = { authorization: `Bearer ${server.key}`, "content-type": "application/json" };
  const marks: Marks = { opens: [], clicks: [] };
  for (let number = 0; number < MAILS; number += 50) {
    const to = Array.from({ length: 50 }, (_, at) => `reader${number + at}@example.com`);
    const body = JSON.stringify({ to, from: "shop@example.test", subject: "Offer", body: BODY });
    const reply = await fetch(`${server.url}/v1/send`, { method: "POST", headers, body });
    const { data } = (await reply.json()) as { data: { emails: { email: string }[] } };
    for (const { email } of data.emails) await read(server, email, marks);
  }
  while ((await server.mails("SENT")) < MAILS) await Bun.sleep(50);
  return marks;
}

async function read(server: ServerProcess, email: string, marks: Marks): Promise<void> {
  const reply = await fetch(`${server.url}/emails/${email}/raw`, {
    headers: { authorization: `Bearer ${server.key}` },
  });
  const raw = (await reply.text()).replace(/=\r\n/g, "").replaceAll("=3D", "=");
  // With the host in front: a signature may have /o/ in it, too.
  marks.opens.push(request(server, /:\/\/[\w.:-]+(\/o\/[\w-]+)/.exec(raw)?.[1] ?? "/none"));
  marks.clicks.push(request(server, /:\/\/[\w.:-]+(\/c\/[\w-]+)/.exec(raw)?.[1] ?? "/none"));
}

function request({ url }: ServerProcess, path: string): string {
  return `GET ${path} HTTP/1.1\r\nHost: ${new URL(url).host}\r\n\r\n`;
}

await runBench({
  options: { quick: { help: "one short pass" } },
  measure: (ground, { quick }) =>
    figures({ ...ground, ...(quick ? { passes: 1, seconds: 1 } : { passes: 5, seconds: 2 }) }),
});
