// A server that streams is killed under load and its directory deleted, again and again; each time what is restored is
// held against the ledger.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { posthornCli } from "../support/cli.ts";
import { seeded, type Random } from "../support/seeded.ts";
import { segmentOf, snapshotOf } from "../../src/operator/backup/stream/names.ts";
import { mailsIn, remainsIn } from "./database.ts";
import { post } from "./post.ts";
import { Requests } from "./requests.ts";
import { ServerProcess } from "./server-process.ts";
import { Sink } from "./sink.ts";
import type { KillPlan } from "./scenarios.ts";

export type StreamReport = {
  readonly accepted: number;
  readonly restored: number;
  /** The longest time before a kill that was lost, in milliseconds. */
  readonly worstLossMs: number;
  readonly faults: readonly string[];
};

type Told = { readonly id: string; readonly atMs: number };
type Loss = {
  readonly accepted: number;
  readonly restored: number;
  readonly lostMs: number;
  readonly faults: string[];
};

const CLIENTS = 8;
/** Before each kill, however slow the machine is. */
export const LEAST_TOLD = 150;
/** The next segment may have been cut before; the one after that was not. */
const SEGMENTS_LATER = 2;
const LONGEST_LOAD_MS = 2_000;
const A_SECOND_MS = 1_000;
const LOOK_AGAIN_MS = 10;

/** `mayLoseMs`: beyond this, what is lost before a kill is a fault. */
type LossPlan = KillPlan & { readonly mayLoseMs?: number };

export async function killAndLoseAll({
  kills,
  seed,
  onKill,
  mayLoseMs = A_SECOND_MS,
}: LossPlan): Promise<StreamReport> {
  const random = seeded(seed);
  const losses: Loss[] = [];
  await using sink = await Sink.start(seeded(seed + 1));
  for (let kill = 1; kill <= kills; kill++) {
    const folder = mkdtempSync(join(tmpdir(), "posthorn-stream-"));
    try {
      losses.push(await killOnce(folder, { random, sink, kill, mayLoseMs }));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
    onKill?.(kill);
  }
  return {
    accepted: sum(losses.map(({ accepted }) => accepted)),
    restored: sum(losses.map(({ restored }) => restored)),
    worstLossMs: Math.round(Math.max(...losses.map(({ lostMs }) => lostMs))),
    faults: losses.flatMap(({ faults }) => faults),
  };
}

type Around = {
  readonly random: Random;
  readonly sink: Sink;
  readonly kill: number;
  readonly mayLoseMs: number;
};

async function killOnce(folder: string, { random, sink, kill, mayLoseMs }: Around): Promise<Loss> {
  const [stream, dataDir, back] = ["stream", "data", "back"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  const told: Told[] = [];
  const killed = await loadAndKill({ stream, dataDir, told, random, sink });
  rmSync(dataDir, { recursive: true });
  const { code, err } = await posthornCli(["restore", "--from", stream, "--data", back]);
  if (code !== 0) return { accepted: told.length, restored: 0, lostMs: 0, faults: [`kill ${kill}: ${err}`] };
  return held(told, killed, { database: join(back, "posthorn.db"), kill, mayLoseMs });
}

type Load = Pick<Around, "random" | "sink"> & {
  readonly stream: string;
  readonly dataDir: string;
  readonly told: Told[];
};

/** `shipped`: of the mails that were told of, so many had left for the stream. */
type Killed = { readonly atMs: number; readonly shipped: number };

async function loadAndKill({ stream, dataDir, told, random, sink }: Load): Promise<Killed> {
  const settings = { POSTHORN_BACKUP_STREAM: stream };
  await using server = await ServerProcess.start({
    dataDir: madeFolder(dataDir),
    relayPort: sink.port,
    run: 0,
    settings,
  });
  const address = { url: server.url, secretKey: server.secretKey ?? "" };
  const stop = new AbortController();
  const clients = Array.from({ length: CLIENTS }, (_, place) =>
    client(new Requests(`client${place}`, seeded(random.below(2 ** 32))), { address, told, isOver: stop.signal }),
  );
  await until(() => namesIn(stream).some(snapshotOf) && told.length >= LEAST_TOLD);
  const shipped = told.length;
  const segments = segmentsIn(stream);
  await until(() => segmentsIn(stream) >= segments + SEGMENTS_LATER);
  await Bun.sleep(random.below(LONGEST_LOAD_MS));
  const atMs = performance.now();
  await server.kill();
  stop.abort();
  await Promise.all(clients);
  return { atMs, shipped };
}

type Client = { readonly address: Parameters<typeof post>[0]; readonly told: Told[]; readonly isOver: AbortSignal };

async function client(requests: Requests, { address, told, isOver }: Client): Promise<void> {
  while (!isOver.aborted) {
    const said = await post(address, requests.next()).catch(() => null);
    if (said?.kind !== "accepted") return;
    const atMs = performance.now();
    told.push(...said.answer.ids.map((id) => ({ id, atMs })));
  }
}

function namesIn(stream: string): string[] {
  return existsSync(stream) ? readdirSync(stream) : [];
}

function segmentsIn(stream: string): number {
  return namesIn(stream).filter(segmentOf).length;
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await Bun.sleep(LOOK_AGAIN_MS);
}

type Judged = { readonly database: string; readonly kill: number; readonly mayLoseMs: number };

function held(told: readonly Told[], killed: Killed, { database, kill, mayLoseMs }: Judged): Loss {
  const found = new Set(mailsIn(database).map(({ id }) => id));
  const lost = told.filter(({ id }) => !found.has(id));
  const lostMs = Math.max(0, ...lost.map(({ atMs }) => killed.atMs - atMs));
  const faults = remainsIn(database).faults.map((fault) => `kill ${kill}: ${fault}`);
  const firstLostMs = Math.min(...lost.map(({ atMs }) => atMs));
  const shipped = told.slice(0, killed.shipped).filter(({ id }) => !found.has(id));
  if (shipped.length > 0) faults.push(`kill ${kill}: ${shipped.length} mails are lost though they were shipped`);
  if (lostMs > mayLoseMs) faults.push(`kill ${kill}: a mail of ${Math.round(lostMs)} ms before is lost`);
  const later = told.filter(({ id, atMs }) => found.has(id) && atMs > firstLostMs + mayLoseMs);
  if (later.length > 0) faults.push(`kill ${kill}: ${later.length} mails are there that came after one that is lost`);
  return { accepted: told.length, restored: found.size, lostMs, faults };
}

function madeFolder(path: string): string {
  mkdirSync(path);
  return path;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
