// Whether the domain in From is authenticated: DMARC (RFC 9989).
import { dmarcRecords, organizationalDomain, policyFor, type TxtRecords } from "../dns/dmarc.ts";
import type { Verdict } from "../emails/receive.ts";

type Identities = {
  /** The domain of each mailbox in From; null for one that has none. */
  readonly authors: readonly (string | null)[];
  /** The domains for which SPF and DKIM have passed. */
  readonly spf: string | null;
  readonly dkim: readonly string[];
  /** A check ended in a temporary error: it may pass another time. */
  readonly isUnsure: boolean;
};

/**
 * PASS or FAIL where the author's domain has a DMARC record, whatever its policy, else GRAY. Several authors fail, even of one
 * domain: readers may be shown the one that nothing authenticates.
 */
export async function checkDmarc(txt: TxtRecords, identities: Identities): Promise<Verdict> {
  const [author = null, ...others] = identities.authors;
  if (others.length > 0) return "FAIL";
  if (author === null) return "GRAY";
  try {
    const records = await dmarcRecords(txt, author);
    const applied = policyFor(author, records);
    if (!applied) return "GRAY";
    const home = organizationalDomain(author, records);
    const isAligned = async (domain: string, strict: boolean) =>
      domain === author || (!strict && organizationalDomain(domain, await dmarcRecords(txt, domain)) === home);
    const isStrict = (tag: string) => applied.tags.get(tag)?.toLowerCase() === "s";
    if (identities.spf !== null && (await isAligned(identities.spf, isStrict("aspf")))) return "PASS";
    for (const domain of identities.dkim) if (await isAligned(domain, isStrict("adkim"))) return "PASS";
    return identities.isUnsure ? "GRAY" : "FAIL";
  } catch {
    return "GRAY";
  }
}
