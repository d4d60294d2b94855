// Whether the SPF record of a domain can be used (RFC 7208).
import { isIPv4, isIPv6 } from "node:net";
import type { Resolver } from "../../../base/dns.ts";
import { isWithin, rangesOf } from "../../../base/ip-addresses.ts";
import { missing, OK, quoted, wrong, type DnsFinding } from "./finding.ts";
import { problemOf } from "./problems.ts";

/** RFC 7208 §4.6.4. */
const MAX_LOOKUPS = 10;

type WantedSpf = {
  readonly name: string;
  /** The words that must be in the record (spf-term.ts); null = they are unknown. */
  readonly term: string | null;
  /** The domain in the envelope of our mails, which receivers check instead; null = this one. */
  readonly instead: string | null;
};

/** @throws DnsError if the records cannot be found out */
export async function checkSpf(resolver: Resolver, wanted: WantedSpf): Promise<DnsFinding> {
  const finding = await findingAt(resolver, wanted);
  if (wanted.instead === null || finding.code === undefined) return finding;
  return { ...finding, ...problemOf(finding.code, { ...finding.values, instead: wanted.instead }) };
}

async function findingAt(resolver: Resolver, { name, term, instead }: WantedSpf): Promise<DnsFinding> {
  const records = await spfRecords(resolver, name);
  const [text] = records;
  if (text === undefined) return missing("spf_none", { name });
  if (records.length > 1) return wrong("spf_several", { count: String(records.length), name });
  if (/<[^>]*>/.test(text)) return wrong("spf_placeholder", { found: quoted(text) });
  const record = readSpf(text);
  if (record.allowsEverybody) return wrong("spf_everybody", { found: quoted(text) });
  const tree = await spfTree(resolver, name, text);
  if ("state" in tree) return tree;
  if (instead !== null) return OK;
  if (!record.allowsSenders) return wrong("spf_nobody", { found: quoted(text) });
  if (term === null || term.split(" ").every((one) => allows(tree, one))) return OK;
  const merged = mergedSpf([text], term);
  const mergedTree = merged === null ? OK : await spfTree(resolver, name, merged);
  const isTooLong = "code" in mergedTree && mergedTree.code === "spf_lookups";
  return isTooLong
    ? wrong("spf_merged_lookups", { found: quoted(text), term, most: String(MAX_LOOKUPS) })
    : wrong("spf_not_ours", { found: quoted(text), term });
}

/** Whether a record allows the senders of `term`. For hosts whose addresses are not looked up here, that is assumed. */
function allows({ includes, words }: SpfTerms, term: string): boolean {
  const [kind, ours = ""] = term.split(/:(.*)/s);
  if (kind === "include") return includes.has(ours);
  const terms = words.flatMap((word) => termOf(word) ?? []).filter(({ isDenied }) => !isDenied);
  if (terms.some((one) => one.kind === "question")) return true;
  const ranges = terms.filter((one) => one.kind === "ip4" || one.kind === "ip6");
  return kind === "a" ? ranges.length > 0 : isWithin(rangesOf(ranges.map(({ range }) => range)), ours);
}

async function spfRecords(resolver: Resolver, name: string): Promise<string[]> {
  return (await resolver.txt(name)).filter(isSpf);
}

/**
 * One record that replaces these: it has all of their words and those of `term` (null: no others). Null if there is
 * nothing to merge, or a word in them is not a term.
 */
export function mergedSpf(records: readonly string[], term: string | null): string | null {
  const known = records.flatMap((text) => wordsToMerge(text, records.length > 1));
  if (known.length === 0 || known.some((word) => termOf(word) === null)) return null;
  const isAll = (word: string) => termOf(word)?.kind === "all";
  const isRedirect = (word: string) => termOf(word)?.kind === "redirect";
  const senders = [...new Set(known.filter((word) => !isAll(word) && !isRedirect(word)))];
  const there = senders.map((word) => word.toLowerCase().replace(/^\+/, ""));
  const ours = term?.split(" ").filter((one) => !there.includes(one)) ?? [];
  if (term === null && senders.length === 0) return null;
  const last =
    known.find((word) => isAll(word) && /^[~-]/.test(word)) ??
    known.find((word) => /^\?all$/i.test(word)) ??
    (known.some(isAll) ? "~all" : null);
  const end = last ?? known.find(isRedirect) ?? "~all";
  return ["v=spf1", ...senders, ...ours, end].join(" ");
}

/**
 * Without placeholders. Beside other records, the target of a `redirect` is included; it counts only without an `all`
 * (§6.1).
 */
function wordsToMerge(text: string, isBesideOthers: boolean): string[] {
  const words = text
    .replace(/<[^>]*>/g, "<>")
    .split(/\s+/)
    .slice(1)
    .filter((word) => word !== "" && !word.includes("<>"));
  const hasAll = words.some((word) => termOf(word)?.kind === "all");
  return words.map((word) => (isBesideOthers && !hasAll ? word.replace(/^redirect=/i, "include:") : word));
}

/** `words`: those of the record itself, and of all that it includes. */
type SpfTerms = { readonly includes: ReadonlySet<string>; readonly words: readonly string[] };
type Tree = SpfTerms | DnsFinding;

/**
 * All that a record includes, or the fault that makes it invalid. The includes of one level are looked up at the same
 * time.
 */
async function spfTree(resolver: Resolver, name: string, text: string): Promise<Tree> {
  const includes = new Set<string>();
  const words: string[] = [];
  let lookups = 0;
  for (let level: readonly SpfNode[] = [{ name, texts: [text] }]; level.length > 0;) {
    const records = level.map(({ name: at, texts: [only = ""] }) => ({ at, ...readSpf(only) }));
    const bad = records.find(({ fault }) => fault !== null);
    if (bad) return wrong("spf_bad_term", { name: bad.at, term: quoted(bad.fault ?? "") });
    words.push(...records.flatMap((one) => one.words));
    lookups += records.reduce((sum, one) => sum + one.lookups, 0);
    if (lookups > MAX_LOOKUPS) return wrong("spf_lookups", { most: String(MAX_LOOKUPS) });
    level = await Promise.all(records.flatMap((one) => one.includes).map((one) => placeAt(resolver, one)));
    const broken = level.find(({ texts }) => texts.length !== 1);
    if (broken) return brokenBy(broken);
    for (const one of level) includes.add(one.name);
  }
  return { includes, words };
}

/** `texts`: the SPF records at that name. */
type SpfNode = { readonly name: string; readonly texts: readonly string[] };

async function placeAt(resolver: Resolver, name: string): Promise<SpfNode> {
  return { name, texts: await spfRecords(resolver, name) };
}

function brokenBy({ name, texts }: SpfNode): DnsFinding {
  return texts.length === 0
    ? wrong("spf_include_none", { name })
    : wrong("spf_include_several", { name, count: String(texts.length) });
}

type SpfRecord = {
  readonly words: readonly string[];
  /** The first word that is not a term, which makes the record void; null = none. */
  readonly fault: string | null;
  /** The number of terms that cost a lookup (§4.6.4). */
  readonly lookups: number;
  /** The included domains; those that depend on the mail (macros) are left out. */
  readonly includes: readonly string[];
  /** Whether it allows any sender. */
  readonly allowsSenders: boolean;
  readonly allowsEverybody: boolean;
};

const TERMS: Readonly<Record<string, RegExp>> = {
  all: /^[+?~-]?all$/i,
  include: /^[+?~-]?include:(\S+)$/i,
  redirect: /^redirect=(\S+)$/i,
  question: /^[+?~-]?((a|mx)(:[^/]+)?(\/\d{1,2})?(\/\/\d{1,3})?|ptr(:\S+)?|exists:\S+)$/i,
  ip4: /^[+?~-]?ip4:([^/]+)(?:\/(\d{1,2}))?$/i,
  ip6: /^[+?~-]?ip6:([^/]+)(?:\/(\d{1,3}))?$/i,
  // §6: an unknown modifier is ignored.
  modifier: /^(?!redirect=)[a-z][\w.-]*=/i,
};

/** `range`: the addresses of the term, if it has some. */
type Term = {
  readonly kind: string;
  readonly argument: string;
  readonly range: string;
  readonly isDenied: boolean;
};

function isSpf(text: string): boolean {
  return /^v=spf1(\s|$)/i.test(text);
}

function readSpf(text: string): SpfRecord {
  const words = text.split(/\s+/).slice(1).filter(Boolean);
  const read = words.flatMap((word) => termOf(word) ?? []);
  const hasAll = read.some(({ kind }) => kind === "all");
  // §6.1: where there is an `all`, the redirect is not evaluated.
  const terms = read.filter(({ kind }) => kind !== "redirect" || !hasAll);
  const pointers = terms.filter(({ kind }) => kind === "include" || kind === "redirect");
  return {
    words,
    fault: words.find((word) => termOf(word) === null) ?? null,
    lookups: pointers.length + terms.filter(({ kind }) => kind === "question").length,
    includes: pointers.map(({ argument }) => argument).filter((name) => !name.includes("%")),
    allowsSenders: terms.some(({ kind, isDenied }) => kind !== "all" && kind !== "modifier" && !isDenied),
    allowsEverybody: words.some((word) => /^\+?all$/i.test(word)),
  };
}

function termOf(word: string): Term | null {
  const [kind, pattern] = Object.entries(TERMS).find(([, one]) => one.test(word)) ?? [];
  if (kind === undefined || pattern === undefined) return null;
  const [, argument = "", bits = ""] = pattern.exec(word) ?? [];
  if (kind === "ip4" && !(isIPv4(argument) && Number(bits) <= 32)) return null;
  if (kind === "ip6" && !(isIPv6(argument) && Number(bits) <= 128)) return null;
  const range = bits === "" ? argument : `${argument}/${bits}`;
  return { kind, argument: argument.toLowerCase().replace(/\.$/, ""), range, isDenied: /^[?~-]/.test(word) };
}
