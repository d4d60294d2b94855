// One look at every DNS record of a sender domain, and how what was found is kept.
import { hurriedResolver } from "../../dns/bounded.ts";
import type { Resolver } from "../../dns.ts";
import type { DnsRecord } from "../dns-records.ts";
import { checkDkim } from "./dkim.ts";
import { checkDmarc } from "./dmarc.ts";
import { NOT_LOOKED, unlessUnknown, type Finding } from "./finding.ts";
import { checkMx } from "./mx.ts";
import { checkSpf } from "./spf.ts";
import { tagsOf } from "./tags.ts";

const MX_PURPOSES = {
  RETURN_PATH: "where bounces are to come in",
  INBOUND: "which matters only where mail to the domain is to come in here",
};

/** By purpose and name, so that a record that changes its place counts as not looked at. */
export type Checks = Readonly<Record<string, Finding>>;

/** However many name servers are silent. */
const LONGEST_MS = 10_000;

/** All at the same time. */
export async function lookAt(names: Resolver, domain: string, records: readonly DnsRecord[]): Promise<Checks> {
  const resolver = hurriedResolver(names, LONGEST_MS);
  const looks = records.map(async (record): Promise<[string, Finding]> => [
    placeOf(record),
    await unlessUnknown(check(resolver, domain, record)),
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

function check(resolver: Resolver, domain: string, { purpose, name, value }: DnsRecord): Promise<Finding> {
  if (purpose === "DKIM") return checkDkim(resolver, { name, domain, publicKey: tagsOf(value).get("p") ?? "" });
  if (purpose === "SPF") return checkSpf(resolver, name);
  if (purpose === "DMARC") return checkDmarc(resolver, domain);
  const [, host = null] = /^10 ([\w.-]+)$/.exec(value) ?? [];
  return checkMx(resolver, { name, host, purpose: MX_PURPOSES[purpose] });
}

function placeOf({ purpose, name }: DnsRecord): string {
  return `${purpose} ${name}`;
}
