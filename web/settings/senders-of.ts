// Addresses that may send, in order of preference.

type SenderDomain = { readonly domain: string; readonly verified: boolean; readonly forced: boolean };

export const LOCAL_PART = "hello";
/** The domain of installations that only capture email. */
export const DEMO_DOMAIN = "example.test";

/**
 * The brand's address comes first, then those of the newest domains. Forced domains come after verified ones, the demo
 * domain is last. `domains`: oldest first.
 */
export function sendersOf(domains: readonly SenderDomain[], brand: string | null): string[] {
  const usable = domains.filter(({ verified }) => verified).reverse();
  const ranked = usable.toSorted((one, other) => rankOf(one) - rankOf(other));
  const addresses = ranked.map(({ domain }) => `${LOCAL_PART}@${domain}`);
  const isVerified = brand !== null && usable.some(({ domain }) => domain === domainIn(brand));
  return isVerified ? [brand, ...addresses.filter((one) => one !== brand)] : addresses;
}

function rankOf({ domain, forced }: SenderDomain): number {
  if (domain === DEMO_DOMAIN) return 2;
  return forced ? 1 : 0;
}

/** The domain of `ada@example.com` or `Ada <ada@example.com>`. */
export function domainIn(address: string): string {
  const bare = /<([^<>]+)>\s*$/.exec(address)?.[1] ?? address;
  return bare
    .slice(bare.lastIndexOf("@") + 1)
    .trim()
    .toLowerCase();
}
