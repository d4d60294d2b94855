// The DNS records of a sender domain as lines of a zone file (RFC 1035 §5), for name servers and people who maintain them.
import type { DomainRecord } from "./record.ts";

const TTL_SECONDS = 3600;
/** The longest string of a TXT record. */
const MAX_STRING_BYTES = 255;

const IN_WORDS = { OK: "found", MISSING: "missing", WRONG: "different", UNKNOWN: "not known yet" };

/** Each record under a line on what it is for. One that depends on what is not known here is a comment. */
export function zoneOf({ domain, records }: Pick<DomainRecord, "domain" | "records">): string {
  const title = `; DNS records of ${domain} for Posthorn`;
  return `${[title, ...records.map(entryOf)].join("\n\n")}\n`;
}

function entryOf(record: DomainRecord["records"][number]): string {
  const { purpose, required, state, removableAt, suggestion, found } = record;
  const need = required ? "required" : "recommended";
  const replaces = suggestion === null && state !== "WRONG" ? [] : found.map((text) => `; instead of: ${text}`);
  const until = removableAt === null ? [] : [`; needed until ${removableAt}`];
  const line = lineOf(record);
  const head = `; ${purpose}: ${need}, ${IN_WORDS[state]}`;
  return [head, ...replaces, ...until, line.includes("<") ? `; ${line}` : line].join("\n");
}

function lineOf({ type, name, value, suggestion }: DomainRecord["records"][number]): string {
  const data = type === "TXT" ? stringsOf(suggestion ?? value) : `${value}.`;
  return `${name}. ${TTL_SECONDS} IN ${type} ${data}`;
}

/** Our own texts and SPF terms, all of them ASCII. */
function stringsOf(text: string): string {
  const pieces = text.match(new RegExp(`.{1,${MAX_STRING_BYTES}}`, "g")) ?? [""];
  return pieces.map((piece) => `"${piece.replace(/["\\]/g, "\\$&")}"`).join(" ");
}
