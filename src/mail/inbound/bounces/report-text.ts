// The part of a bounce that is written for people: its reasons and its recipients.
import type { ParsedMail } from "mailparser";
import { domainOf, parseAddress } from "../../../base/addresses.ts";
import { isReason } from "../../emails/refusals/words.ts";

/** The returned mail follows these lines; its words say nothing of its fate. */
const ORIGINAL =
  /^[ \t>|]*(content-type: (message|text)\/rfc822|-+ ?(below this line|this is a copy|original (message|headers)|the header(s)? of|returned m|message header|header of|start of returned|unsent message|the header and top)|-{3,} ?(forwarded|unsent|returned) |=+ ?original |original message (headers|follows|as received)|a copy of the (original )?message|here is a copy of|below is a copy of|message text follows|a summary of the undelivered|the first \d+ lines of your)|^\|-+ message text follows/im;
const FIELDS = /^[ \t]*reporting-mta:/im;

/** Half a guess is no reason: "the address may not exist, or the mailbox may be full". */
const GUESS =
  /\b(may|might|perhaps|possibl[ye]|probably|could be because|usual causes|for example|such as|whenever|if you)\b/i;
const TELLING =
  /\b[45]\d\d[ :-]|\b[45]\.\d{1,3}\.\d{1,3}\b|\b(rcpt|end of data)\b|after I sent the message|unknown|does not like|error/i;
const ADDRESS = /[^\s<>()[\],;:"'=]{1,64}@[\w.-]{1,253}\w/g;
/** The authors of notices, and their contact addresses. */
const NOBODY = /^(postmaster|mailer-?daemon|mail-?daemon|mdaemon|abuse|hostmaster|root|no-?reply|help-?desk|support)@/i;

/** Footers of scanners and legal departments. */
const FOOTER =
  /^[_=*~#-]{8,}|\b(has been|was|been) (virus )?(scanned|checked|swept)\b|\b(virus scan|(scanned|checked|protected|filtered) (by|for))\b|^the information (contained )?in this\b|virus[- ]free|\bconfidential|\bdisclaimer\b|\bprivileged\b|intended (only |solely )?for the|\b(e-?mail|message) security\b|^this (e-?mail|message)( message)?( and|, including) any/i;

const MAX_REPORT_CHARS = 20_000;
const MAX_REASON_CHARS = 1_000;
const MAX_SENTENCES = 6;

export type ReportText = {
  readonly lines: readonly string[];
  /** The text after "Reporting-MTA:", if the text has a report; else "". */
  readonly fields: string;
};

/** The text without the returned mail. */
export function reportText({ text, html }: ParsedMail): ReportText {
  const whole = (text ?? (html || "")).slice(0, MAX_REPORT_CHARS).replace(/<\/?[a-z][^<>@]{0,500}>|&nbsp;/gi, " ");
  const body = whole.slice(0, indexOf(whole, ORIGINAL));
  const above = indexOf(whole, FIELDS);
  return {
    lines: body
      .slice(0, above)
      .split(/\r?\n/)
      .map((line) => line.trim()),
    fields: whole.slice(above),
  };
}

function indexOf(text: string, line: RegExp): number {
  const at = text.search(line);
  return at === -1 ? text.length : at;
}

/** The sentences that give reasons, from the line that names the recipient up to the next recipient. */
export function reasonsFor(lines: readonly string[], recipient: string): string {
  const start = lines.findIndex((line) => line.toLowerCase().includes(recipient.toLowerCase()));
  if (start === -1) return "";
  const own = parseAddress(recipient);
  const isOther = (line: string) => {
    const first = lineAddresses(line)[0];
    return first !== undefined && first !== own && /^[<*]?\s*\S+@\S+>?:?$/.test(line);
  };
  const end = lines.findIndex((line, at) => at > start && isOther(line));
  return reasonsIn(lines.slice(start, end === -1 ? undefined : end));
}

/** The sentences that give reasons, on one line. */
export function reasonsIn(lines: readonly string[]): string {
  const paragraphs = paragraphsOf(lines).map((one) => one.replaceAll("\n", " "));
  const sentences = paragraphs.flatMap((one) => one.split(/(?<=[a-z)][.!?])\s+/));
  const telling = sentences.filter((one) => !GUESS.test(one) && (TELLING.test(one) || isReason(one)));
  return telling.slice(0, MAX_SENTENCES).join(" ").slice(0, MAX_REASON_CHARS);
}

function paragraphsOf(lines: readonly string[]): string[] {
  const paragraphs = lines.join("\n").split(/\n{2,}/);
  return paragraphs.filter((one) => !FOOTER.test(one.trim()));
}

/** The paragraph that names the recipient, on one line; "" = none does. */
export function paragraphOf(lines: readonly string[], recipient: string): string {
  const own = paragraphsOf(lines).find((one) => one.toLowerCase().includes(recipient.toLowerCase()));
  return (own ?? "").replaceAll("\n", " ").slice(0, MAX_REASON_CHARS);
}

/**
 * The recipient of a report without fields: the addressee of the mail, an address of the same domain, or else the
 * address on the first line with a reason or next above it. Never `others`, nor the authors of such reports.
 */
export function recipientIn(
  lines: readonly string[],
  addressees: readonly string[],
  others: readonly string[],
): string | null {
  const named = lines.map((line) => lineAddresses(line).filter((one) => !NOBODY.test(one) && !others.includes(one)));
  const all = named.flat();
  const domains = new Set(addressees.map(domainOf));
  const known = all.find((one) => addressees.includes(one)) ?? all.find((one) => domains.has(domainOf(one)));
  if (known !== undefined) return known;
  const telling = lines.findIndex((line) => TELLING.test(line) || isReason(line));
  const above = named.slice(0, telling === -1 ? 0 : telling + 1).findLast((one) => one.length > 0);
  return above?.at(-1) ?? all[0] ?? null;
}

function lineAddresses(line: string): string[] {
  return (line.match(ADDRESS) ?? []).flatMap((one) => parseAddress(one) ?? []);
}
