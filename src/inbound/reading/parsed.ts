// A message parsed by mailparser, and whether a program wrote it: vacation notes and receipts (RFC 3834) are no bounces.
import { simpleParser, type ParsedMail, type SimpleParserOptions } from "mailparser";

const OPTIONS = { skipHtmlToText: true, skipTextToHtml: true, skipImageLinks: true, skipTextLinks: true } as const;

/** Makes no HTML of text and no text of HTML. @throws Error for a message beyond the parser's limits, such as more than a thousand parts */
export function parsed(raw: Buffer, more: SimpleParserOptions = {}): Promise<ParsedMail> {
  return simpleParser(raw, { ...OPTIONS, ...more });
}

const MARKS = ["x-autoreply", "x-autorespond", "x-autoresponder", "x-auto-response-suppress", "x-mail-autoreply"];
/** A person writes of such things too; programs end the words there, or name the mail that they answer. */
const SUBJECT =
  /^(re:\s*)?(auto(matic(ally)?|matische?|-)?[ :-]?(reply|response|antwort|responder|generated)|out of (the )?office|vacation|away from (the |my )?(office|desk|mail|e-?mail)|on (vacation|leave|holiday)|abwesen\w{0,20}|réponse automatique|respuesta automática|risposta automatica|resposta automática|automatisch antwoord|autosvar|automatiskt svar|fuera de la oficina|fora do escritório)( (auto-?)?(reply|response|message|notice))?\s*(:|$)/i;

/** Whether a program says so of itself (RFC 3834 §5, and what was usual before). */
export function isAutomatic({ headers }: ParsedMail): boolean {
  const submitted = text(headers.get("auto-submitted"));
  if (submitted !== "" && !/^no\b/.test(submitted)) return true;
  return /^(auto_reply|bulk|junk)$/.test(text(headers.get("precedence"))) || MARKS.some((name) => headers.has(name));
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
