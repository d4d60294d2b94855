// Which addresses reach the same mailbox: what providers ignore in an address.

type MailboxRule = { readonly dots: boolean; readonly as?: string };
const PLUS: MailboxRule = { dots: false };

/** Providers that deliver `name+anything@` to `name@`, as each of them publishes; `as`: the domain that it is the same at. */
const IGNORING: Readonly<Record<string, MailboxRule>> = {
  // Google ignores dots as well, and has one mailbox for both domains.
  "gmail.com": { dots: true, as: "gmail.com" },
  "googlemail.com": { dots: true, as: "gmail.com" },
  // Microsoft
  "outlook.com": PLUS,
  "hotmail.com": PLUS,
  "live.com": PLUS,
  // Apple has one mailbox for all three.
  "icloud.com": { dots: false, as: "icloud.com" },
  "me.com": { dots: false, as: "icloud.com" },
  "mac.com": { dots: false, as: "icloud.com" },
  "fastmail.com": PLUS,
  "fastmail.fm": PLUS,
  // Proton ignores dots, and has one mailbox for its domains.
  "proton.me": { dots: true, as: "proton.me" },
  "protonmail.com": { dots: true, as: "proton.me" },
  "pm.me": { dots: true, as: "proton.me" },
};

/** The address that reaches the same mailbox, as it would be written shortest. */
export function canonical(address: string): string {
  const lower = address.toLowerCase();
  const at = lower.lastIndexOf("@");
  const [name, domain] = [lower.slice(0, at), lower.slice(at + 1)];
  const ignoring = IGNORING[domain];
  if (!ignoring) return lower;
  const tagless = name.replace(/\+.*$/s, "");
  return `${ignoring.dots ? tagless.replaceAll(".", "") : tagless}@${ignoring.as ?? domain}`;
}

/** The provider of the domain ignores parts of an address. */
export function ignoresParts(domain: string): boolean {
  return IGNORING[domain] !== undefined;
}
