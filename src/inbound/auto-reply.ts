// Mails that programs answer in the name of people: vacation notes, receipts (RFC 3834). They say nothing of the mail's fate.
import type { ParsedMail } from "mailparser";

const MARKS = ["x-autoreply", "x-autorespond", "x-autoresponder", "x-auto-response-suppress", "x-mail-autoreply"];
const SUBJECT =
  /^(re:\s*)?(auto(matic(ally)?|matische?|-)?[ :-]?(reply|response|antwort|responder|generated)|out of (the )?office|vacation|away from|on (vacation|leave|holiday)|abwesen|réponse automatique|respuesta automática|risposta automatica|resposta automática|automatisch antwoord|autosvar|automatiskt svar|fuera de la oficina|fora do escritório)/i;

export function isAutoReply({ headers, subject }: ParsedMail): boolean {
  const submitted = text(headers.get("auto-submitted"));
  if (submitted !== "" && !submitted.startsWith("no")) return true;
  if (/^(auto_reply|bulk|junk)$/.test(text(headers.get("precedence")))) return true;
  return MARKS.some((name) => headers.has(name)) || SUBJECT.test(subject ?? "");
}

function text(value: unknown): string {
  return typeof value === "string" ? value.trim().toLowerCase() : "";
}
