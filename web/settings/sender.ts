// A default sender: the brand's, otherwise an address of a verified domain.
import { useQuery } from "@tanstack/react-query";
import { brandQuery } from "../brand/calls.ts";
import { queries } from "../calls/queries.ts";
import { domainsQuery } from "./domains/calls.ts";
import { conditionOf, type DomainCondition } from "./domains/state.ts";
import { domainIn, LOCAL_PART, sendersOf } from "./senders-of.ts";

/** Undefined while loading; empty if no domain is verified. `among`: restricts the domains. */
export function useSenders(among?: readonly string[] | null): readonly string[] | undefined {
  const { data: domains } = useQuery({ ...domainsQuery, throwOnError: false });
  const { data: brand, isPending } = useQuery({ ...brandQuery, throwOnError: false });
  if (!domains || isPending) return undefined;
  const those = among ? domains.filter(({ domain }) => among.includes(domain)) : domains;
  return sendersOf(those, brand?.from ?? null);
}

/** For actions that need the senders. A brand that cannot be loaded is ignored. */
export async function loadSenders(): Promise<readonly string[]> {
  const [domains, brand] = await Promise.all([
    queries.ensureQueryData(domainsQuery),
    queries.ensureQueryData(brandQuery).catch(() => null),
  ]);
  return sendersOf(domains, brand?.from ?? null);
}

/** A placeholder for sample calls while no domain is verified. */
export const NO_SENDER = `${LOCAL_PART}@your-domain.example`;

/** The status of an address's domain: null if unknown to the workspace, undefined while loading. */
export function useDomainState(): (address: string) => DomainCondition | null | undefined {
  const { data: domains } = useQuery({ ...domainsQuery, throwOnError: false });
  return (address) => {
    const domain = domains?.find((one) => one.domain === domainIn(address));
    return domains && (domain ? conditionOf(domain) : null);
  };
}
