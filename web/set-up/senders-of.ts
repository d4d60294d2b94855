// Which addresses may be sent from, the best first.

type Domain = { readonly domain: string; readonly verified: boolean };

export const LOCAL_PART = "hello";
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
