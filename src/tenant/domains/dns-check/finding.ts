// The finding of a check of one DNS record, in words for the person who has to correct it.
import { DnsError, type Resolver } from "../../../base/dns.ts";
import { problemOf, type DnsProblem, type DnsProblemCode } from "./problems.ts";

/** `UNKNOWN`: not checked yet, or the name servers did not answer. */
type FindingState = "OK" | "MISSING" | "WRONG" | "UNKNOWN";

/** `problem`: null if none, or before the first check; beside `OK` a hint. */
export type DnsFinding = {
  readonly state: FindingState;
  readonly problem: string | null;
  /** The code of the problem; absent if the problem is in another service's words. */
  readonly code?: DnsProblemCode;
  readonly values?: DnsProblem["values"];
  /** The existing values of its kind: texts of TXT records, hosts of MX records. */
  readonly found?: readonly string[];
  /** The check that first found this state; absent before the first check. */
  readonly since?: string;
  /** It was in order when it was last known (losses.ts). */
  readonly stood?: boolean;
  /** The record was in order, and has not been since that check. */
  readonly lostSince?: string;
};

export const OK: DnsFinding = { state: "OK", problem: null };
export const NOT_LOOKED: DnsFinding = { state: "UNKNOWN", problem: null };

/** The longest foreign text that is repeated. */
const MAX_QUOTED_CHARS = 600;

export function wrong(code: DnsProblemCode, values: DnsProblem["values"] = {}): DnsFinding {
  return { state: "WRONG", ...problemOf(code, values) };
}

export function missing(code: DnsProblemCode, values: DnsProblem["values"] = {}): DnsFinding {
  return { state: "MISSING", ...problemOf(code, values) };
}

/** A failed DNS lookup says nothing of the record. */
export async function unlessUnknown(look: Promise<DnsFinding>): Promise<DnsFinding> {
  try {
    return await look;
  } catch (error) {
    if (error instanceof DnsError) return { state: "UNKNOWN", problem: error.message };
    throw error;
  }
}

/** A foreign text, fit to be shown: on one line and not too long. */
export function quoted(text: string): string {
  const line = text.replace(/\p{Cc}+/gu, " ");
  return `"${line.length > MAX_QUOTED_CHARS ? `${line.slice(0, MAX_QUOTED_CHARS)}…` : line}"`;
}

/** `isIt`: whether one of some TXT records is the missing one. */
type MissingRecord = {
  readonly name: string;
  readonly domain: string;
  readonly isIt: (texts: readonly string[]) => boolean;
};

/** Reports a missing TXT record, with the likely cause: an alias, or the record under a doubled name. */
export async function nothingThere(resolver: Resolver, { name, domain, isIt }: MissingRecord): Promise<DnsFinding> {
  const [alias] = (await resolver.find(name, "CNAME")).records;
  if (alias) return wrong("alias", { name, alias: quoted(alias) });
  const doubled = `${name}.${domain}`;
  const isDoubled = name !== domain && doubled.length <= 253 && isIt(await resolver.txt(doubled));
  const short = name.slice(0, -domain.length - 1);
  if (!isDoubled) return missing("none", { name });
  return missing("doubled_name", { doubled, short });
}

/** The tags of a record: values without the space in them; names in lower case. */
export function tagsOf(record: string): ReadonlyMap<string, string> {
  const pairs = record.split(";").map((tag) => tag.split(/=(.*)/s, 2) as [string, string?]);
  return new Map(pairs.map(([name, value]) => [name.trim().toLowerCase(), (value ?? "").replace(/\s/g, "")]));
}
