// Addresses of the same mailbox: the parts of an address that providers ignore.

type MailboxRule = { readonly dots: boolean; readonly as?: string };
const PLUS: MailboxRule = { dots: false };

/** Providers that say they deliver `name+anything@` to `name@`; `as`: the domain whose mailboxes they share. */
const IGNORING: Readonly<Record<string, MailboxRule>> = {
  // Google also ignores dots, and has one mailbox for both domains.
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
  // Proton also ignores dots, and has one mailbox for its domains.
  "proton.me": { dots: true, as: "proton.me" },
  "protonmail.com": { dots: true, as: "proton.me" },
  "pm.me": { dots: true, as: "proton.me" },
};

/** The shortest address of the same mailbox. */
export function canonical(address: string): string {
  const lower = address.toLowerCase();
  const at = lower.lastIndexOf("@");
  const [name, domain] = [lower.slice(0, at), lower.slice(at + 1)];
  const ignoring = IGNORING[domain];
  if (!ignoring) return lower;
  const tagless = name.replace(/\+.*$/s, "");
  return `${ignoring.dots ? tagless.replaceAll(".", "") : tagless}@${ignoring.as ?? domain}`;
}

/** True if the provider of the domain ignores parts of an address. */
export function ignoresParts(domain: string): boolean {
  return IGNORING[domain] !== undefined;
}
