// Slow disks and slow relays: five workspaces with backlogs share ten connections, and who comes new does not wait for
// them.
import { cpSync } from "node:fs";
import { join } from "node:path";
import type { Ground } from "./bench.ts";
import { addWorkspace } from "./measure-fairness.ts";
import type { Figure } from "./report.ts";
import { prepareInstallation, ServerProcess, type Environment } from "./server-process.ts";
import { SinkProcess } from "./sink-process.ts";
import { throughSink } from "./smtp-server-env.ts";

const CONCURRENCY = 10;
const FSYNCS_MS = [0, 5, 20, 100];
const ANSWERS_MS = [500, 5_000, 50_000];
const OTHERS = ["b", "c", "d", "e"];
/** Until the connections are shared, and for how long they are watched, in answers of the relay. */
const WARM_UP = 2;
const WATCHED = 8;
/** A relay that is slower than this is not watched for throughput: it would take many minutes. */
const MOST_WATCHED_MS = 5_000;
const PATIENCE_MS = 30_000;

type Slow = { readonly fsyncMs: number; readonly answerMs: number };
type Prepared = {
  readonly dir: string;
  readonly secrets: Readonly<Record<string, string>>;
  readonly library: string | null;
};

/** `only`: like "20x500", the milliseconds of an fsync and of an answer; all of them unless given. */
export async function measureSlow(bench: Ground, only: readonly string[] | null): Promise<Figure[]> {
  const dir = join(bench.dir, "prepared-slow");
  await prepareInstallation(bench.command, dir);
  const names = [...OTHERS, "newcomer"];
  const secrets = Object.fromEntries(names.map((name) => [name, addWorkspace(bench.command, dir, name)]));
  const prepared: Prepared = { dir, secrets, library: slowDisk(bench.dir) };
  const figures: Figure[] = [];
  for (const fsyncMs of FSYNCS_MS)
    for (const answerMs of ANSWERS_MS)
      if (only === null || only.includes(`${fsyncMs}x${answerMs}`))
        figures.push(...(await measured(bench, prepared, { fsyncMs, answerMs })));
  return figures;
}

async function measured(bench: Ground, { dir, secrets, library }: Prepared, slow: Slow): Promise<Figure[]> {
  const { fsyncMs, answerMs } = slow;
  const name = `fsync + ${fsyncMs} ms, relay of ${answerMs / 1000} s`;
  if (fsyncMs > 0 && library === null) {
    console.error(`${name}: skipped, as there is no cc`);
    return [];
  }
  const here = join(bench.dir, `slow-${fsyncMs}-${answerMs}`);
  cpSync(dir, here, { recursive: true });
  await using sink = await SinkProcess.start({ remember: true, answerMs });
  const env: Environment = {
    ...throughSink(sink.port, CONCURRENCY),
    ...(library === null ? {} : { LD_PRELOAD: library, SLOW_DISK_US: String(fsyncMs * 1000) }),
  };
  const server = await ServerProcess.start(bench.command, here, env);
  const send = (workspace: string, key: string, count: number) => sendMails(server.url, { workspace, key, count });
  try {
    const backlog = Math.max(50, (CONCURRENCY * (WARM_UP + WATCHED + 2)) / (OTHERS.length + 1));
    await send("a", server.key, 2 * backlog);
    await sink.reaches(CONCURRENCY - 1, PATIENCE_MS);
    const askedMs = performance.timeOrigin + performance.now();
    await send("newcomer", secrets["newcomer"] as string, 1);
    const waitMs = (await arrivalOf(sink, "newcomer")) - askedMs;
    const first: Figure = {
      name: `${name}: first mail of a newcomer`,
      unit: "ms",
      ours: waitMs,
      goal: { atMost: 2_000 + fsyncMs },
    };
    if (answerMs > MOST_WATCHED_MS) return [first];
    for (const other of OTHERS) await send(other, secrets[other] as string, backlog);
    const perSecond = await sink.rate((WARM_UP * answerMs) / 1000, (WATCHED * answerMs) / 1000);
    const limit = (CONCURRENCY * 1000) / answerMs;
    return [
      first,
      {
        name: `${name}: five with backlogs`,
        unit: "mails/s",
        ours: perSecond,
        limit,
        goal: { ratioAtLeast: 0.8 },
        note: "limit: connections ÷ answer time",
      },
    ];
  } finally {
    // What it has in hand would be waited for.
    await server.kill();
  }
}

async function arrivalOf(sink: SinkProcess, letter: string): Promise<number> {
  const giveUpMs = performance.now() + PATIENCE_MS;
  for (;;) {
    const found = (await sink.arrivals()).find(({ recipient }) => recipient.startsWith(letter));
    if (found) return found.atMs;
    if (performance.now() > giveUpMs) return performance.timeOrigin + performance.now();
    await Bun.sleep(5);
  }
}

type Sending = { readonly workspace: string; readonly key: string; readonly count: number };

async function sendMails(url: string, { workspace, key, count }: Sending): Promise<void> {
  const from = workspace === "a" ? "hello@example.test" : `hello@${workspace}.example`;
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  for (let sent = 0; sent < count; sent += 50) {
    const to = Array.from({ length: Math.min(50, count - sent) }, (_, n) => `${workspace}${sent + n}@example.com`);
    const body = JSON.stringify({ to, from, subject: "Hi", body: "<p>Hello</p>" });
    const answer = await fetch(`${url}/v1/send`, { method: "POST", headers, body });
    if (!answer.ok) throw new Error(`A mail was answered ${answer.status}: ${await answer.text()}`);
  }
}

/** Null where there is no cc. */
function slowDisk(dir: string): string | null {
  const cc = Bun.which("cc");
  if (cc === null) return null;
  const library = join(dir, "slow-disk.so");
  const { success, stderr } = Bun.spawnSync([
    cc,
    "-shared",
    "-fPIC",
    "-o",
    library,
    `${import.meta.dir}/slow-disk.c`,
    "-ldl",
  ]);
  if (!success) throw new Error(stderr.toString());
  return library;
}
