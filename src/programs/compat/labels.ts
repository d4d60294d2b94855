// Tags and metadata of other services, as ours: labels that do not fit are changed or left out, with a warning. No
// email is refused because of its labels.
import { LONGEST_NAME, LONGEST_VALUE, MOST_KEYS, MOST_METADATA_BYTES, MOST_TAGS } from "../../base/labels.ts";
import { textIn, type JsonFields } from "./fields.ts";

/** `said`: for X-Posthorn-Warning. */
type LabelFit<Labels> = { readonly labels: Labels; readonly said: readonly string[] };

/** Ours are `name` or `name:value`. */
export function tagsFrom(given: readonly string[]): LabelFit<string[] | undefined> {
  const made = given.map((tag) => [tag, tagOf(tag)] as const);
  const tags = [...new Set(made.flatMap(([, tag]) => tag ?? []))];
  const changed = made.flatMap(([from, to]) => saidOf("tag", from, to));
  const beyond = tags.slice(MOST_TAGS);
  const tooMany = beyond.length === 0 ? [] : [`An email has at most ${MOST_TAGS} tags, left out: ${inFew(beyond)}.`];
  return { labels: tags.length === 0 ? undefined : tags.slice(0, MOST_TAGS), said: [...changed, ...tooMany] };
}

function tagOf(tag: string): string | null {
  const colon = tag.indexOf(":");
  if (colon === -1) return labelName(tag);
  const [name, value] = [labelName(tag.slice(0, colon)), labelName(tag.slice(colon + 1))];
  return name === null || value === null ? (name ?? value) : `${name}:${value}`;
}

/** Letters without their marks, and `-` for characters that a name cannot have; null = nothing is left. */
function labelName(text: string): string | null {
  const plain = text
    .slice(0, LONGEST_LOOKED_AT)
    .replaceAll("ß", "ss")
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "");
  const name = plain
    .trim()
    .replace(/[^\w.-]+/g, "-")
    .slice(0, LONGEST_NAME);
  return /[A-Za-z0-9]/.test(name) ? name : null;
}

/** The length up to which a text is made into a name. */
const LONGEST_LOOKED_AT = 1_000;

/** @throws AppError VALIDATION_ERROR on `field` for a value that is no text, number or flag */
export function metadataFrom(field: string, given: JsonFields): LabelFit<Record<string, string> | undefined> {
  const metadata: Record<string, string> = {};
  const said: string[] = [];
  let bytes = 0;
  for (const [from, value] of Object.entries(given)) {
    if (value === null || value === undefined) continue;
    const key = labelName(from);
    const text = textIn(`${field}.${from.slice(0, LONGEST_NAME)}`, value);
    const cut = text.slice(0, LONGEST_VALUE).toWellFormed();
    said.push(...saidOf("key", from, key));
    if (text !== cut) said.push(`Of ${quotedText(from)} only the first ${LONGEST_VALUE} characters are kept.`);
    if (key === null) continue;
    bytes += Buffer.byteLength(JSON.stringify([key, cut])) + 1;
    const isBeyond = Object.keys(metadata).length === MOST_KEYS || bytes > MOST_METADATA_BYTES;
    if (isBeyond || Object.hasOwn(metadata, key))
      said.push(`Metadata that does not fit was left out: ${quotedText(from)}.`);
    else metadata[key] = cut;
  }
  return { labels: Object.keys(metadata).length === 0 ? undefined : metadata, said };
}

function saidOf(what: "tag" | "key", from: string, to: string | null): string[] {
  if (from === to || from.trim() === "") return [];
  if (to === null) return [`The ${what} ${quotedText(from)} has no letters that one can have here, and was left out.`];
  return [`The ${what} ${quotedText(from)} is ${to} here.`];
}

const MOST_SHOWN = 5;
const LONGEST_SHOWN = 40;

function inFew(tags: readonly string[]): string {
  return tags.slice(0, MOST_SHOWN).map(quotedText).join(", ") + (tags.length > MOST_SHOWN ? " and others" : "");
}

function quotedText(text: string): string {
  return `"${text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}...` : text}"`;
}
