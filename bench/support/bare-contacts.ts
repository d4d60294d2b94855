// The limits of lists: the same statements on the same file without Posthorn around them, in a process of its own.
import { join } from "node:path";
import { answerTasks } from "./child.ts";
import { latencies, type Latencies } from "./statistics.ts";
import { systemClock } from "../../src/base/clock.ts";
import { loadConfig } from "../../src/base/config.ts";
import { upsertContact } from "../../src/audience/contacts/upsert.ts";
import { KEY_VOICE } from "../../src/audience/contacts/voices.ts";
import { createLog } from "../../src/base/log.ts";
import { openStore } from "../../src/store/open.ts";
import { connect } from "../../src/store/sqlite/connection.ts";
import type { Store } from "../../src/store/store.ts";

export type BareContactsTask =
  | { readonly kind: "statement"; readonly dir: string; readonly text: string; readonly seconds: number }
  /** Into a data directory of its own. */
  | { readonly kind: "upsert"; readonly dir: string; readonly writers: number; readonly seconds: number };

export type BareContactsResult = { readonly perSecond: number; readonly latencyMs: Latencies };

function statement(dir: string, text: string, seconds: number): BareContactsResult {
  const database = connect(join(dir, "posthorn.db"));
  const prepared = database.prepare(text);
  prepared.all();
  const tookMs: number[] = [];
  for (const untilMs = performance.now() + seconds * 1000; performance.now() < untilMs;) {
    const startedMs = performance.now();
    prepared.all();
    tookMs.push(performance.now() - startedMs);
  }
  prepared.finalize();
  database.close();
  return { perSecond: tookMs.length / seconds, latencyMs: latencies(tookMs) };
}

async function upsert(dir: string, writers: number, seconds: number): Promise<BareContactsResult> {
  const log = createLog({ level: "warn", format: "text", clock: systemClock, write: (line) => console.error(line) });
  const store = (await openStore(loadConfig({ env: {}, dataDir: dir }), { clock: systemClock, log, opening: "make" }))
    .store;
  const tookMs: number[] = [];
  const untilMs = performance.now() + seconds * 1000;
  await Promise.all(Array.from({ length: writers }, (_, writer) => keepUpserting(store, writer, untilMs, tookMs)));
  await store.close();
  return { perSecond: tookMs.length / seconds, latencyMs: latencies(tookMs) };
}

async function keepUpserting(store: Store, writer: number, untilMs: number, tookMs: number[]): Promise<void> {
  for (let n = 0; performance.now() < untilMs; n++) {
    const email = `n${n}.w${writer}.${untilMs}@example.com`;
    const startedMs = performance.now();
    await store.write((tx) =>
      upsertContact(tx, 1, { email, subscribed: true, voice: KEY_VOICE, subscribedIfNew: true, data: { plan: "pro" } }),
    );
    tookMs.push(performance.now() - startedMs);
  }
}

answerTasks<BareContactsTask>((task) =>
  task.kind === "statement"
    ? statement(task.dir, task.text, task.seconds)
    : upsert(task.dir, task.writers, task.seconds),
);
