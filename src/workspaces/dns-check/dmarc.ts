// Whether a DMARC policy is found for a domain (RFC 9989).
import type { Resolver } from "../../dns.ts";
import { nothingThere, OK, quoted, wrong, type Finding } from "./finding.ts";
import { tagsOf } from "./tags.ts";

const POLICY = /^(none|quarantine|reject)$/i;
/** RFC 9989 §4.10: whoever looks for a policy asks no more names than that. */
const MOST_NAMES = 8;

/** A policy of a domain above counts for the one below. @throws DnsError if that cannot be found out */
export async function checkDmarc(resolver: Resolver, domain: string): Promise<Finding> {
  for (const one of domainsFrom(domain)) {
    const records = (await resolver.txt(`_dmarc.${one}`)).filter((record) => /^v\s*=\s*DMARC1\s*(;|$)/.test(record));
    if (records.length > 0) return findingFor(`_dmarc.${one}`, records);
  }
  return nothingThere(resolver, `_dmarc.${domain}`, domain);
}

function findingFor(name: string, records: readonly string[]): Finding {
  if (records.length > 1) return wrong(`${records.length} DMARC records stand at ${name}; receivers then use none.`);
  const [record = ""] = records;
  const policy = tagsOf(record).get("p");
  if (policy === undefined) return wrong(`The record ${quoted(record)} has no p=, the policy: add p=none.`);
  if (POLICY.test(policy)) return OK;
  return wrong(`The policy p= is ${quoted(policy)} and must be none, quarantine or reject.`);
}

/** The domain and those above it, but for the top level. */
function domainsFrom(domain: string): string[] {
  const labels = domain.split(".");
  const names = labels.slice(0, -1).map((_, index) => labels.slice(index).join("."));
  return names.length <= MOST_NAMES ? names : [domain, ...names.slice(1 - MOST_NAMES)];
}
