// The parsing of messages by mailparser, and the detection of automatic mail: vacation notes and receipts (RFC 3834)
// are not bounces.
import { simpleParser, type ParsedMail, type SimpleParserOptions } from "mailparser";
import { readAllParts } from "./parts.ts";
import { withFittingTypes } from "./structure.ts";

const OPTIONS = { skipHtmlToText: true, skipTextToHtml: true, skipImageLinks: true, skipTextLinks: true } as const;

let isPrepared = false;

/**
 * Makes no HTML of a text-only message, and no text of an HTML-only one.
 * @throws Error for a message beyond the parser's limits, such as more than a thousand parts
 */
export function parsed(raw: Buffer, more: SimpleParserOptions = {}): Promise<ParsedMail> {
  if (!isPrepared) readAllParts();
  isPrepared = true;
  return simpleParser(withFittingTypes(raw), { ...OPTIONS, ...more });
}

/** Not X-Auto-Response-Suppress, which people's mail programs set to suppress automatic replies. */
const MARKS = ["x-autoreply", "x-autorespond", "x-autoresponder", "x-mail-autoreply"];
/** People use such words too; programs end the subject there, or add the subject of the answered mail. */
const SUBJECT =
  /^(re:\s*)?(auto(matic(ally)?|matische?|-)?[ :-]?(reply|response|antwort|responder|generated)|out of (the )?office|vacation|away from (the |my )?(office|desk|mail|e-?mail)|on (vacation|leave|holiday)|abwesen\w{0,20}|réponse automatique|respuesta automática|risposta automatica|resposta automática|automatisch antwoord|autosvar|automatiskt svar|fuera de la oficina|fora do escritório)( (auto-?)?(reply|response|message|notice))?\s*(:|$)/i;

/** Whether the header marks the message as automatic (RFC 3834 §5, and earlier customs). */
export function isAutomatic({ headers }: ParsedMail): boolean {
  const submitted = text(headers.get("auto-submitted"));
  if (submitted !== "" && !/^no\b/.test(submitted)) return true;
  return /^(auto_reply|bulk|junk)$/.test(text(headers.get("precedence"))) || MARKS.some((name) => isSet(headers, name));
}

function isSet(headers: ParsedMail["headers"], name: string): boolean {
  return headers.has(name) && !/^(no|false|0)$/.test(text(headers.get(name)));
}

/** The same for a reply to one of our mails, whose subject may show it as well. */
export function isAutoReply(mail: ParsedMail): boolean {
  return isAutomatic(mail) || namesAutoReply(mail.subject ?? "");
}

export function namesAutoReply(subject: string): boolean {
  return SUBJECT.test(subject);
}

function text(value: unknown): string {
  return typeof value === "string" ? value.trim().toLowerCase() : "";
}
