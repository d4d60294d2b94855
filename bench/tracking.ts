// `bun bench/tracking.ts`: how many opens and clicks are taken in a second, each durable, beside GET /health.
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { Child } from "./child.ts";
import { machine } from "./machine.ts";
import type { RepeatResult, RepeatTask } from "./repeat.ts";
import { isMet, machineLine, ratioOf, table, type Figure } from "./report.ts";
import { ServerProcess, UNLIMITED } from "./server-process.ts";
import { median, medianRatio } from "./statistics.ts";

const HELP = `bun bench/tracking.ts [--quick] [--binary dist/posthorn] [--dir DIR] [--json]

  --quick    one short pass
  --binary   the server is this program instead of src/main.ts
  --dir      where to put data: a real disk (default: data/ in the project)
  --json     figures as JSON`;

const { values: options } = parseArgs({
  options: {
    quick: { type: "boolean" },
    binary: { type: "string" },
    dir: { type: "string" },
    json: { type: "boolean" },
    help: { type: "boolean" },
  },
});
const root = resolve(import.meta.dir, "..");
const CONNECTIONS = 64;
const MAILS = 400;
const GOAL_PER_SECOND = 5_000;
const GOAL_P99_MS = 20;
const BODY = '<p>Hello <a href="https://shop.example/offer?week=46&amp;from=mail">our offer of the week</a></p>';

type Marks = { readonly opens: string[]; readonly clicks: string[] };

async function figures(dir: string): Promise<Figure[]> {
  const { passes, seconds } = options.quick ? { passes: 1, seconds: 1 } : { passes: 5, seconds: 2 };
  const command = options.binary ? [resolve(options.binary)] : [process.execPath, join(root, "src/main.ts")];
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
  marks.opens.push(request(server, /\/o\/[\w-]+/.exec(raw)?.[0] ?? "/none"));
  marks.clicks.push(request(server, /\/c\/[\w-]+/.exec(raw)?.[0] ?? "/none"));
}

function request({ url }: ServerProcess, path: string): string {
  return `GET ${path} HTTP/1.1\r\nHost: ${new URL(url).host}\r\n\r\n`;
}

async function main(): Promise<void> {
  if (options.help) return console.log(HELP);
  const parent = resolve(options.dir ?? join(root, "data"));
  mkdirSync(parent, { recursive: true });
  const dir = mkdtempSync(join(parent, "bench-"));
  try {
    const facts = machine(dir);
    const measured = await figures(dir);
    const withRatios = measured.map((figure) => ({ ...figure, ratio: ratioOf(figure), met: isMet(figure) }));
    if (options.json) console.log(JSON.stringify({ machine: facts, figures: withRatios }, null, 2));
    else console.log(`${machineLine(facts)}\n\n${table(measured)}`);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

await main();
