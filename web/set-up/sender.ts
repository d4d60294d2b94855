// An address to send from: the brand's, else one of a domain that may.
import { useQuery } from "@tanstack/react-query";
import type { components } from "../api.gen.ts";
import { brandQuery } from "../brand/calls.ts";
import { domainsQuery } from "./domains/calls.ts";

type Domain = Pick<components["schemas"]["Domain"], "domain" | "verified">;

const LOCAL_PART = "hello";
/** With which an installation begins that only captures mail. */
const DEMO_DOMAIN = "example.test";

/** The best first: the brand's own, then of the newest domain; the demo domain is the last resort. `domains`: the oldest first. */
export function sendersOf(domains: readonly Domain[], brand: string | null): string[] {
  const may = domains.flatMap(({ domain, verified }) => (verified ? [domain] : [])).reverse();
  const own = may.filter((domain) => domain !== DEMO_DOMAIN);
  const addresses = [...own, ...may.filter((domain) => domain === DEMO_DOMAIN)].map((one) => `${LOCAL_PART}@${one}`);
  const isVerified = brand !== null && may.includes(brand.slice(brand.lastIndexOf("@") + 1).toLowerCase());
  return isVerified ? [brand, ...addresses.filter((one) => one !== brand)] : addresses;
}

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
