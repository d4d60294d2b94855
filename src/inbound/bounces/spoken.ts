// What the words of a mail server give away beside their meaning: its codes, and where in the session it spoke.
import type { Phase, Refused } from "../../emails/blame.ts";

const STATUS = /(?:\b[245]\d\d[ :-]|#|\(|\bmessage |^)\s*([245]\.\d{1,3}\.\d{1,3})(?![\d.]*\d)/i;
const CODE = /(?:^|[\s:;>(#])(4[2-5]\d|5[0-7]\d)(?=[ :,.\])-]|$)(?!\.\d)/;

/** In the order in which they count: what was said of the message or of us may stand beside a RCPT that went well. */
const PHASES: readonly (readonly [Phase, RegExp])[] = [
  [
    "data",
    /\b(reply|response) to (the )?(end of )?DATA\b|\bafter (the )?(end of )?data\b|after I sent the message|\[(DATA|BODY)\]/i,
  ],
  ["mail", /\b(reply|response) to MAIL\b|\bafter MAIL FROM\b|sender was rejected|>>> MAIL From/i],
  ["auth", /\b(reply|response) to AUTH\b|\bafter AUTH\b/i],
  [
    "connect",
    /refused to talk to|\b(reply|response) to (EHLO|HELO|STARTTLS|initial)|greeting failed|after (EHLO|HELO|initial)/i,
  ],
  ["rcpt", /\b(reply|response) to RCPT\b|\bafter RCPT\b|does not like recipient|\bRCPT[ _]TO\b|SMTP:RCPT\b/i],
];

/** The first code of each kind in a text; its phase as mail servers write it ("in reply to RCPT TO command", "after RCPT TO:<…>"). */
export function spoken(text: string): Pick<Refused, "code" | "status" | "phase"> {
  return {
    code: Number(CODE.exec(text)?.[1] ?? 0),
    status: STATUS.exec(text)?.[1] ?? null,
    phase: PHASES.find(([, words]) => words.test(text))?.[0] ?? "unknown",
  };
}
