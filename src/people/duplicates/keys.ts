// By what two contacts may be the same person: the address without what a provider ignores in it, or the same name at a company.
import { namePart } from "../../contacts/name-fields.ts";
import { bare } from "../../store/folded.ts";
import { isUnder, lists } from "../../verify/lists.ts";

export type Reason = "address" | "name";
export type Key = { readonly reason: Reason; readonly text: string };

type Ignoring = { readonly dots: boolean; readonly as?: string };
const PLUS: Ignoring = { dots: false };

/** Providers that deliver `name+anything@` to `name@`, as each of them publishes; `as`: the domain that it is the same at. */
const IGNORING: Readonly<Record<string, Ignoring>> = {
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

/** Everybody may have an address there: one name is many people. */
function isOfProvider(domain: string): boolean {
  const { personal, disposable, forwarding } = lists();
  return IGNORING[domain] !== undefined || [personal, disposable, forwarding].some((set) => isUnder(set, domain));
}

/** A name of one word is too common. */
function fullName(data: Readonly<Record<string, unknown>>): string | null {
  const parts = [namePart(data, "first"), namePart(data, "last")].filter((part) => part !== null);
  const name = bare(namePart(data, "full") ?? parts.join(" "))
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
  return name.includes(" ") ? name : null;
}

export function keysOf({
  email,
  data,
}: {
  readonly email: string;
  readonly data: Readonly<Record<string, unknown>>;
}): Key[] {
  const keys: Key[] = [{ text: canonical(email), reason: "address" }];
  const domain = email.slice(email.lastIndexOf("@") + 1).toLowerCase();
  const name = fullName(data);
  if (name !== null && !isOfProvider(domain)) keys.push({ text: `${name}@${domain}`, reason: "name" });
  return keys;
}

/** As a number that an array holds without loss. */
export function hashOf({ reason, text }: Key): number {
  return Number(BigInt(Bun.hash(`${reason} ${text}`)) & 0x1f_ffff_ffff_ffffn);
}
