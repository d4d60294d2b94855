// The server as its owners see it: its identity, its sending, and its disk space.
import { addressOfWay, defaultWay } from "../../ground/ways/way.ts";
import { version } from "../../../package.json";
import { lastBackups } from "../backup/queries.ts";
import type { BackupStream } from "../backup/room.ts";
import type { StreamState } from "../backup/stream/follower.ts";
import { healthOf } from "../backup/stream/health.ts";
import type { CertificateFacts } from "../../base/certificates/read.ts";
import { certificatesOf, type CertificateState, type CertificatePort } from "../../base/certificates/state.ts";
import { iso } from "../../base/clock.ts";
import type { Config } from "../../base/config.ts";
import type { WayStates } from "../../sending/open-ways/open-ways.ts";
import type { RelayState } from "../../sending/open-ways/way-choice.ts";
import type { Ground } from "../../ground/ground.ts";
import { providerUrl } from "../../mail/providers/place.ts";
import { lastReport } from "../../mail/providers/queries.ts";
import type { Ports } from "../../ground/smtp-listener/ports.ts";
import { spaceOf, storeSize } from "../../store/space.ts";
import type { Reader } from "../../store/store.ts";
import { holdings } from "./queries.ts";
import type { InstallationRecord } from "./record.ts";

export type InstallationOptions = {
  readonly ground: Ground;
  /** By the steady clock, and by the calendar. */
  readonly startedMs: { readonly monotonic: number; readonly calendar: number };
  readonly relay: () => RelayState;
  readonly outgoing: WayStates;
  /** Null: nothing is shipped. */
  readonly stream: BackupStream | null;
  readonly ports: Pick<Ports, "words" | "certificateFacts">;
  readonly httpCertificate: () => CertificateFacts | null;
};

export async function installationOf(reader: Reader, surroundings: InstallationOptions): Promise<InstallationRecord> {
  const { ground, startedMs, relay, ports, httpCertificate, stream } = surroundings;
  const { config, clock, engine, schema } = ground;
  const certificates = certificatesOf(config, clock.nowMs());
  return {
    version,
    engine,
    schema,
    startedAt: iso(startedMs.calendar),
    uptimeSeconds: Math.floor((clock.monotonicMs() - startedMs.monotonic) / 1000),
    residentBytes: process.memoryUsage.rss(),
    baseUrl: config.http.baseUrl,
    transport: transportOf(config),
    relay: { ...relay(), ways: [...relay().ways] },
    reports: await reportsOf(reader, ground),
    limits: limitsOf(config),
    ports: [...ports.words],
    certificate: certificateOf("SMTP", ports.certificateFacts, certificates),
    httpCertificate: certificateOf("HTTPS", httpCertificate(), certificates),
    alerts: alertsOf(config),
    dataDirectory: spaceOf(config.data.dir),
    database: await databaseOf(reader, config),
    backup: { ...(await backupOf(reader, config)), stream: streamOf(config, await stream?.state()) },
    counts: await holdings(reader),
  };
}

async function reportsOf(reader: Reader, { config, secrets }: Ground): Promise<InstallationRecord["reports"]> {
  const { provider } = config.relay;
  if (provider === null) return null;
  const url = providerUrl(secrets, config.http.baseUrl, provider);
  return { provider, url, lastAt: await lastReport(reader, provider) };
}

function certificateOf(
  port: CertificatePort,
  shown: CertificateFacts | null,
  states: readonly CertificateState[],
): InstallationRecord["certificate"] {
  const state = states.find(({ of }) => of.includes(port));
  return shown && { ...shown, endsSoon: state?.endsSoon ?? false, fault: state?.fault ?? null };
}

function transportOf(config: Config): InstallationRecord["transport"] {
  const { transport: kind, returnPathDomain } = config.delivery;
  return { kind, target: addressOfWay(defaultWay(config)), returnPathDomain };
}

function limitsOf({ delivery, limits }: Config): InstallationRecord["limits"] {
  const { ratePerSecond, burst, concurrency } = delivery;
  const { requestsPerMinute, bodyBytes, importBytes, executionDays } = limits;
  return {
    burst,
    concurrency,
    bodyBytes,
    importBytes,
    ratePerSecond: orNull(ratePerSecond),
    requestsPerMinute: orNull(requestsPerMinute),
    executionDays: orNull(executionDays),
  };
}

function alertsOf({ alerts }: Config): InstallationRecord["alerts"] {
  const { email, from, webhook, webhookSecret, queueSeconds } = alerts;
  const webhookHost = webhook === null ? null : new URL(webhook).host;
  return { email: [...email], from, webhookHost, webhookSigned: webhookSecret !== null, queueSeconds };
}

async function backupOf(reader: Reader, { backup }: Config): Promise<Omit<InstallationRecord["backup"], "stream">> {
  const [last] = await lastBackups(reader, 1);
  const shown = last && {
    name: last.name,
    startedAt: last.startedAt,
    endedAt: last.endedAt,
    databaseBytes: last.bytes,
    error: last.error,
  };
  const isEncrypted = backup.passphrase !== null || backup.recipient !== null;
  return { everySeconds: backup.everySeconds, to: backup.to, isEncrypted, last: shown ?? null };
}

function streamOf({ backup }: Config, state: StreamState | undefined): InstallationRecord["backup"]["stream"] {
  if (!state || backup.stream === null) return null;
  const { lagMs, ...told } = state;
  return { to: backup.stream, state: healthOf(state), lagSeconds: lagMs / 1000, ...told };
}

/** In the configuration 0 says that there is no limit. */
function orNull(limit: number): number | null {
  return limit === 0 ? null : limit;
}

async function databaseOf(reader: Reader, config: Config): Promise<InstallationRecord["database"]> {
  const { database, log, space } = await storeSize(reader, config);
  return { bytes: database + log, space };
}
