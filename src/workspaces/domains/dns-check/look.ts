// One look at every DNS record of a sender domain, and how what was found is kept.
import { deadlineResolver } from "../../../dns/bounded.ts";
import type { Resolver } from "../../../dns.ts";
import type { DnsRecord } from "../dns-records.ts";
import { checkDkim } from "./dkim.ts";
import { checkDmarc } from "./dmarc.ts";
import { NOT_LOOKED, unlessUnknown, type Finding } from "./finding.ts";
import { checkMx } from "./mx.ts";
import { checkSpf } from "./spf.ts";

const MX_PURPOSES = {
  RETURN_PATH: "where bounces are to come in",
  INBOUND: "which matters only where mail to the domain is to come in here",
};

/** By purpose and name, so that a record that changes its place counts as not looked at. */
export type Checks = Readonly<Record<string, Finding>>;

/** However many name servers are silent. */
const MAX_LOOK_MS = 10_000;

/** All at the same time. */
export async function lookAt(names: Resolver, domain: string, records: readonly DnsRecord[]): Promise<Checks> {
  const resolver = deadlineResolver(names, MAX_LOOK_MS);
  const envelope = records.findLast(({ purpose }) => purpose === "SPF")?.name ?? domain;
  const looks = records.map(async (record): Promise<[string, Finding]> => [
    placeOf(record),
    await unlessUnknown(check(resolver, { domain, record, envelope })),
  ]);
  return Object.fromEntries(await Promise.all(looks));
}

export function findingOf(checks: Checks, record: DnsRecord): Finding {
  return checks[placeOf(record)] ?? NOT_LOOKED;
}

export function withFinding(checks: Checks, record: DnsRecord, finding: Finding): Checks {
  return { ...checks, [placeOf(record)]: finding };
}

export function readChecks(json: string | null): Checks {
  return json === null ? {} : (JSON.parse(json) as Checks);
}

/** `envelope`: the domain in the envelope of our mails. */
type Wanted = { readonly domain: string; readonly record: DnsRecord; readonly envelope: string };

function check(resolver: Resolver, { domain, record, envelope }: Wanted): Promise<Finding> {
  const { purpose, name, names } = record;
  if (purpose === "DKIM") return checkDkim(resolver, { name, domain, publicKey: names ?? "" });
  if (purpose === "SPF")
    return checkSpf(resolver, { name, include: names, instead: name === envelope ? null : envelope });
  if (purpose === "DMARC") return checkDmarc(resolver, domain);
  return checkMx(resolver, { name, host: names, purpose: MX_PURPOSES[purpose] });
}

function placeOf({ purpose, name }: DnsRecord): string {
  return `${purpose} ${name}`;
}
