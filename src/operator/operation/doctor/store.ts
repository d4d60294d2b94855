// The store: its integrity, stuck work, overdue deletions, and the last backup.
import { lastBackups } from "../../backup/queries.ts";
import { DAY_MS, HOUR_MS, iso, MINUTE_MS } from "../../../base/clock.ts";
import type { Config } from "../../../base/config.ts";
import { mailsPerSessionOf } from "../../../sending/open-ways/hop-queries.ts";
import { hopName } from "../../../ground/ways/hop.ts";
import type { WayTokens } from "../../../ground/way-tokens/way-tokens.ts";
import type { WayList } from "../../../ground/ways/list.ts";
import { whatWouldGo } from "../../retention/now.ts";
import { behindIn, doubtIn, seenIn } from "../../../store/clock-queries.ts";
import { heldSince } from "../../../store/hold.ts";
import { databaseFile } from "../../../store/open.ts";
import { MORE_CONNECTIONS, needOf, roomOn, scarcityOf } from "../../../store/postgres/sessions.ts";
import { faultsOf } from "../../../store/sqlite/integrity.ts";
import type { Store } from "../../../store/store.ts";
import { allRetention } from "../../../tenant/workspaces/queries.ts";
import { dueIn, QUEUE_NAMES } from "../figure-queries.ts";
import { backupOf, backupProblem } from "../../backup/state.ts";
import type { ServerAnswer } from "../status.ts";
import { lastReport } from "../../../mail/providers/queries.ts";
import { note, ok, wrong, type DoctorFinding } from "./finding.ts";
import { newestEventAt, parkedEvents, staleCalls, staleMails } from "./queries.ts";

/** Leases last for a minute and a half. */
const STALE_MS = 10 * MINUTE_MS;
/** Old rows go within hours; the rest may take a while after a setting was lowered. */
const UNPRUNED_MS = 2 * DAY_MS;
const MAX_AHEAD_MS = MINUTE_MS;

export type StoreCheck = {
  readonly store: Store;
  readonly config: Config;
  readonly ways: WayList;
  /** Without them, or if the key of the installation cannot be read, no way that needs one works. */
  readonly tokens?: WayTokens | null;
  readonly machineMs: number;
};

export function lookAtIntegrity(config: Config, full: boolean): DoctorFinding {
  const file = databaseFile(config);
  if (file === null) return note("integrity", "PostgreSQL looks after its own pages: see pg_amcheck");
  const faults = faultsOf(file, full);
  if (faults.length === 0) return ok("integrity", `${file} is whole${full ? ", with its indexes" : ""}`);
  return wrong(
    "integrity",
    `${file} is damaged: ${faults.join("; ")}`,
    "Stop the server and restore a backup: posthorn restore.",
  );
}

/** PostgreSQL has a clock of its own; a file has the moments at which it was written. */
export async function lookAtClock({ store, machineMs }: StoreCheck): Promise<DoctorFinding> {
  const aheadMs = machineMs - store.clock.nowMs();
  const todo = "Synchronize the clock with a time server (NTP).";
  if (Math.abs(aheadMs) > MAX_AHEAD_MS)
    return wrong("clock", `This machine's clock is ${Math.round(aheadMs / 1000)} s ahead of the database's.`, todo);
  const seen = await store.read(seenIn);
  const doubt = doubtIn(seen) ?? behindIn(seen, machineMs);
  if (doubt !== null) return wrong("clock", doubt, "Compare it with another clock.");
  const newest = await store.read(newestEventAt);
  if (newest !== null && Date.parse(newest) > machineMs + MAX_AHEAD_MS)
    return wrong("clock", `The newest event is from ${newest}, which is in the future.`, todo);
  return ok("clock", "agrees with the database");
}

/** The connections of all nodes, commands and other programs on the same server. */
export async function lookAtConnections({ store, config }: StoreCheck): Promise<DoctorFinding[]> {
  if (databaseFile(config) !== null) return [];
  const { connections } = config.database;
  const room = await store.read(roomOn);
  const scarcity = scarcityOf(room, connections);
  if (scarcity !== null) return [wrong("connections", scarcity, MORE_CONNECTIONS)];
  const { used, most } = room;
  return [ok("connections", `${used} of ${most} are in use; a node and one command need ${needOf(connections)}`)];
}

/** How many mails each relay was found to take in a session, if it has a limit. */
export async function lookAtSessions({ store, ways }: StoreCheck): Promise<DoctorFinding[]> {
  const names = ways.flatMap((way) => hopName(way) ?? []);
  const found = await store.read((reader) =>
    Promise.all(names.map(async (name) => ({ name, mails: await mailsPerSessionOf(reader, name) }))),
  );
  return found.flatMap(({ name, mails }) => {
    if (mails === null) return [];
    const some = mails === 1 ? "1 email" : `${mails} emails`;
    return note("relay sessions", `${name} takes ${some} in one session, so each session ends after that`);
  });
}

export async function lookForStuck({ store }: StoreCheck): Promise<DoctorFinding[]> {
  const before = iso(store.clock.nowMs() - STALE_MS);
  const leases = await store.read(
    async (reader) => (await staleMails(reader, before)) + (await staleCalls(reader, before)),
  );
  const parked = await store.read(parkedEvents);
  return [
    leases === 0
      ? ok("leases", "none is stale")
      : wrong(
          "leases",
          `${leases} emails or webhooks are in hand of nobody.`,
          "Make sure that a server runs: it takes them over.",
        ),
    parked === 0
      ? ok("events", "none was given up")
      : wrong(
          "events",
          `${parked} events could not be given to segments or workflows.`,
          "The log has the faults; report them.",
        ),
    ...(await lookForLate(store)),
  ];
}

async function lookForLate(store: Store): Promise<DoctorFinding[]> {
  const nowMs = store.clock.nowMs();
  const held = await store.read(heldSince);
  if (held !== null)
    return [wrong("queues", `The installation is held since ${held}.`, "posthorn release lets email leave.")];
  const late: string[] = [];
  for (const queue of QUEUE_NAMES) {
    const due = await store.read((reader) => dueIn(reader, queue, iso(nowMs)), { longFor: 0 });
    const old = due.filter(({ oldestAt }) => nowMs - Date.parse(oldestAt) > HOUR_MS);
    if (old.length > 0) late.push(queue);
  }
  if (late.length === 0) return [ok("queues", "nothing has been due for an hour")];
  return [
    wrong(
      "queues",
      `Work has been due for more than an hour: ${late.join(", ")}.`,
      "posthorn status and the log say why.",
    ),
  ];
}

export async function lookForUnpruned({ store, config }: StoreCheck): Promise<DoctorFinding> {
  const clock = { nowMs: () => store.clock.nowMs() - UNPRUNED_MS };
  const workspaces = await store.read(allRetention);
  const shares = await whatWouldGo({ store, clock, days: config.retention }, workspaces);
  const rows = shares.reduce((sum, share) => sum + share.rows, 0);
  if (rows === 0) return ok("retention", "nothing is older than it is kept");
  return wrong(
    "retention",
    `${rows} rows should have been deleted two days ago.`,
    "A running server does it by itself; or: posthorn prune.",
  );
}

export async function lookAtBackup({ store, config }: StoreCheck): Promise<DoctorFinding> {
  const backup = backupOf(config, await store.read((reader) => lastBackups(reader, 50)));
  const problem = backupProblem(backup, store.clock.nowMs());
  if (problem !== null) return wrong("backup", problem, "Read the log, and try: posthorn backup FILE.");
  if (backup.everySeconds === null) return note("backup", "no schedule: set [backup] every and to");
  return ok("backup", `the last one was made at ${backup.lastAt}`);
}

/** Without them late bounces and complaints stay unknown. */
export async function lookAtReports({ store, ways }: StoreCheck): Promise<DoctorFinding[]> {
  const providers = new Set(ways.flatMap(({ relay }) => relay.provider ?? []));
  const todo = 'Enter the URL from the screen "This server" as a webhook at the provider (docs/providers.md).';
  return store.read((reader) =>
    Promise.all(
      [...providers].map(async (provider) => {
        const last = await lastReport(reader, provider);
        if (last !== null) return ok("reports", `${provider} last reported at ${last}`);
        return wrong("reports", `${provider} has never reported anything`, todo);
      }),
    ),
  );
}

/** As the running server reports. */
export function lookAtStream({ backup }: Config, { stream }: ServerAnswer): DoctorFinding[] {
  const [check, place] = ["stream", backup.stream];
  if (place === null) return [];
  if (stream === "FOLLOWING") return [ok(check, `changes reach ${place} within a second`)];
  if (stream === "FAILING")
    return [wrong(check, `Changes do not reach ${place}.`, "The log says why: look for the stream in it.")];
  return [note(check, stream === "STARTING" ? `the first copy is on its way to ${place}` : "no server says how it is")];
}
