// A message parsed by mailparser, and whether a program wrote it: vacation notes and receipts (RFC 3834) are no
// bounces.
import { simpleParser, type ParsedMail, type SimpleParserOptions } from "mailparser";
import { readAllParts } from "./parts.ts";
import { withFittingTypes } from "./structure.ts";

const OPTIONS = { skipHtmlToText: true, skipTextToHtml: true, skipImageLinks: true, skipTextLinks: true } as const;

let isPrepared = false;

/**
 * Makes no HTML of a message of text alone, and no text of one of HTML alone. @throws Error for a message beyond the
 * parser's limits, such as more than a thousand parts
 */
export function parsed(raw: Buffer, more: SimpleParserOptions = {}): Promise<ParsedMail> {
  if (!isPrepared) readAllParts();
  isPrepared = true;
  return simpleParser(withFittingTypes(raw), { ...OPTIONS, ...more });
}

/** Not X-Auto-Response-Suppress, by which people's programs ask others not to answer. */
const MARKS = ["x-autoreply", "x-autorespond", "x-autoresponder", "x-mail-autoreply"];
/** A person writes of such things too; programs end the words there, or name the mail that they answer. */
const SUBJECT =
  /^(re:\s*)?(auto(matic(ally)?|matische?|-)?[ :-]?(reply|response|antwort|responder|generated)|out of (the )?office|vacation|away from (the |my )?(office|desk|mail|e-?mail)|on (vacation|leave|holiday)|abwesen\w{0,20}|réponse automatique|respuesta automática|risposta automatica|resposta automática|automatisch antwoord|autosvar|automatiskt svar|fuera de la oficina|fora do escritório)( (auto-?)?(reply|response|message|notice))?\s*(:|$)/i;

/** Whether a program says so of itself (RFC 3834 §5, and what was usual before). */
export function isAutomatic({ headers }: ParsedMail): boolean {
  const submitted = text(headers.get("auto-submitted"));
  if (submitted !== "" && !/^no\b/.test(submitted)) return true;
  return /^(auto_reply|bulk|junk)$/.test(text(headers.get("precedence"))) || MARKS.some((name) => isSet(headers, name));
}

function isSet(headers: ParsedMail["headers"], name: string): boolean {
  return headers.has(name) && !/^(no|false|0)$/.test(text(headers.get(name)));
}

/** The same of what answers one of our mails, where a subject may tell it as well. */
export function isAutoReply(mail: ParsedMail): boolean {
  return isAutomatic(mail) || namesAutoReply(mail.subject ?? "");
}

export function namesAutoReply(subject: string): boolean {
  return SUBJECT.test(subject);
}

function text(value: unknown): string {
  return typeof value === "string" ? value.trim().toLowerCase() : "";
}
