// The addresses that may send, best first.

type SenderDomain = { readonly domain: string; readonly verified: boolean; readonly forced: boolean };

export const LOCAL_PART = "hello";
/** The domain of installations that only capture email. */
export const DEMO_DOMAIN = "example.test";

/**
 * The best first: the brand's own, then of the newest domain. Those that nobody has checked come after those that were,
 * and the demo domain is the last resort. `domains`: the oldest first.
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

/** Of `ada@example.com` or `Ada <ada@example.com>`. */
export function domainIn(address: string): string {
  const bare = /<([^<>]+)>\s*$/.exec(address)?.[1] ?? address;
  return bare
    .slice(bare.lastIndexOf("@") + 1)
    .trim()
    .toLowerCase();
}
