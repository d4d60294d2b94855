// E-mail addresses: the one grammar for all input, strict where mail programs disagree.
import { domainToASCII } from "node:url";

/** An address as `parseAddress` answers it, and the name to show beside it. */
export type Mailbox = { readonly address: string; readonly name: string | null };

// RFC 5321 §4.5.3.1: 64 octets for the local part; 256 for a path, two of which are its angle brackets.
const MAX_LOCAL_BYTES = 64;
const MAX_ADDRESS_BYTES = 254;
const MAX_DOMAIN_BYTES = 253;
const MAX_NAME_CHARS = 255;
const MAX_MAILBOX_CHARS = 1000;

const UNPRINTABLE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u;
// Two addresses that look alike must not be two addresses: soft hyphens, fillers, joiners, the empty Braille cell.
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\u2800]/u;

// atext of RFC 5322 §3.2.3; beyond ASCII (RFC 6531), letters, marks, numbers and symbols such as emojis.
const ATEXT = "[a-z0-9!#$%&'*+/=?^_`{|}~\\p{L}\\p{M}\\p{N}\\p{So}-]";
const DOT_ATOM = new RegExp(`^${ATEXT}+(?:\\.${ATEXT}+)*$`, "u");
// Quotes may hold nothing but dots in odd places: mail programs disagree about an @, a space or a bracket in quotes.
const QUOTED_DOTS = new RegExp(`^"((?:${ATEXT}|\\.)+)"$`, "u");

const DOMAIN_CHARACTERS = /^[\p{L}\p{M}\p{N}.-]+$/u;
/**
 * Names that are ASCII as they are, which most are. Names with `xn--`, and names that end like an IP address, are left
 * to the system.
 */
const PLAIN_DOMAIN = /^(?!.*xn--)(?:[a-z0-9-]+\.)+[a-z][a-z0-9-]*$/;
/** The form that most addresses have, as it is stored. */
const PLAIN =
  /^[a-z0-9_+-]+(?:\.[a-z0-9_+-]+)*@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const ASCII = /^[\x00-\x7f]*$/;
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

const QUOTED_NAME = /^"((?:[^"\\]|\\.)*)"$/u;
// Specials of RFC 5322 §3.2.3 except the dot: lists, groups, comments and routes are written with them.
const NAME_WITH_SPECIALS = /["(),:;<>@[\\\]]/;

/**
 * Reads one address (RFC 5321 §4.1.2, RFC 6531 §3.3). Answers the form that is stored and compared: lower case, the
 * domain in ASCII, no needless quotes; null if mail cannot be sent to it.
 */
export function parseAddress(text: string): string | null {
  if (text.length <= MAX_LOCAL_BYTES && PLAIN.test(text) && !text.includes("xn--")) return text;
  const trimmed = text.trim();
  if (UNPRINTABLE.test(text) || INVISIBLE.test(trimmed)) return null;
  const [local = "", domain = "", ...rest] = trimmed.split("@", 3);
  if (rest.length > 0 || local.length > MAX_LOCAL_BYTES || domain.length > MAX_DOMAIN_BYTES + 1) return null;
  const user = parseLocalPart(local);
  const host = parseDomain(domain);
  if (user === null || host === null) return null;
  const address = `${user}@${host}`;
  return Buffer.byteLength(address) <= MAX_ADDRESS_BYTES ? address : null;
}

/**
 * Reads `plain@address`, `Display Name <address>` or `"Quoted, Name" <address>` (RFC 5322 §3.4, one mailbox, no
 * comments); null if it is anything else. A name with specials must be quoted.
 */
export function parseMailbox(text: string): Mailbox | null {
  if (text.length > MAX_MAILBOX_CHARS || UNPRINTABLE.test(text)) return null;
  const trimmed = text.trim();
  const open = trimmed.lastIndexOf("<");
  const bracketed = open >= 0 && trimmed.endsWith(">");
  const address = parseAddress(bracketed ? trimmed.slice(open + 1, -1) : trimmed);
  const name = bracketed ? parseName(trimmed.slice(0, open).trim()) : "";
  if (address === null || name === null || !isDisplayName(name)) return null;
  return { address, name: name === "" ? null : name };
}

/** A mailbox as one text, in the form that `parseMailbox` reads. */
export function mailboxText({ address, name }: Mailbox): string {
  if (name === null) return address;
  const isPlain = !NAME_WITH_SPECIALS.test(name) && name === name.trim();
  return `${isPlain ? name : `"${name.replace(/["\\]/g, "\\$&")}"`} <${address}>`;
}

/** A name without the one pair of quotes that may stand round it, as in a header field. */
export function withoutQuotes(name: string): string {
  return (unquoted(name.trim()) ?? name).trim();
}

/** Whether a name can stand beside an address: at most 255 characters, nothing that ends a line or cannot be shown. */
export function isDisplayName(name: string): boolean {
  return name.length <= MAX_NAME_CHARS && !UNPRINTABLE.test(name);
}

/**
 * Reads a domain as `parseAddress` reads that of an address: lower case, in ASCII (RFC 5890), without a dot at its end;
 * null if it is not a domain.
 */
export function parseDomainName(text: string): string | null {
  const trimmed = text.trim();
  return UNPRINTABLE.test(trimmed) || INVISIBLE.test(trimmed) ? null : parseDomain(trimmed);
}

export function isAscii(text: string): boolean {
  return ASCII.test(text);
}

/** The part after the last @, `example.com` of `someone@example.com`. */
export function domainOf(address: string): string {
  return address.slice(address.lastIndexOf("@") + 1);
}

/**
 * The text to search for within stored addresses: `text` in lower case, with a whole domain behind its @ in ASCII
 * (`b@münchen.example`). An incomplete domain, as in `b@mün`, stays as it is.
 */
export function soughtInAddresses(text: string): string {
  const sought = text.trim().toLowerCase();
  const domainAt = sought.lastIndexOf("@") + 1;
  const domain = sought.slice(domainAt);
  return domainAt === 0 || isAscii(domain) ? sought : sought.slice(0, domainAt) + (parseDomainName(domain) ?? domain);
}

function parseLocalPart(text: string): string | null {
  if (!isSettled(text)) return null;
  const local = text.toLowerCase();
  if (Buffer.byteLength(local) > MAX_LOCAL_BYTES) return null;
  if (DOT_ATOM.test(local)) return local;
  const content = QUOTED_DOTS.exec(local)?.[1];
  if (content === undefined) return null;
  return DOT_ATOM.test(content) ? content : local;
}

function parseDomain(text: string): string | null {
  const name = text.endsWith(".") ? text.slice(0, -1) : text;
  if (!DOMAIN_CHARACTERS.test(name) || !isSettled(name)) return null;
  const lower = name.toLowerCase();
  const ascii = PLAIN_DOMAIN.test(lower) ? lower : domainToASCII(lower);
  return isHostName(ascii) ? ascii : null;
}

// Characters that are only another spelling of others (wide letters, ligatures, the Kelvin sign) could make two readers
// see two domains in one address.
function isSettled(text: string): boolean {
  return isAscii(text) || text.normalize("NFKC") === text;
}

function isHostName(domain: string): boolean {
  const labels = domain.split(".");
  if (labels.length < 2 || domain.length > MAX_DOMAIN_BYTES) return false;
  return labels.every((label) => LABEL.test(label)) && !/^\d+$/.test(labels.at(-1) ?? "");
}

function parseName(text: string): string | null {
  return unquoted(text)?.trim() ?? (NAME_WITH_SPECIALS.test(text) ? null : text);
}

/** The text in quotes; null if there are none. */
function unquoted(text: string): string | null {
  return QUOTED_NAME.exec(text)?.[1]?.replace(/\\(.)/gu, "$1") ?? null;
}

/** Whether one of the addresses, in their stored form, stands in a text by itself, not as a part of a longer one. */
export function namesOneOf(text: string, emails: readonly string[]): boolean {
  const lower = text.toLowerCase();
  return lower.includes("@") && emails.some((email) => names(lower, email));
}

function names(text: string, email: string): boolean {
  const parts = text.split(email);
  return parts.slice(1).some((after, index) => !/[\w.+-]$/.test(parts[index] as string) && !/^(\.?[\w-])/.test(after));
}
