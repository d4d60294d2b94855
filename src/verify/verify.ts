// Whether mail can go to an address, and what the address itself tells (interface.md "POST /v1/verify").
import { domainOf } from "../addresses.ts";
import { domainFacts, type Ask, type DomainFacts } from "./domain-facts.ts";
import { isUnder, lists, type Lists } from "./lists.ts";
import { looksRandom } from "./random-looking.ts";
import { reasonsFor, type Findings } from "./reasons.ts";
import type { Verification } from "./record.ts";
import { meantDomain } from "./typo.ts";

/**
 * Takes an address as `parseAddress` answers it. It is valid if its domain exists and takes mail; what kind of domain it is, a
 * likely misspelling and a local part of noise are told but make nothing invalid (interface-gaps.md §8). No name server's
 * silence is an error: then it is not valid, and `reasons` says that it could not be checked.
 */
export async function verifyAddress(ask: Ask, email: string): Promise<Verification> {
  const facts = await domainFacts(ask, domainOf(email));
  const found = findings(email, facts, lists());
  return { ...found, reasons: reasonsFor(found, facts) };
}

function findings(email: string, facts: DomainFacts, known: Lists): Findings {
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
