// The keys by which two contacts may be the same person: the address without the parts that a provider ignores, or the
// same name at a company.
import { namePart } from "../../../audience/contacts/search/name-fields.ts";
import { canonical, ignoresParts } from "../../../audience/contacts/sign-up/mailbox.ts";
import { bare } from "../../../store/folded.ts";
import { isUnder, lists } from "../../../mail/verify/lists.ts";

export type DuplicateReason = "address" | "name";
export type DuplicateKey = { readonly reason: DuplicateReason; readonly text: string };

/** Addresses there are open to anyone: one name is many people. */
function isOfProvider(domain: string): boolean {
  const { personal, disposable, forwarding } = lists();
  return ignoresParts(domain) || [personal, disposable, forwarding].some((set) => isUnder(set, domain));
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
}): DuplicateKey[] {
  const keys: DuplicateKey[] = [{ text: canonical(email), reason: "address" }];
  const domain = email.slice(email.lastIndexOf("@") + 1).toLowerCase();
  const name = fullName(data);
  if (name !== null && !isOfProvider(domain)) keys.push({ text: `${name}@${domain}`, reason: "name" });
  return keys;
}

/** The hash as a number that an array holds without loss. */
export function hashOf({ reason, text }: DuplicateKey): number {
  return Number(BigInt(Bun.hash(`${reason} ${text}`)) & 0x1f_ffff_ffff_ffffn);
}
