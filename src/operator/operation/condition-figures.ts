// The condition of the installation as figures, for alerts (docs/operate/alerts.yml).
import { lastBackups } from "../backup/queries.ts";
import type { BackupStream } from "../backup/room.ts";
import { healthOf } from "../backup/stream/health.ts";
import { certificatesOf } from "../../base/certificates/state.ts";
import type { Ground } from "../../ground/ground.ts";
import { failingHosts } from "../hosts/queries.ts";
import { watchedFaults } from "../watch/queries.ts";
import { ASPECTS } from "../watch/seen.ts";
import { gauge } from "../../base/metrics/metric.ts";
import { seenIn } from "../../store/clock-queries.ts";
import { failingMailboxes } from "../../mail/inbound/mailbox/queries.ts";
import { heldSince } from "../../store/hold.ts";
import { storeSpace } from "../../store/space.ts";
import type { Reader } from "../../store/store.ts";
import { countFailingDomains } from "./figure-queries.ts";
import { backupOf } from "../backup/state.ts";

const CLOCK = gauge("posthorn_clock_in_doubt", "1 = what goes by the date waits until the clock is believed.");
const HELD = gauge("posthorn_held", "1 = the installation is held: no email leaves until posthorn release.");
const FAILING = gauge("posthorn_domains_failing", "Verified sender domains whose DNS record is gone.");
const OUTSIDE = gauge(
  "posthorn_outside_faults",
  "Faults that only others see, as the daily look found them.",
  "aspect",
);
const HOSTS = gauge("posthorn_link_hosts_failing", "Hosts that links of a workspace name and that do not lead here.");
const MAILBOXES = gauge("posthorn_mailbox_readable", "1 = the bounce mailbox can be read.", "mailbox");
const BACKUP = gauge("posthorn_backup_last_success_seconds", "When the last backup was made, in seconds since 1970.");
const BACKUP_EVERY = gauge("posthorn_backup_every_seconds", "How often one is to be made; absent = only by hand.");
const STREAM_LAG = gauge("posthorn_stream_lag_seconds", "How old the oldest change is that was not shipped yet.");
const STREAM_WAITING = gauge("posthorn_stream_waiting_bytes", "What waits for the place of the stream.");
const STREAM_WORKS = gauge(
  "posthorn_stream_works",
  "1 = every change since the start can be restored; 0 = no copy is there yet, it fails or is a minute behind, or another server ships there.",
);
const STREAM_REFUSED = gauge(
  "posthorn_stream_refused",
  "1 = another server ships to the place of the stream, and may have replaced this one.",
);
const STANDBY_SEEN = gauge(
  "posthorn_standby_seen_seconds",
  "When the standby of this server was last there, in seconds since 1970; absent = there never was one.",
);
const EXPIRY = gauge("posthorn_certificate_expiry_seconds", "When it ends, in seconds since 1970.", "port");
const ENDS_SOON = gauge("posthorn_certificate_ends_soon", "1 = it should have been renewed by now.", "port");
const FAULT = gauge(
  "posthorn_certificate_fault",
  "1 = no newer one could be got by ACME, or the files of the newer one cannot be used.",
  "port",
);
const FREE = gauge("posthorn_disk_free_bytes", "Room left where the database is.");
const DISK = gauge("posthorn_disk_size_bytes", "Room there is where the database is.");

/** The limit of failed backups since the last one made. */
const MOST_BACKUPS = 100;

type ConditionSource = { readonly ground: Ground; readonly stream: BackupStream | null };

export async function measureCondition(reader: Reader, { ground, stream }: ConditionSource): Promise<void> {
  const { metrics } = ground;
  metrics.set(CLOCK, (await seenIn(reader)).doubtedAt === null ? 0 : 1);
  metrics.set(HELD, (await heldSince(reader)) === null ? 0 : 1);
  metrics.set(FAILING, await countFailingDomains(reader));
  await measureOutside(reader, ground);
  await measureMailboxes(reader, ground);
  await measureBackup(reader, ground);
  await measureStream(ground, stream);
  measureCertificates(ground);
  const { freeBytes = null, totalBytes = null } = storeSpace(ground.config) ?? {};
  if (freeBytes !== null) metrics.set(FREE, freeBytes);
  if (totalBytes !== null) metrics.set(DISK, totalBytes);
}

/** The limit of the count: beyond it the number does not matter. */
const MOST_FAULTS = 1_000;

async function measureOutside(reader: Reader, { metrics }: Ground): Promise<void> {
  const faults = await watchedFaults(reader, MOST_FAULTS);
  for (const one of ASPECTS)
    metrics.set(OUTSIDE, faults.filter(({ aspect }) => aspect === one).length, one.toLowerCase());
  metrics.set(HOSTS, (await failingHosts(reader, MOST_FAULTS)).length);
}

async function measureMailboxes(reader: Reader, { metrics, config }: Ground): Promise<void> {
  const failing = await failingMailboxes(reader, config.bounceMailboxes);
  for (const { name } of config.bounceMailboxes)
    metrics.set(MAILBOXES, failing.some((one) => one.name === name) ? 0 : 1, name);
}

async function measureBackup(reader: Reader, { metrics, config }: Ground): Promise<void> {
  const { lastAt, everySeconds } = backupOf(config, await lastBackups(reader, MOST_BACKUPS));
  if (everySeconds !== null) metrics.set(BACKUP_EVERY, everySeconds);
  if (lastAt !== null) metrics.set(BACKUP, Date.parse(lastAt) / 1000);
}

async function measureStream({ metrics }: Ground, stream: BackupStream | null): Promise<void> {
  const state = await stream?.state();
  if (!state) return;
  metrics.set(STREAM_LAG, state.lagMs / 1000);
  metrics.set(STREAM_WAITING, state.waitingBytes);
  metrics.set(STREAM_WORKS, healthOf(state) === "FOLLOWING" ? 1 : 0);
  metrics.set(STREAM_REFUSED, state.isRefused ? 1 : 0);
  if (state.standby) metrics.set(STANDBY_SEEN, Date.parse(state.standby.seenAt) / 1000);
}

function measureCertificates({ metrics, config, clock }: Ground): void {
  metrics.forget(EXPIRY, ENDS_SOON, FAULT);
  for (const { of, validTo, endsSoon, fault } of certificatesOf(config, clock.nowMs()))
    for (const port of of) {
      if (validTo !== null) metrics.set(EXPIRY, Date.parse(validTo) / 1000, port);
      metrics.set(ENDS_SOON, endsSoon ? 1 : 0, port);
      metrics.set(FAULT, fault === null ? 0 : 1, port);
    }
}
