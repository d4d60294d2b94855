// Workspace B beside the attacks of workspace A: its mails, two a second, and GET /health, each against a server of its
// own.
import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ATTACKS, type AttackTask } from "./attack.ts";
import type { Ground } from "./bench.ts";
import { Child } from "./child.ts";
import { probed } from "./health-probe.ts";
import type { Figure } from "./report.ts";
import { prepareInstallation, ServerProcess } from "./server-process.ts";
import { SinkProcess } from "./sink-process.ts";
import { throughSink } from "./smtp-server-env.ts";
import { stock } from "./stock.ts";

type FairnessBench = Ground & { readonly seconds: number };
type Sent = { readonly recipient: string; readonly atMs: number };

const RATE = { POSTHORN_DELIVERY_RATE_PER_SECOND: "14" };
const CONCURRENCY = 40;
const EVERY_MS = 500;
/** For mails of B that are still on their way at the end, and for an attack that does not end. */
const PATIENCE_MS = 6_000;
const OTHER = "other";

export async function measureFairness(bench: FairnessBench, names: readonly string[]): Promise<Figure[]> {
  const prepared = join(bench.dir, "prepared");
  await prepareInstallation(bench.command, prepared);
  const secret = addWorkspace(bench.command, prepared, OTHER);
  const figures: Figure[] = [];
  for (const name of names) figures.push(...(await beside(bench, name, { prepared, secret })));
  return figures;
}

async function beside(
  bench: FairnessBench,
  name: string,
  { prepared, secret }: { readonly prepared: string; readonly secret: string },
): Promise<Figure[]> {
  const attack = ATTACKS[name];
  if (!attack) throw new Error(`There is no attack ${name}; there are ${Object.keys(ATTACKS).join(", ")}`);
  const dir = join(bench.dir, name);
  cpSync(prepared, dir, { recursive: true });
  if (attack.stocked) stock(dir, attack.stocked, "QUEUED");
  await using sink = await SinkProcess.start({ remember: true });
  await using attacker = new Child("attack.ts");
  const server = await ServerProcess.start(bench.command, dir, {
    ...throughSink(sink.port, CONCURRENCY),
    ...RATE,
    ...attack.env,
  });
  try {
    const { url, key } = server;
    const task: AttackTask = { name, url, secret: key, public: publicKeyIn(dir), seconds: bench.seconds };
    const { result, delayMs } = await probed(url, async () => {
      const attacking = Promise.race([attacker.ask(task), Bun.sleep(bench.seconds * 1000 + PATIENCE_MS)]);
      const [sent] = await Promise.all([sendMails({ url, secret, seconds: bench.seconds }), attacking]);
      return longestWaitMs(sink, sent);
    });
    const { peakMb } = server.memory;
    return [
      { name: `${attack.title}: longest wait of B's mails`, unit: "ms", ours: result, goal: { atMost: 2_000 } },
      {
        name: `${attack.title}: longest wait of GET /health`,
        unit: "ms",
        ours: delayMs.max,
        goal: { atMost: 50 },
        note: `p99 ${delayMs.p99.toFixed(0)}, memory ${peakMb.toFixed(0)} MB`,
      },
    ];
  } finally {
    // What A has queued would be waited for.
    await server.kill();
  }
}

async function sendMails({
  url,
  secret,
  seconds,
}: {
  readonly url: string;
  readonly secret: string;
  readonly seconds: number;
}): Promise<readonly Sent[]> {
  const headers = { authorization: `Bearer ${secret}`, "content-type": "application/json" };
  const sent: Promise<Sent>[] = [];
  for (const untilMs = performance.now() + seconds * 1000; performance.now() < untilMs; await Bun.sleep(EVERY_MS)) {
    const mail: Sent = { recipient: `b${sent.length}@example.com`, atMs: nowMs() };
    const body = { to: mail.recipient, from: `hello@${OTHER}.example`, subject: "Reset", body: "<p>Your password</p>" };
    sent.push(
      fetch(`${url}/v1/send`, { method: "POST", headers, body: JSON.stringify(body) }).then(async (answer) => {
        if (!answer.ok) throw new Error(`B's mail was answered ${answer.status}: ${await answer.text()}`);
        return mail;
      }),
    );
  }
  return Promise.all(sent);
}

/** A mail that has not come after all has waited until now. */
async function longestWaitMs(sink: SinkProcess, sent: readonly Sent[]): Promise<number> {
  const giveUpMs = nowMs() + PATIENCE_MS;
  for (;;) {
    const arrivedMs = new Map((await sink.arrivals()).map(({ recipient, atMs }) => [recipient, atMs]));
    const isComplete = sent.every(({ recipient }) => arrivedMs.has(recipient));
    if (isComplete || nowMs() > giveUpMs)
      return Math.max(...sent.map(({ recipient, atMs }) => (arrivedMs.get(recipient) ?? nowMs()) - atMs));
    await Bun.sleep(50);
  }
}

function nowMs(): number {
  return performance.timeOrigin + performance.now();
}

/** A workspace with a domain of its own, `NAME.example`; answers its secret key. */
export function addWorkspace(command: readonly string[], dir: string, name: string): string {
  const run = (...words: string[]): string => {
    const env = { ...process.env, POSTHORN_DATA_DIR: dir };
    const { success, stdout, stderr } = Bun.spawnSync([...command, ...words], { cwd: dir, env });
    if (!success) throw new Error(`posthorn ${words.join(" ")}: ${stderr.toString()}`);
    return stdout.toString();
  };
  const made = JSON.parse(run("workspace", "create", name, "--json")) as { keys: { secret: string } };
  run("domain", "add", `${name}.example`, "--workspace", name);
  run("domain", "verify", `${name}.example`, "--force");
  return made.keys.secret;
}

function publicKeyIn(dir: string): string {
  return /pk_\w+/.exec(readFileSync(join(dir, "server.out"), "utf8"))?.[0] ?? "";
}
