// A server under a mixed load for a long time: what it needs in each third of it. What grows from the second to the
// last would go on growing.
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { Child } from "./child.ts";
import type { Ground } from "./bench.ts";
import type { ReceiverPorts, ReceiverTask } from "./hook-receiver.ts";
import { MixedLoad } from "./mixed-load.ts";
import { BenchNameServer } from "./name-server.ts";
import { stockOldMails } from "./old-mails-stock.ts";
import type { Figure } from "./report.ts";
import { freePort, prepareInstallation, ServerProcess, type Environment } from "./server-process.ts";
import { SinkProcess } from "./sink-process.ts";
import type { SmtpTask } from "./smtp-load.ts";
import { throughSink } from "./smtp-server-env.ts";
import { latencies, median } from "./statistics.ts";

type Sample = {
  readonly memoryMb: number;
  readonly descriptors: number;
  readonly logMb: number;
  readonly fileMb: number;
  readonly p99Ms: number;
};

const SAMPLE_MS = 10_000;
const MOST_SAMPLES_A_MINUTE = 60_000 / SAMPLE_MS;
/** A quiet server prunes about thirty a second: there is something to prune all the time. */
const OLD_MAILS_A_MINUTE = 2_400;
const BACKUPS = 6;
const INBOUND_EVERY_MS = 5_000;
const INBOUND_MAILS = 5;
const GOAL = { atMost: 1.1 };
const MB = 1024 * 1024;
const LETTER = { from: "ada@elsewhere.test", domain: "example.test" };

export async function measureThirds({ command, dir: parent }: Ground, minutes: number): Promise<Figure[]> {
  const dir = join(parent, "soak");
  await prepareInstallation(command, dir);
  stockOldMails(dir, Math.ceil(minutes * OLD_MAILS_A_MINUTE), null);
  await using sink = await SinkProcess.start();
  await using receiver = new Child("hook-receiver.ts");
  await using inbound = new Child("smtp-load.ts");
  await using names = await BenchNameServer.start({ "elsewhere.test": "v=spf1 ip4:127.0.0.0/8 -all" });
  const { quick } = await receiver.ask<ReceiverPorts>({ kind: "open" } satisfies ReceiverTask);
  const port = await freePort();
  const env: Environment = {
    ...throughSink(sink.port, 10),
    POSTHORN_SMTP_INBOUND_PORT: String(port),
    POSTHORN_DNS_SERVERS: names.address,
    POSTHORN_WEBHOOKS_ALLOW: `127.0.0.1:${quick}`,
    POSTHORN_LIMITS_INBOUND_PER_MINUTE: "0",
    POSTHORN_RETENTION_MAIL_DAYS: "31",
    POSTHORN_RETENTION_BODY_DAYS: "31",
    POSTHORN_RETENTION_EVENT_DAYS: "31",
    POSTHORN_BACKUP_EVERY: "1h",
    POSTHORN_BACKUP_TO: join(parent, "backups"),
    POSTHORN_BACKUP_KEEP: "2",
  };
  await using server = await ServerProcess.start(command, dir, env);
  await addWorkflow(server, `http://127.0.0.1:${quick}/`);
  const load = new MixedLoad(server);
  const letters = () => bringIn(inbound, port);
  const others = [setInterval(letters, INBOUND_EVERY_MS), backingUp({ command, dir }, parent, minutes)];
  try {
    const samples = await samplesOf(server, load, { dir, count: Math.round(minutes * MOST_SAMPLES_A_MINUTE) });
    await load.end();
    return figuresOf(samples, `${counted(load)}, ${await sink.count()} left`);
  } finally {
    others.forEach((timer) => clearInterval(timer));
  }
}

async function addWorkflow(server: ServerProcess, url: string): Promise<void> {
  const steps = [
    { type: "WEBHOOK", name: "Tell", config: { url, method: "POST" } },
    { type: "EXIT", name: "End", config: {} },
  ];
  const body = JSON.stringify({ name: "Bought", eventName: "bought", enabled: true, allowReentry: true, steps });
  const headers = { authorization: `Bearer ${server.key}`, "content-type": "application/json" };
  const reply = await fetch(`${server.url}/workflows`, { method: "POST", headers, body });
  if (!reply.ok) throw new Error(await reply.text());
}

function bringIn(inbound: Child, port: number): void {
  const text = `From: Ada <${LETTER.from}>\r\nTo: help@example.test\r\nSubject: A question\r\n\r\nWhere is it?\r\n`;
  const task = {
    port,
    key: null,
    sessions: 1,
    seconds: 60,
    mailBytes: 0,
    mails: INBOUND_MAILS,
    letter: { ...LETTER, text },
  };
  void inbound.ask(task satisfies SmtpTask).catch(() => undefined);
}

/** Beside the server, as an operator's timer does. */
function backingUp({ command, dir }: Ground, parent: string, minutes: number): Timer {
  let number = 0;
  const backup = () => {
    const env = { ...process.env, POSTHORN_DATA_DIR: dir };
    Bun.spawn([...command, "backup", join(parent, `by-hand-${++number % 2}`)], {
      cwd: dir,
      env,
      stdout: "ignore",
      stderr: "ignore",
    });
  };
  return setInterval(backup, (minutes * 60_000) / BACKUPS);
}

type Run = { readonly dir: string; readonly count: number };

async function samplesOf(server: ServerProcess, load: MixedLoad, { dir, count }: Run): Promise<Sample[]> {
  const samples: Sample[] = [];
  while (samples.length < count) {
    await Bun.sleep(SAMPLE_MS);
    samples.push({
      memoryMb: server.memory.nowMb,
      descriptors: readdirSync(`/proc/${server.child.pid}/fd`).length,
      logMb: megabytes(join(dir, "posthorn.db-wal")),
      fileMb: megabytes(join(dir, "posthorn.db")),
      p99Ms: latencies(load.takeTimes()).p99,
    });
  }
  return samples;
}

function megabytes(path: string): number {
  return (statSync(path, { throwIfNoEntry: false })?.size ?? 0) / MB;
}

function counted({ counts }: MixedLoad): string {
  return Object.entries(counts)
    .map(([name, count]) => `${count} ${name}`)
    .join(", ");
}

function figuresOf(samples: readonly Sample[], note: string): Figure[] {
  const thirds = [0, 1, 2].map((third) =>
    samples.filter((_, place) => Math.floor((place * 3) / samples.length) === third),
  );
  const of = (name: string, value: (third: readonly Sample[]) => number, more = ""): Figure => {
    const values = thirds.map(value);
    const shown = values.map((one) => Number(one.toPrecision(3))).join(", ");
    const ours = (values[2] ?? 0) / Math.max(values[1] ?? 0, Number.EPSILON);
    return { name: `${name}, last third to second`, unit: "times", ours, goal: GOAL, note: `${shown}${more}` };
  };
  const usual = (key: keyof Sample) => (third: readonly Sample[]) => median(third.map((sample) => sample[key]));
  const grown = (third: readonly Sample[]) => (third.at(-1)?.fileMb ?? 0) - (third[0]?.fileMb ?? 0);
  /** Callers come and go; what is never closed is there at every look. */
  const least = (third: readonly Sample[]) => Math.min(...third.map(({ descriptors }) => descriptors));
  return [
    of("memory", usual("memoryMb"), " MB"),
    of("descriptors, the fewest", least),
    of("log of the database", usual("logMb"), " MB"),
    of("p99 of a send", usual("p99Ms"), " ms"),
    of("growth of the file", grown, ` MB; ${note}`),
  ];
}
