// The search text of a contact: the address, the names, and the fields of data that the workspace chose.
import { soughtInAddresses } from "../../../base/addresses.ts";
import { bare } from "../../../store/folded.ts";
import { holdsNames, isNameField, type NameKind } from "./name-fields.ts";
import type { Variables } from "../data.ts";

const MAX_VALUE_CHARS = 100;
const MAX_CHARS = 500;
const MAX_WORDS = 8;

/**
 * `fields`: keys of data that the workspace chose. Each value is a line with its end: a search word never spans two
 * lines, and any two characters are followed by a third.
 */
export function soughtOf(email: string, data: Variables, fields: readonly string[]): string {
  const keys = Object.keys(data).filter((key) => fields.includes(key) || isNameField(key));
  const texts = keys.flatMap((key) => searchableText(data[key]));
  return bare(`${[email, ...texts].join("\n").slice(0, MAX_CHARS)}\n`);
}

function searchableText(value: unknown): string | [] {
  if (typeof value === "number") return String(value);
  return typeof value === "string" && value !== "" ? value.slice(0, MAX_VALUE_CHARS).replace(/\s+/g, " ") : [];
}

/** The name of a contact: the full name, or its parts in order; null = its data has no name. */
export function personName(data: Variables): string | null {
  const textIn = (kind: NameKind) =>
    Object.keys(data).flatMap((key) => (holdsNames(key, kind) ? searchableText(data[key]) : []))[0];
  const parts = [textIn("first"), textIn("last")].filter((text) => text !== undefined);
  return textIn("full") ?? (parts.length > 0 ? parts.join(" ") : null);
}

/** The words of a search; a contact must contain all of them. */
export function soughtWords(text: string): readonly string[] {
  const words = text.split(/\s+/).filter((word) => word !== "");
  return [...new Set(words.slice(0, MAX_WORDS).map((word) => bare(soughtInAddresses(word))))];
}
