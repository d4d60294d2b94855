// The grammar of an SPF record, as far as a fault in it makes the record void (RFC 7208 §4.6, §5, §6).
import { isIPv4, isIPv6 } from "node:net";

type SpfRecord = {
  /** The first word that is no term, which makes the record void; null = there is none. */
  readonly fault: string | null;
  /** How many of its terms cost a question (§4.6.4). */
  readonly lookups: number;
  /** The domains whose records it takes in; those that depend on the mail (macros) are left out. */
  readonly includes: readonly string[];
  /** Whether it names anybody who may send. */
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
  // §6: an unknown one is passed over.
  modifier: /^(?!redirect=)[a-z][\w.-]*=/i,
};

type Term = { readonly kind: string; readonly argument: string; readonly isDenied: boolean };

export function isSpf(text: string): boolean {
  return /^v=spf1(\s|$)/i.test(text);
}

export function readSpf(text: string): SpfRecord {
  const words = text.split(/\s+/).slice(1).filter(Boolean);
  const read = words.flatMap((word) => termOf(word) ?? []);
  const hasAll = read.some(({ kind }) => kind === "all");
  // §6.1: where there is an `all`, the redirect is not evaluated.
  const terms = read.filter(({ kind }) => kind !== "redirect" || !hasAll);
  const pointers = terms.filter(({ kind }) => kind === "include" || kind === "redirect");
  return {
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
  const [, argument = "", bits = "0"] = pattern.exec(word) ?? [];
  if (kind === "ip4" && !(isIPv4(argument) && Number(bits) <= 32)) return null;
  if (kind === "ip6" && !(isIPv6(argument) && Number(bits) <= 128)) return null;
  return { kind, argument: argument.toLowerCase().replace(/\.$/, ""), isDenied: /^[?~-]/.test(word) };
}
