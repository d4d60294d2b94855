// The site of passkeys: the host and the origin in base_url. A passkey of one host is of no use on another.
export type Site = { readonly host: string; readonly origin: string };

/** `reason`: why browsers would refuse, in words. */
export type PasskeyOffer =
  { readonly site: Site; readonly reason: null } | { readonly site: null; readonly reason: string };

export function offerOf(baseUrl: string): PasskeyOffer {
  const { protocol, hostname, origin } = new URL(baseUrl);
  const isLocal = /(^|\.)localhost$/.test(hostname);
  if (/^[\d.]+$|^\[/.test(hostname)) return noOffer(baseUrl, "a host name, not an IP address");
  if (protocol !== "https:" && !isLocal) return noOffer(baseUrl, "https");
  return { site: { host: hostname, origin }, reason: null };
}

function noOffer(baseUrl: string, need: string): PasskeyOffer {
  return { site: null, reason: `Passkeys need ${need} in base_url, which is ${baseUrl}.` };
}
