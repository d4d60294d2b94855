// Checks the DNS records of a sender domain and draws the conclusion: whether it is verified, and which key signs its
// mails.
//
// All records are looked up at the same time; no answer means UNKNOWN, which changes nothing. The conclusion is one
// transaction. A process checks a domain once at a time; of checks that overlap, the last to begin counts. Which
// key signs follows from the time of the attempt, so the raw message is composed alike after a rotation.
import { DAY_MS, HOUR_MS, iso, MINUTE_MS, type Clock } from "../../base/clock.ts";
import type { Resolver } from "../../base/dns.ts";
import { notifyChange } from "../events/notify.ts";
import type { FetchText } from "../../http/fetch-text.ts";
import { restUntil, SHORT_REST_MS } from "../../base/jobs/due.ts";
import type { Log } from "../../base/log.ts";
import type { Secrets } from "../../base/secrets.ts";
import type { Store, Tx } from "../../store/store.ts";
import { DEFAULT_WAY } from "../../base/config/ways.ts";
import { putKnown } from "../../ground/ways/domain-queries.ts";
import { lookBeside } from "./dns-check/also.ts";
import type { DnsFinding } from "./dns-check/finding.ts";
import { findingOf, lookAt, withFinding, withSince, type Checks } from "./dns-check/look.ts";
import { problemOf } from "./dns-check/problems.ts";
import { dkimRecord, recordsFor, type RecordSettings } from "./dns-records.ts";
import { isVerifiedElsewhere } from "./domain.ts";
import { nextKey, signingKey, turnKeys } from "./keys.ts";
import { lossesOf, tellLosses, withLosses } from "./losses.ts";
import { domainBySeq, lockDomain, nextCheckAt, setChecked, takeDueDomains, type Domain } from "./queries.ts";
import { keysOfDomains, privateKeyOf, selectorsOf, type DomainKey } from "./key-queries.ts";
import { reportAddressOf } from "./report-address.ts";
import { deciding, judge } from "./verdict.ts";

export type SigningKey = {
  readonly selector: string;
  readonly privateKeyPem: string;
  /** Every selector that the domain's name ever had here, in any workspace. */
  readonly ownSelectors: readonly string[];
};

/** The sender domains as a sending service knows them; its answer counts like a DNS record. */
export interface Identities {
  /** The name of the service, for people. */
  readonly service: string;
  /**
   * Registers the domain and its key if the service does not know them, and answers its state: MISSING = it is still
   * checking, WRONG = it does not send from the domain. `key` null: nothing is registered. Never throws.
   */
  look(domain: string, key: SigningKey | null): Promise<DnsFinding>;
  /** Resolves when every question has its answer. */
  close(): Promise<void>;
}

/** The sender domains as the ways out know them; their state decides nothing, and is shown. */
export interface WayLookup {
  /** The names of the ways that can be queried. */
  readonly names: readonly string[];
  /** As `Identities`, at each of them. */
  look(domain: string, key: SigningKey): Promise<readonly WayFinding[]>;
  close(): Promise<void>;
}
export type WayFinding = { readonly way: string; readonly known: DnsFinding };

/** The context for checking sender domains. */
export type DomainContext = {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly secrets: Secrets;
  /** Without a cache: the caller may just have published a record. */
  readonly resolver: Resolver;
  readonly settings: RecordSettings;
  /** The ways by which email may leave. */
  readonly wayNames: readonly string[];
  /** How long a verified domain may send after its record is gone. */
  readonly graceMs: number;
  /** Null = only the DNS is queried. */
  readonly identities: Identities | null;
  /** Null = no other way is queried. */
  readonly atWays: WayLookup | null;
  /** Fetches policies of MTA-STS. */
  readonly fetchText: FetchText;
  /** Checks under way, by the domain's seq. */
  readonly looks: Map<number, Promise<CheckOutcome>>;
};

/** `taken`: another workspace has verified the domain, so it is not verified here. */
type CheckOutcome = { readonly taken: boolean };

const TAKEN: DnsFinding = { state: "OK", ...problemOf("verified_elsewhere") };
/** The key of the service's answer among the checks. */
export const IDENTITY = "IDENTITY";

/** A new or failing domain is checked hourly during this time. */
const HOURLY_FOR_MS = 7 * DAY_MS;
/** A minute after a new key starts to sign, the sending service is asked whether it has found the key's record. */
const AFTER_TURN_MS = 60_000;

/**
 * Checks the records of a domain, keeps the findings, and decides whether the domain is verified. Concurrent calls
 * share one check.
 */
export function checkDomain(context: DomainContext, domain: Domain): Promise<CheckOutcome> {
  const { looks } = context;
  const checkBySeq = looks.get(domain.seq) ?? lookOnce(context, domain).finally(() => looks.delete(domain.seq));
  looks.set(domain.seq, checkBySeq);
  return checkBySeq;
}

async function lookOnce(context: DomainContext, domain: Domain): Promise<CheckOutcome> {
  const { store, clock, resolver, settings, fetchText } = context;
  const begunAt = iso(clock.nowMs());
  const keys = await store.read((reader) => keysOfDomains(reader, [domain.seq]));
  const asked = { domain: domain.domain, hops: settings.hops, fetchText, before: domain.checks, nowMs: clock.nowMs() };
  const [checks, beside] = await Promise.all([
    lookAt(resolver, domain.domain, recordsFor(domain.domain, keys, settings, reportAddressOf(domain, settings))),
    lookBeside(resolver, asked),
  ]);
  const { identity, atWays } = await askServices(context, domain, { key: keyToUse(domain, keys, checks), checks });
  const found = { ...checks, ...beside, ...(identity ? { [IDENTITY]: identity } : {}) };
  return store.write((tx) => conclude(tx, context, { seq: domain.seq, begunAt, checks: found, atWays }));
}

/** `begunAt`: when the first question was asked. */
type DomainCheck = {
  readonly seq: number;
  readonly begunAt: string;
  readonly checks: Checks;
  readonly atWays: readonly WayFinding[];
};

async function conclude(
  tx: Tx,
  context: DomainContext,
  { seq, begunAt, checks, atWays }: DomainCheck,
): Promise<CheckOutcome> {
  await lockDomain(tx, seq);
  const domain = await domainBySeq(tx, seq);
  // The domain was removed, or another process has finished a later check.
  if (!domain || (domain.checkedAt !== null && domain.checkedAt > begunAt)) return { taken: false };
  const hasTurned = await turnKeys(tx, domain, checks);
  const keys = await keysOfDomains(tx, [seq]);
  const key = signingKey(keys);
  const record = key && dkimRecord(domain.domain, key);
  const found = record && findingOf(checks, record);
  const taken = found?.state === "OK" && (await isVerifiedElsewhere(tx, domain));
  if (!taken) await judge(tx, context, domain, deciding(found, checks[IDENTITY]));
  const nextInMs = hasTurned ? AFTER_TURN_MS : await waitMs(tx, seq, keys);
  const kept = record && taken ? withFinding(checks, record, TAKEN) : checks;
  const dated = withLosses(withSince(kept, begunAt, domain.checks, domain.checkedAt), domain.checks, begunAt);
  const losses = lossesOf({ domain: domain.domain, checks: dated });
  await tellLosses(tx, context.log, domain, losses);
  const lostSince = losses.map(({ since }) => since).toSorted()[0] ?? null;
  await setChecked(tx, seq, { checks: dated, begunAt, nextCheckAt: iso(tx.nowMs + nextInMs), lostSince });
  for (const one of atWays) await putKnown(tx, seq, one);
  notifyChange(tx, "domains", domain.workspace);
  if (hasTurned)
    tx.afterCommit(() => context.log.info("a sender domain signs with its new DKIM key", { domain: domain.domain }));
  return { taken };
}

/** The key that will sign after this check. */
function keyToUse({ domain }: Domain, keys: readonly DomainKey[], checks: Checks): DomainKey | null {
  const next = nextKey(keys);
  const isFound = next !== null && findingOf(checks, dkimRecord(domain, next)).state === "OK";
  return isFound ? next : signingKey(keys);
}

type IdentityFindings = { readonly identity: DnsFinding | null; readonly atWays: readonly WayFinding[] };
const NOBODY: IdentityFindings = { identity: null, atWays: [] };

/** Services learn of a domain once its DKIM record is found, unless another workspace has verified the domain. */
async function askServices(
  { identities, atWays, store, secrets }: DomainContext,
  row: Domain,
  { key, checks }: { readonly key: DomainKey | null; readonly checks: Checks },
): Promise<IdentityFindings> {
  const service = identities?.service;
  if (!key || (!service && !atWays?.names.length)) return NOBODY;
  const unasked = (finding: DnsFinding): IdentityFindings => ({ ...NOBODY, identity: service ? finding : null });
  if (findingOf(checks, dkimRecord(row.domain, key)).state !== "OK")
    return unasked({ state: "UNKNOWN", ...problemOf("service_waits", { service: service ?? "" }) });
  const [encrypted, ownSelectors, isTaken] = await store.read(async (reader) => [
    await privateKeyOf(reader, key.seq),
    await selectorsOf(reader, row.domain),
    await isVerifiedElsewhere(reader, row),
  ]);
  if (isTaken) return unasked({ ...TAKEN, state: "UNKNOWN" });
  if (!encrypted) return NOBODY;
  const signing = { selector: key.selector, privateKeyPem: secrets.decrypt(encrypted), ownSelectors };
  const [identity, others] = await Promise.all([
    identities?.look(row.domain, signing) ?? null,
    atWays?.look(row.domain, signing) ?? [],
  ]);
  return { identity, atWays: identity ? [{ way: DEFAULT_WAY, known: identity }, ...others] : others };
}

/** A day, or an hour while the domain is new or failing; up to a tenth less, so that checks spread out. */
async function waitMs(tx: Tx, seq: number, keys: readonly DomainKey[]): Promise<number> {
  const domain = await domainBySeq(tx, seq);
  const waitsSince = domain?.failingSince ?? (domain?.verifiedAt === null ? domain.createdAt : null);
  const isAwaited = waitsSince !== null && tx.nowMs - Date.parse(waitsSince) < HOURLY_FOR_MS;
  return (isAwaited || nextKey(keys) ? HOUR_MS : DAY_MS) * (0.9 + 0.1 * Math.random());
}

/** Each domain needs a handful of concurrent questions. */
const DOMAINS_A_STEP = 5;
/** A check takes seconds; a process that has not finished by then is dead. */
const LEASE_MS = 10 * MINUTE_MS;

/** Checks a few due domains; answers how long until the next one. */
export async function watchStep(context: DomainContext, clock: Clock): Promise<number> {
  const { store } = context;
  const dueAt = await store.read(nextCheckAt);
  const restMs = restUntil(dueAt, clock.nowMs());
  if (restMs > 0) return restMs;
  const taken = await store.write((tx) => takeDueDomains(tx, DOMAINS_A_STEP, iso(tx.nowMs + LEASE_MS)));
  await Promise.all(
    taken.map(({ seq }) => look(context, seq).catch((error: unknown) => logFailure(context, seq, error))),
  );
  return taken.length > 0 ? 0 : SHORT_REST_MS;
}

async function look(context: DomainContext, seq: number): Promise<void> {
  const domain = await context.store.read((reader) => domainBySeq(reader, seq));
  if (domain) await checkDomain(context, domain);
}

/** The domain is due again when its lease ends; the other domains go on. */
function logFailure({ log }: DomainContext, seq: number, error: unknown): void {
  log.error("a sender domain could not be checked", { domain: seq, error });
}
