// Mail to other providers beside a heap that waits for one: of the same workspace, and sent while the heap grows and
// after it.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Ground } from "./bench.ts";
import { onPostgres } from "./measure-engines.ts";
import type { Figure } from "./report.ts";
import { cpuMs, ServerProcess, type Environment } from "./server-process.ts";
import { SinkProcess } from "./sink-process.ts";
import { throughSink } from "./smtp-server-env.ts";

type PaceBench = Ground & { readonly mails: number; readonly seconds: number; readonly postgres: string | null };
type Sent = { readonly recipient: string; readonly atMs: number };

const BLOCKED = "gmail.com";
const CONCURRENCY = 40;
const RECIPIENTS = 50;
const AT_ONCE = 4;
const EVERY_MS = 250;
const PATIENCE_MS = 20_000;

export async function measurePace(bench: PaceBench): Promise<Figure[]> {
  const sqlite = await beside(bench, "SQLite", {});
  const { postgres } = bench;
  return postgres === null
    ? sqlite
    : [...sqlite, ...(await onPostgres(postgres, 1, (env) => beside(bench, "PostgreSQL", env)))];
}

async function beside(bench: PaceBench, engine: string, env: Environment): Promise<Figure[]> {
  const dir = join(bench.dir, engine);
  mkdirSync(dir);
  await using sink = await SinkProcess.start({ remember: true, blocks: BLOCKED });
  const server = await ServerProcess.start(bench.command, dir, { ...throughSink(sink.port, CONCURRENCY), ...env });
  try {
    const during: Sent[] = [];
    const growing = heap(server, bench.mails);
    const growMs = await watched(server, growing, during);
    const after: Sent[] = [];
    const beforeMs = cpuMs(server);
    await watched(server, Bun.sleep(bench.seconds * 1000), after);
    const busy = (cpuMs(server) - beforeMs) / (bench.seconds * 1000);
    const count = bench.mails.toLocaleString("en-US");
    const wait = async (what: string, sent: readonly Sent[], note: string): Promise<Figure> => ({
      name: `${engine}: longest wait of other mail ${what}`,
      unit: "ms",
      ours: await longestWaitMs(sink, sent),
      goal: { atMost: 2_000 },
      note,
    });
    return [
      await wait(
        `while ${count} for a blocked provider come in`,
        during,
        `${(growMs / 1000).toFixed(1)} s, ${during.length} mails`,
      ),
      await wait(`while ${count} wait`, after, `${after.length} mails, ${Math.round(busy * 100)} % of a core`),
    ];
  } finally {
    await server.kill();
  }
}

/** Sends a mail to another provider now and then, until this is done; answers how long that took. */
async function watched(server: ServerProcess, done: Promise<unknown>, sent: Sent[]): Promise<number> {
  const fromMs = performance.now();
  let isDone = false;
  const ending = done.finally(() => (isDone = true));
  while (!isDone) {
    const mail: Sent = { recipient: `other${crypto.randomUUID()}@example.com`, atMs: nowMs() };
    await post(server, [mail.recipient]);
    sent.push(mail);
    await Promise.race([ending, Bun.sleep(EVERY_MS)]);
  }
  await ending;
  return performance.now() - fromMs;
}

async function heap(server: ServerProcess, mails: number): Promise<void> {
  let next = 0;
  const fill = async () => {
    while (next < mails) {
      const first = next;
      next += RECIPIENTS;
      await post(
        server,
        Array.from({ length: RECIPIENTS }, (_, at) => `reader${first + at}@${BLOCKED}`),
      );
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, fill));
}

async function post({ url, key }: ServerProcess, to: readonly string[]): Promise<void> {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const body = JSON.stringify({ to, from: "hello@example.test", subject: "News", body: "<p>News</p>" });
  const answer = await fetch(`${url}/v1/send`, { method: "POST", headers, body });
  if (!answer.ok) throw new Error(`Answered ${answer.status}: ${await answer.text()}`);
  await answer.text();
}

/** A mail that has not come after all has waited until now. */
async function longestWaitMs(sink: SinkProcess, sent: readonly Sent[]): Promise<number> {
  const giveUpMs = nowMs() + PATIENCE_MS;
  for (;;) {
    const arrivedMs = new Map((await sink.arrivals()).map(({ recipient, atMs }) => [recipient, atMs]));
    if (sent.every(({ recipient }) => arrivedMs.has(recipient)) || nowMs() > giveUpMs)
      return Math.max(...sent.map(({ recipient, atMs }) => (arrivedMs.get(recipient) ?? nowMs()) - atMs));
    await Bun.sleep(50);
  }
}

function nowMs(): number {
  return performance.timeOrigin + performance.now();
}
