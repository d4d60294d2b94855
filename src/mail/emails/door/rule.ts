// The rule that decides by which ways a mail leaves.
import { domainOf } from "../../../base/addresses.ts";
import { providerOf } from "../../statistics/providers.ts";
import { ruleFor } from "../../../ground/ways/rule.ts";

type RuleSubject = { readonly fromAddress: string; readonly tags: string | null; readonly isMarketing: boolean };

/** The number of the rule for a mail to `address`; null = none. */
export function ruleOf(
  { wayRules }: { readonly wayRules: string | null },
  address: string,
  { fromAddress, tags, isMarketing }: RuleSubject,
): number | null {
  return ruleFor(wayRules, {
    domain: domainOf(fromAddress),
    kind: isMarketing ? "MARKETING" : "TRANSACTIONAL",
    tags,
    provider: () => providerOf(domainOf(address)),
  });
}
