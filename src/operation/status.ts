// The state of the installation as one record: what its operator sees first, and what needs attention.
import { lastBackups, type BackupRow } from "../backup/queries.ts";
import { iso, MINUTE_MS } from "../clock.ts";
import type { Config } from "../config.ts";
import { doubtIn, seenIn, type Seen } from "../store/clock-queries.ts";
import { heldSince } from "../store/hold.ts";
import { spaceOf, storeSize, type Space, type StoreSize } from "../store/space.ts";
import type { Reader } from "../store/store.ts";
import { dueIn } from "./figure-queries.ts";
import * as queries from "./status-queries.ts";

/** What the running server says of itself; `ready` false with the reason, also if nobody answers. */
export type ServerAnswer = {
  /** Somebody answers there, be it that the server is not ready. */
  readonly isThere: boolean;
  readonly ready: boolean;
  readonly problem: string | null;
  readonly version: string | null;
  readonly uptimeSeconds: number | null;
  readonly relay: string | null;
  readonly stream: string | null;
};

export type Status = {
  readonly server: ServerAnswer;
  readonly store: StoreSize;
  readonly disk: Space;
  /** Since when the whole installation is held; null = it is not. */
  readonly heldSince: string | null;
  /** The clock as it is believed; in doubt, nothing is deleted by age and no scheduled mail leaves. */
  readonly clock: Seen;
  readonly queue: readonly queries.WaitingShare[];
  readonly oldestDueSeconds: number;
  readonly rate: { readonly perSecond: number; readonly limit: number | null };
  readonly failingDomains: readonly queries.FailingDomain[];
  readonly jobs: readonly queries.Job[];
  readonly backup: {
    readonly lastAt: string | null;
    readonly lastError: string | null;
    readonly everySeconds: number | null;
  };
  /** What somebody has to do something about, in words. */
  readonly needs: readonly string[];
};

const MOST = 50;
const MOST_EVENTS = 20_000;
const LATE_SECONDS = 300;
const LEAST_FREE_BYTES = 1_000_000_000;
const LEAST_FREE_SHARE = 0.05;
/** On a small disk, a gigabyte may be most of it. */
const SMALL_DISK_SHARE = 0.25;

type Looked = { readonly config: Config; readonly server: ServerAnswer; readonly nowMs: number };

export async function statusOf(reader: Reader, { config, server, nowMs }: Looked): Promise<Status> {
  const store = await storeSize(reader, config);
  const sent = await queries.countSentSince(reader, iso(nowMs - MINUTE_MS), MOST_EVENTS);
  const seen = {
    server,
    store,
    disk: store.space ?? spaceOf(config.data.dir),
    heldSince: await heldSince(reader),
    clock: await seenIn(reader),
    queue: await queries.waitingByReason(reader, iso(nowMs)),
    oldestDueSeconds: await oldestDue(reader, nowMs),
    rate: { perSecond: Math.round((sent / 60) * 10) / 10, limit: config.delivery.ratePerSecond || null },
    failingDomains: await queries.failingDomains(reader, MOST),
    jobs: await queries.unfinishedJobs(reader, MOST),
    backup: backupOf(config, await lastBackups(reader, MOST)),
  };
  return { ...seen, needs: needsOf(seen, nowMs) };
}

async function oldestDue(reader: Reader, nowMs: number): Promise<number> {
  const due = [
    ...(await dueIn(reader, "transactional", iso(nowMs))),
    ...(await dueIn(reader, "marketing", iso(nowMs))),
  ];
  return Math.round((nowMs - Math.min(nowMs, ...due.map(({ oldestAt }) => Date.parse(oldestAt)))) / 1000);
}

export function backupOf({ backup }: Config, rows: readonly BackupRow[]): Status["backup"] {
  const made = rows.find(({ endedAt, error }) => endedAt !== null && error === null);
  return { lastAt: made?.startedAt ?? null, lastError: rows[0]?.error ?? null, everySeconds: backup.everySeconds };
}

/** Each place adds what it has to say. */
function needsOf(seen: Omit<Status, "needs">, nowMs: number): string[] {
  const { server, heldSince: held, clock, oldestDueSeconds, failingDomains, disk, backup } = seen;
  return [
    ...(server.ready ? [] : [`The server is not ready: ${server.problem}`]),
    ...(server.relay === "AWAY" ? ["The relay cannot be reached; mail waits. posthorn doctor tries it."] : []),
    ...(server.stream === "FAILING"
      ? ["Nothing reaches the place of backup.stream; the log says why, and what came since is only here."]
      : []),
    ...(held === null ? [] : [`The installation is held since ${held}: posthorn release lets mail leave.`]),
    ...(clock.doubtedAt === null ? [] : [doubtIn(clock) as string]),
    ...(oldestDueSeconds > LATE_SECONDS && held === null
      ? [`Mail waits that has been due for ${Math.round(oldestDueSeconds / 60)} minutes.`]
      : []),
    ...failingDomains.map(({ domain, workspace }) => `The DNS record of ${domain} (${workspace}) is gone.`),
    ...(isShort(disk)
      ? [`Only ${Math.round((disk.freeBytes ?? 0) / 1e6)} MB are free on the disk of ${disk.path}.`]
      : []),
    ...backupNeeds(backup, nowMs),
  ];
}

export function isShort({ freeBytes, totalBytes }: Space): boolean {
  if (freeBytes === null || totalBytes === null) return false;
  const share = freeBytes / totalBytes;
  return share < LEAST_FREE_SHARE || (freeBytes < LEAST_FREE_BYTES && share < SMALL_DISK_SHARE);
}

export function backupNeeds({ lastAt, lastError, everySeconds }: Status["backup"], nowMs: number): string[] {
  if (lastError !== null) return [`The last backup failed: ${lastError}`];
  if (everySeconds === null) return [];
  if (lastAt === null) return ["No backup has been made yet."];
  return Date.parse(lastAt) < nowMs - 2 * everySeconds * 1000 ? [`The last backup was made at ${lastAt}.`] : [];
}
