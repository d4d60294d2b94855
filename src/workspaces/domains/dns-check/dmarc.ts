// Whether a DMARC policy is found for a domain (RFC 9989).
import { dmarcAmong, dmarcRecords, policyFor } from "../../../dns/dmarc.ts";
import type { Resolver } from "../../../dns.ts";
import { nothingThere, OK, quoted, wrong, type Finding } from "./finding.ts";

const POLICY = /^(none|quarantine|reject)$/i;
const HINT = "There is no p= in the record, which means p=none; older receivers want it written out.";

/** A policy of a domain above counts for the one below. @throws DnsError if that cannot be found out */
export async function checkDmarc(resolver: Resolver, domain: string): Promise<Finding> {
  const name = `_dmarc.${domain}`;
  const own = dmarcAmong(await resolver.txt(name));
  if (own.length > 1) return wrong(`${own.length} DMARC records stand at ${name}; receivers then use none.`);
  // Who has a record needs none of those above.
  const txt = async (one: string) => (one !== name && own.length > 0 ? [] : resolver.txt(one));
  const applied = policyFor(domain, await dmarcRecords(txt, domain));
  if (!applied) return nothingThere(resolver, { name, domain, isIt: (texts) => dmarcAmong(texts).length > 0 });
  const policy = applied.tags.get("p") ?? "";
  if (policy === "") return { ...OK, problem: HINT };
  if (POLICY.test(policy)) return OK;
  return wrong(
    `The policy p= at _dmarc.${applied.domain} is ${quoted(policy)} and must be none, quarantine or reject.`,
  );
}
