// Whether somebody stands for the address in From (RFC 9989).
import { dmarcRecords, organization, policyFor, type TxtRecords } from "../dns/dmarc.ts";
import type { Verdict } from "../emails/receive.ts";

type Identities = {
  /** The domain of each mailbox in From; null for one that has none. */
  readonly authors: readonly (string | null)[];
  /** The domains for which SPF and DKIM have passed. */
  readonly spf: string | null;
  readonly dkim: readonly string[];
  /** One of them may pass another time. */
  readonly isUnsure: boolean;
};

/** What must not be asked for again and again on the say-so of a stranger. */
const MOST_SIGNERS = 10;

/**
 * PASS and FAIL where the domain says anything by DMARC, whatever it wants done. Several authors fail, even of one domain:
 * whoever reads the mail may be shown the one that nobody has signed.
 */
export async function checkDmarc(txt: TxtRecords, identities: Identities): Promise<Verdict> {
  const [author = null, ...others] = identities.authors;
  if (others.length > 0) return "FAIL";
  if (author === null) return "GRAY";
  try {
    const records = await dmarcRecords(txt, author);
    const home = organization(author, records);
    const applied = policyFor(author, records);
    if (!applied) return "GRAY";
    const isAligned = async (domain: string, strict: boolean) =>
      domain === author || (!strict && organization(domain, await dmarcRecords(txt, domain)) === home);
    const isStrict = (tag: string) => applied.tags.get(tag)?.toLowerCase() === "s";
    if (identities.spf !== null && (await isAligned(identities.spf, isStrict("aspf")))) return "PASS";
    for (const domain of identities.dkim.slice(0, MOST_SIGNERS))
      if (await isAligned(domain, isStrict("adkim"))) return "PASS";
    return identities.isUnsure ? "GRAY" : "FAIL";
  } catch {
    return "GRAY";
  }
}
