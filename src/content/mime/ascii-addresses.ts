// To, Cc and other address fields in ASCII, token by token (RFC 2047 §5): groups, comments and quotes are preserved.
import { isAscii, parseAddress } from "../../base/addresses.ts";
import { addressTokens, inside, type AddressToken } from "./address-tokens.ts";
import { decodedWords } from "./encoded-words.ts";
import { encodedWords, mailboxText, oneLine } from "./header-field.ts";

/** Null if the value cannot be parsed, or has no form in ASCII. `value` is one line. */
export function asciiAddresses(value: string): string | null {
  const tokens = addressTokens(value);
  if (tokens === null) return null;
  let written = "";
  let inGroup = false;
  for (const { parts, end } of elementsOf(tokens)) {
    const text = end === ":" ? phrase(parts) : mailbox(parts, inGroup);
    if (text === null) return null;
    written += text === "" ? end : ` ${text}${end}`;
    if (end === ":" || end === ";") inGroup = end === ":";
  }
  return written.trim();
}

/** True if one of the addresses has no form in ASCII. */
export function hasForeignAddress(value: string): boolean {
  const addresses = elementsOf(addressTokens(value) ?? []).map(({ parts }) => addressIn(parts));
  return addresses.some((address) => address !== null && !isAscii(address));
}

/** The tokens between two separators, and the separator after them; "" = the end. */
type AddressElement = { readonly parts: readonly AddressToken[]; readonly end: string };

function elementsOf(tokens: readonly AddressToken[]): AddressElement[] {
  const elements: AddressElement[] = [];
  let parts: AddressToken[] = [];
  for (const token of tokens) {
    if (token.kind !== "separator") parts.push(token);
    else elements.push({ parts: parts.splice(0), end: token.text });
  }
  return [...elements, { parts, end: "" }];
}

function mailbox(parts: readonly AddressToken[], inGroup: boolean): string | null {
  if (isAscii(rawOf(parts))) return rawOf(parts);
  const at = parts.findIndex(({ kind }) => kind === "angle");
  if (at < 0) return bareMailbox(parts, inGroup);
  const behind = parts.slice(at + 1).filter(({ kind }) => kind !== "space");
  const address = addressIn(parts);
  if (address === null || behind.some(({ kind }) => kind !== "comment")) return null;
  const shown = isAscii(address) ? [phrase(parts.slice(0, at)), `<${address}>`] : [foreign(address, parts, inGroup)];
  return joined([...shown, ...behind.map(comment)]);
}

/** An address without brackets, perhaps with comments around it. */
function bareMailbox(parts: readonly AddressToken[], inGroup: boolean): string | null {
  const comments = parts.filter(({ kind }) => kind === "comment");
  const address = addressIn(parts);
  if (address === null) return null;
  return joined([isAscii(address) ? address : foreign(address, [], inGroup), ...comments.map(comment)]);
}

/** The address in brackets, or a bare one, perhaps with comments around it. */
function addressIn(parts: readonly AddressToken[]): string | null {
  const angle = parts.find(({ kind }) => kind === "angle");
  return asciiAddress(angle?.text.slice(1, -1) ?? rawOf(parts.filter(({ kind }) => kind !== "comment")));
}

/** An ASCII address stays as it is; others are normalized by our parser. */
function asciiAddress(text: string): string | null {
  return isAscii(text) ? text : parseAddress(text);
}

/** RFC 6857 writes such an address as a group, and groups cannot be nested. */
function foreign(address: string, parts: readonly AddressToken[], inGroup: boolean): string | null {
  const name = shownBy(parts.filter(({ kind }) => kind === "text" || kind === "quoted" || kind === "space"));
  return inGroup ? null : mailboxText({ address, name });
}

/** A display name. Words are encoded together, because spaces between encoded words are lost; comments separately. */
function phrase(parts: readonly AddressToken[]): string | null {
  const written: string[] = [];
  let words: AddressToken[] = [];
  const flush = () => {
    const run = words.splice(0);
    written.push(isAscii(rawOf(run)) ? rawOf(run) : encodedWords(shownBy(run)));
  };
  for (const part of parts) {
    if (part.kind === "angle") return null;
    if (part.kind !== "comment") words.push(part);
    else {
      flush();
      written.push(comment(part));
    }
  }
  flush();
  return joined(written);
}

function comment(token: AddressToken): string {
  return isAscii(token.text) ? token.text : `(${encodedWords(oneLine(decodedWords(inside(token))))})`;
}

function shownBy(words: readonly AddressToken[]): string {
  return oneLine(decodedWords(words.map((word) => (word.kind === "quoted" ? inside(word) : word.text)).join("")));
}

function joined(texts: readonly (string | null)[]): string | null {
  return texts.includes(null) ? null : texts.filter((text) => text !== "").join(" ");
}

function rawOf(parts: readonly AddressToken[]): string {
  return parts
    .map(({ text }) => text)
    .join("")
    .trim();
}
