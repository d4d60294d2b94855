// A look at a sender domain, and what follows from it: whether it is verified, and with which key its mails are signed
// (interface-gaps.md §7 "DKIM").
import { DAY_MS, HOUR_MS, iso, type Clock } from "../../clock.ts";
import type { Resolver } from "../../dns.ts";
import type { Log } from "../../log.ts";
import type { Secrets } from "../../secrets.ts";
import type { Store, Tx } from "../../store/store.ts";
import { findingOf, lookAt, withFinding, type Checks } from "./dns-check/look.ts";
import type { Finding } from "./dns-check/finding.ts";
import { dkimRecord, recordsFor, type RecordSettings } from "./dns-records.ts";
import { nextKey, signingKey, turnKeys } from "./keys.ts";
import {
  domainBySeq,
  keysOfDomains,
  lockDomain,
  privateKeyOf,
  selectorsOf,
  setChecked,
  type DomainKeyRow,
  type DomainRow,
} from "./queries.ts";
import { deciding, judge } from "./verdict.ts";
import { isVerifiedElsewhere } from "./domain.ts";
import type { Identities } from "../identity.ts";

/** What looking at sender domains takes. */
export type DomainContext = {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly secrets: Secrets;
  /** Without a cache: whoever asks has just published something. */
  readonly resolver: Resolver;
  readonly settings: RecordSettings;
  /** How long a verified domain whose record is gone goes on sending. */
  readonly graceMs: number;
  /** Null = only the DNS is asked. */
  readonly identities: Identities | null;
  /** Looks under way, by the domain's seq. */
  readonly looks: Map<number, Promise<Looked>>;
};

/** `taken`: another workspace has verified the domain, so it was not taken as verified here. */
type Looked = { readonly taken: boolean };

const TAKEN: Finding = { state: "OK", problem: "The domain is verified in another workspace." };
/** Under this key stands what the service has said, beside the records' findings. */
export const IDENTITY = "IDENTITY";

/** A domain that is new or failing is looked at hourly for so long. */
const HOURLY_FOR_MS = 7 * DAY_MS;
/** A minute after a new key has taken over, the service that sends is asked whether it has found the key's record. */
const AFTER_TURN_MS = 60_000;

/**
 * Looks at the records of a domain, keeps what was found, and takes the domain as verified or not by it. Who asks while
 * another's look is under way is answered by that.
 */
export function checkDomain(context: DomainContext, domain: DomainRow): Promise<Looked> {
  const { looks } = context;
  const look = looks.get(domain.seq) ?? lookOnce(context, domain).finally(() => looks.delete(domain.seq));
  looks.set(domain.seq, look);
  return look;
}

async function lookOnce(context: DomainContext, domain: DomainRow): Promise<Looked> {
  const { store, clock, resolver, settings } = context;
  const begunAt = iso(clock.nowMs());
  const keys = await store.read((reader) => keysOfDomains(reader, [domain.seq]));
  const checks = await lookAt(resolver, domain.domain, recordsFor(domain.domain, keys, settings));
  const identity = await askIdentity(context, domain, { key: keyToUse(domain, keys, checks), checks });
  const found = identity ? { ...checks, [IDENTITY]: identity } : checks;
  return store.write((tx) => conclude(tx, context, { seq: domain.seq, begunAt, checks: found }));
}

/** `begunAt`: when the first question was asked. */
type Look = { readonly seq: number; readonly begunAt: string; readonly checks: Checks };

async function conclude(tx: Tx, context: DomainContext, { seq, begunAt, checks }: Look): Promise<Looked> {
  await lockDomain(tx, seq);
  const domain = await domainBySeq(tx, seq);
  // Removed meanwhile, or what another process has found later is known already.
  if (!domain || (domain.checked_at !== null && domain.checked_at > begunAt)) return { taken: false };
  const hasTurned = await turnKeys(tx, domain, checks);
  const keys = await keysOfDomains(tx, [seq]);
  const key = signingKey(keys);
  const record = key && dkimRecord(domain.domain, key);
  const found = record && findingOf(checks, record);
  const taken = found?.state === "OK" && (await isVerifiedElsewhere(tx, domain));
  if (!taken) await judge(tx, context, domain, deciding(found, checks[IDENTITY]));
  const nextInMs = hasTurned ? AFTER_TURN_MS : await waitMs(tx, seq, keys);
  const kept = record && taken ? withFinding(checks, record, TAKEN) : checks;
  await setChecked(tx, seq, { checks: JSON.stringify(kept), begunAt, nextCheckAt: iso(tx.nowMs + nextInMs) });
  if (hasTurned)
    tx.afterCommit(() =>
      context.log.info("a sender domain's mails are signed with its new key", { domain: domain.domain }),
    );
  return { taken };
}

/** The key that will sign once this look is over. */
function keyToUse({ domain }: DomainRow, keys: readonly DomainKeyRow[], checks: Checks): DomainKeyRow | null {
  const next = nextKey(keys);
  const isFound = next !== null && findingOf(checks, dkimRecord(domain, next)).state === "OK";
  return isFound ? next : signingKey(keys);
}

/** The service is told of a domain once its DKIM record is found, unless another workspace has verified the domain. */
async function askIdentity(
  { identities, store, secrets }: DomainContext,
  row: DomainRow,
  { key, checks }: { readonly key: DomainKeyRow | null; readonly checks: Checks },
): Promise<Finding | null> {
  if (!identities || !key) return null;
  if (findingOf(checks, dkimRecord(row.domain, key)).state !== "OK")
    return { state: "UNKNOWN", problem: `${identities.service} is asked once the DKIM record is found.` };
  const [encrypted, selectors, isTaken] = await store.read(async (reader) => [
    await privateKeyOf(reader, key.seq),
    await selectorsOf(reader, row.domain),
    await isVerifiedElsewhere(reader, row),
  ]);
  if (isTaken) return { state: "UNKNOWN", problem: TAKEN.problem };
  if (!encrypted) return null;
  const ownSelectors = selectors.map(({ selector }) => selector);
  return identities.look(row.domain, {
    selector: key.selector,
    privateKeyPem: secrets.decrypt(encrypted),
    ownSelectors,
  });
}

/** A day, or an hour while the domain is new or failing; up to a tenth less, so that not all come at once. */
async function waitMs(tx: Tx, seq: number, keys: readonly DomainKeyRow[]): Promise<number> {
  const domain = await domainBySeq(tx, seq);
  const waitsSince = domain?.failing_since ?? (domain?.verified_at === null ? domain.created_at : null);
  const isAwaited = waitsSince !== null && tx.nowMs - Date.parse(waitsSince) < HOURLY_FOR_MS;
  return (isAwaited || nextKey(keys) ? HOUR_MS : DAY_MS) * (0.9 + 0.1 * Math.random());
}
