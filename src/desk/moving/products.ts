// The products that can be moved from, and where each is.
import { SourceError } from "./calls.ts";
import type { MoveSource } from "./source.ts";
import { BREVO } from "./sources/brevo.ts";
import { GHOST } from "./sources/ghost.ts";
import { LISTMONK } from "./sources/listmonk.ts";
import { MAILCHIMP } from "./sources/mailchimp.ts";
import { PLUNK } from "./sources/plunk.ts";
import { RESEND } from "./sources/resend.ts";

export const PRODUCTS = {
  listmonk: LISTMONK,
  plunk: PLUNK,
  mailchimp: MAILCHIMP,
  brevo: BREVO,
  resend: RESEND,
  ghost: GHOST,
} as const satisfies Readonly<Record<string, MoveSource>>;

export type ProductName = keyof typeof PRODUCTS;
export const PRODUCT_NAMES = Object.keys(PRODUCTS) as ProductName[];

/** Where the product's API is, without a slash at its end. `given`: null = its own. @throws SourceError */
export function addressOf({ title, baseUrl }: MoveSource, key: string, given: string | null): string {
  const address = given ?? baseUrl(key);
  if (address === null) throw new SourceError("baseUrl", `Where is your ${title}? Its address is needed.`);
  const at = URL.parse(address);
  if (at && /^https?:$/.test(at.protocol) && !at.username && !at.password && !at.search && !at.hash)
    return at.href.replace(/\/+$/, "");
  throw new SourceError("baseUrl", "The address begins with http:// or https://, such as https://lists.example.com.");
}

/** A key that can stand in a header field. */
export function isKey(key: string): boolean {
  return /^[\x21-\x7e]+$/.test(key);
}
