// One plain sentence for each thing that a verification found.
import { domainOf } from "../addresses.ts";
import type { DomainFacts } from "./domain-facts.ts";
import type { Verification } from "./record.ts";

export type Findings = Omit<Verification, "reasons">;

/** What makes the address invalid comes first. Never empty: an address with nothing to say of it appears to be valid. */
export function reasonsFor(found: Findings, { delivery, hasWebsite }: DomainFacts): string[] {
  const domain = domainOf(found.email);
  const sentences: readonly (readonly [holds: boolean, sentence: string])[] = [
    [delivery === "unknown", `The domain ${domain} could not be checked: the name servers gave no answer.`],
    [delivery === "unasked", `The domain ${domain} could not be checked in time: too much was to be asked at once.`],
    [delivery === "none" && !found.domainExists, `The domain ${domain} does not exist.`],
    [delivery === "none" && found.domainExists, `The domain ${domain} has neither MX records nor an address for mail.`],
    [delivery === "refused", `The domain ${domain} accepts no mail: it says so by a null MX record.`],
    [delivery === "address", `The domain ${domain} has no MX records; mail goes to its address record.`],
    [
      found.suggestedEmail !== undefined,
      `The domain looks misspelled: ${domainOf(found.suggestedEmail ?? "")} may be meant.`,
    ],
    [found.isDisposable, `The domain ${domain} belongs to a disposable e-mail service.`],
    [found.isAlias, `The domain ${domain} belongs to a service that forwards to another address.`],
    [found.isPersonalEmail, `The domain ${domain} is a provider of personal mailboxes.`],
    [found.isPlusAddressed, "The part before the @ carries a tag after a plus sign."],
    [found.isRandomInput, "The part before the @ looks machine-made."],
    [found.domainExists && hasWebsite === false, `The domain ${domain} has no website.`],
  ];
  const reasons = sentences.filter(([holds]) => holds).map(([, sentence]) => sentence);
  return reasons.length > 0 ? reasons : ["Email appears to be valid."];
}
