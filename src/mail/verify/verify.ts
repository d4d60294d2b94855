// Whether mail can go to an address, and the facts that the address itself reveals.
import { domainOf } from "../../base/addresses.ts";
import { domainFacts, type DomainLookup, type DomainFacts } from "./domain-facts.ts";
import { isUnder, lists, type DomainLists } from "./lists.ts";
import { looksRandom } from "./random-looking.ts";
import type { Verification } from "./record.ts";
import { meantDomain } from "./typo.ts";

/**
 * Takes an address as `parseAddress` answers it. It is valid if its domain exists and takes mail; the kind of domain, a
 * likely misspelling and a random local part are reported but make nothing invalid. A silent name server is not an
 * error: then the address is not valid, and `reasons` says that it could not be checked.
 */
export async function verifyAddress(ask: DomainLookup, email: string): Promise<Verification> {
  const facts = await domainFacts(ask, domainOf(email));
  const found = findings(email, facts, lists());
  return { ...found, reasons: reasonsFor(found, facts) };
}

function findings(email: string, facts: DomainFacts, known: DomainLists): VerificationFindings {
  const domain = domainOf(email);
  const local = email.slice(0, -domain.length - 1);
  const meant = known.neighbours.has(domain) ? null : meantDomain(domain, known.wellKnown);
  return {
    email,
    valid: facts.delivery === "mx" || facts.delivery === "address",
    isDisposable: isUnder(known.disposable, domain),
    isAlias: isUnder(known.forwarding, domain),
    isTypo: meant !== null,
    isPlusAddressed: local.includes("+"),
    isRandomInput: looksRandom(local),
    isPersonalEmail: known.personal.has(domain),
    domainExists: facts.exists,
    hasWebsite: facts.hasWebsite === true,
    hasMxRecords: facts.delivery === "mx",
    ...(meant === null ? {} : { suggestedEmail: `${local}@${meant}` }),
  };
}

type VerificationFindings = Omit<Verification, "reasons">;

/** Reasons for invalidity come first. Never empty: an address without findings appears to be valid. */
export function reasonsFor(found: VerificationFindings, { delivery, hasWebsite }: DomainFacts): string[] {
  const domain = domainOf(found.email);
  const sentences: readonly (readonly [holds: boolean, sentence: string])[] = [
    [delivery === "unknown", `The domain ${domain} could not be checked: the name servers gave no answer.`],
    [
      delivery === "unasked",
      `The domain ${domain} could not be checked in time: too many DNS questions were under way.`,
    ],
    [delivery === "none" && !found.domainExists, `The domain ${domain} does not exist.`],
    [delivery === "none" && found.domainExists, `The domain ${domain} has neither MX records nor an address record.`],
    [delivery === "refused", `The domain ${domain} accepts no email: it says so by a null MX record.`],
    [delivery === "address", `The domain ${domain} has no MX records; email goes to its address record.`],
    [
      found.suggestedEmail !== undefined,
      `The domain looks misspelled; ${domainOf(found.suggestedEmail ?? "")} may be meant.`,
    ],
    [found.isDisposable, `The domain ${domain} belongs to a disposable email service.`],
    [found.isAlias, `The domain ${domain} belongs to a service that forwards to another address.`],
    [found.isPersonalEmail, `The domain ${domain} is a provider of personal mailboxes.`],
    [found.isPlusAddressed, "The part before the @ has a tag after a plus sign."],
    [found.isRandomInput, "The part before the @ looks machine-made."],
    [found.domainExists && hasWebsite === false, `The domain ${domain} has no website.`],
  ];
  const reasons = sentences.filter(([holds]) => holds).map(([, sentence]) => sentence);
  return reasons.length > 0 ? reasons : ["Email appears to be valid."];
}
