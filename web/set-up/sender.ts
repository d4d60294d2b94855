// An address to send from: the brand's, else one of a domain that may.
import { useQuery } from "@tanstack/react-query";
import { brandQuery } from "../brand/calls.ts";
import { domainsQuery } from "./domains/calls.ts";
import { conditionOf, type Condition } from "./domains/state.ts";
import { domainIn, LOCAL_PART, sendersOf } from "./senders-of.ts";

/** Undefined while nobody knows; empty where nothing may be sent. `among`: the only domains that count. */
export function useSenders(among?: readonly string[] | null): readonly string[] | undefined {
  const { data: domains } = useQuery({ ...domainsQuery, throwOnError: false });
  const { data: brand, isPending } = useQuery({ ...brandQuery, throwOnError: false });
  if (!domains || isPending) return undefined;
  const those = among ? domains.filter(({ domain }) => among.includes(domain)) : domains;
  return sendersOf(those, brand?.from ?? null);
}

/** For a call that is only shown, where nothing may be sent yet. */
export const NO_SENDER = `${LOCAL_PART}@your-domain.example`;

/** How the domain of an address is: null where the workspace does not have it; undefined while nobody knows. */
export function useCondition(): (address: string) => Condition | null | undefined {
  const { data: domains } = useQuery({ ...domainsQuery, throwOnError: false });
  return (address) => {
    const domain = domains?.find((one) => one.domain === domainIn(address));
    return domains && (domain ? conditionOf(domain) : null);
  };
}
