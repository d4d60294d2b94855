// The DNS records of a sender domain as lines of a zone file (RFC 1035 §5), for name servers and people who maintain
// them.
import { TO_CORRECT } from "./dns-check/problems.ts";
import type { DomainRecord } from "./record.ts";

const TTL_SECONDS = 3600;
/** The longest string of a TXT record. */
const MAX_STRING_BYTES = 255;

const IN_WORDS = { OK: "found", MISSING: "missing", WRONG: "different", UNKNOWN: "not known yet" };

const OPTIONAL: Readonly<Partial<Record<DomainRecord["records"][number]["purpose"], string>>> = {
  INBOUND: "only to receive email here",
  REPORT_PERMISSION: "in the DNS of the domain that takes the reports",
  TLS_REPORTS: "only to receive reports here",
};

/** Found texts are cut off at this length. */
const WHOLE_CHARS = 1_000;

/**
 * Each record under a line on its purpose. A right record stays as it was found. A line that must not be published as
 * it is, since it depends on unknown values or would replace a right record, is a comment.
 */
export function zoneOf({ domain, records }: Pick<DomainRecord, "domain" | "records">): string {
  const title = `; DNS records of ${domain} for Posthorn`;
  return `${[title, ...records.map(entryOf)].join("\n\n")}\n`;
}

function entryOf(record: DomainRecord["records"][number]): string {
  const { purpose, required, without, state, problem, removableAt, suggestion, found } = record;
  const need = required ? "required" : (OPTIONAL[purpose] ?? "recommended");
  const replaces = suggestion === null && state !== "WRONG" ? [] : found.map((text) => `; instead of: ${text}`);
  const until = removableAt === null ? [] : [`; needed until ${removableAt}`];
  const line = lineOf(record);
  const head = `; ${purpose}: ${need}, ${IN_WORDS[state]}`;
  const isComment =
    line.includes("<") || !isAsked(record) || (state === "OK" && suggestion === null && keptText(record) === null);
  const fault = state === "WRONG" && problem !== null ? [`; ${problem}`] : [];
  return [head, `; ${without}`, ...fault, ...replaces, ...until, isComment ? `; ${line}` : line].join("\n");
}

/**
 * Only the owner knows whether the mail of the domain is to arrive here; a record of another zone has no place in this
 * one; a record that works for others, or that only its owner can correct, is theirs; and one that needs too many
 * lookups is void.
 */
function isAsked({ purpose, problemCode }: DomainRecord["records"][number]): boolean {
  const isHeldBack = problemCode === "mx_elsewhere_bounces" || problemCode === "spf_merged_lookups";
  return purpose !== "INBOUND" && purpose !== "REPORT_PERMISSION" && !isHeldBack && !TO_CORRECT.has(problemCode ?? "");
}

function lineOf(record: DomainRecord["records"][number]): string {
  const { type, name, value, suggestion } = record;
  const data = type === "TXT" ? stringsOf(keptText(record) ?? suggestion ?? value) : `${value}.`;
  return `${name}. ${TTL_SECONDS} IN ${type} ${data}`;
}

/** The existing text, if it is right; null = it is not known whole. */
function keptText({ type, state, suggestion, found }: DomainRecord["records"][number]): string | null {
  const [text = "", ...others] = found;
  const isWhole = text !== "" && others.length === 0 && text.length < WHOLE_CHARS;
  return type === "TXT" && state === "OK" && suggestion === null && isWhole ? text : null;
}

/** Our own texts and SPF terms, all of them ASCII. */
function stringsOf(text: string): string {
  const pieces = text.match(new RegExp(`.{1,${MAX_STRING_BYTES}}`, "g")) ?? [""];
  return pieces.map((piece) => `"${piece.replace(/["\\]/g, "\\$&")}"`).join(" ");
}
