// The limit of accepting: the door's own statements in the store's own groups, without HTTP, in a process of its own.
import { mkdirSync } from "node:fs";
import { answerTasks } from "./child.ts";
import { HTML, SENDER, SUBJECT } from "./letter.ts";
import { latencies, type Latencies } from "./statistics.ts";
import { prepareFirstStart, TRY_OUT_DOMAIN } from "../../src/whole/cli/serve/first-start.ts";
import { systemClock } from "../../src/base/clock.ts";
import { loadConfig } from "../../src/base/config.ts";
import { accept } from "../../src/mail/emails/accept.ts";
import type { MailRequest } from "../../src/mail/emails/door/request.ts";
import { createLog } from "../../src/base/log.ts";
import { secretsOf } from "../../src/base/secrets.ts";
import { openStore } from "../../src/store/open.ts";
import { sharing } from "../../src/store/shared-tx.ts";
import type { Store } from "../../src/store/store.ts";
import { senderDomain } from "../../src/tenant/domains/queries.ts";

export type BareAcceptTask =
  | { readonly kind: "open"; readonly dir: string }
  | { readonly kind: "run"; readonly writers: number; readonly warmUpSeconds: number; readonly seconds: number };

export type BareAcceptResult = { readonly perSecond: number; readonly latencyMs: Latencies };

const DAY_MS = 24 * 60 * 60 * 1000;

let store: Store | null = null;
let recipients = 0;

async function open(dir: string): Promise<void> {
  mkdirSync(dir, { recursive: true });
  const log = createLog({ level: "warn", format: "text", clock: systemClock, write: (line) => console.error(line) });
  store = (await openStore(loadConfig({ env: {}, dataDir: dir }), { clock: systemClock, log, opening: "make" })).store;
  await prepareFirstStart(store, secretsOf(Buffer.alloc(32)), "capture");
  const domain = await store.read((reader) => senderDomain(reader, 1, TRY_OUT_DOMAIN));
  if (!domain) throw new Error("There is no domain to send from");
}

async function run(writers: number, seconds: number): Promise<BareAcceptResult> {
  if (!store) throw new Error("No store is open");
  const tookMs: number[] = [];
  const untilMs = performance.now() + seconds * 1000;
  await Promise.all(Array.from({ length: writers }, () => keepAccepting(store as Store, untilMs, tookMs)));
  return { perSecond: tookMs.length / seconds, latencyMs: latencies(tookMs) };
}

const together = sharing(accept);

async function keepAccepting(store: Store, untilMs: number, tookMs: number[]): Promise<void> {
  while (performance.now() < untilMs) {
    const askedMs = performance.now();
    const request = requestTo(`u${String(++recipients).padStart(9, "0")}.bare@example.com`);
    await store.writeTogether(together, request);
    tookMs.push(performance.now() - askedMs);
  }
}

/** To be sent a day later, as in the measurement over HTTP. */
function requestTo(address: string): MailRequest {
  return {
    sender: { workspace: 1, domains: null },
    sourceType: "TRANSACTIONAL",
    content: {
      kind: "TRANSACTIONAL",
      from: { address: SENDER, name: null },
      subject: SUBJECT,
      html: HTML,
    },
    to: { addresses: [{ address, name: null }] },
    sendAtMs: systemClock.nowMs() + DAY_MS,
  };
}

answerTasks<BareAcceptTask>(async (task) => {
  if (task.kind === "open") return open(task.dir);
  await run(task.writers, task.warmUpSeconds);
  return run(task.writers, task.seconds);
});
