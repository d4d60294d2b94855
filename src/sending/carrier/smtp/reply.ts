// The verdict in an SMTP server's answer: the recipient's fault, ours, or only "not now".
import { blameFor, type Blame, type Phase } from "../../../mail/emails/refusals/blame.ts";
import { oneLine } from "../../../mail/emails/refusals/words.ts";
import { aboutWay } from "../transport/about-way.ts";
import type { HandoverOutcome, HopRefusal } from "../transport/transport.ts";
import type { DialogueAnswer } from "./dialogue.ts";

/**
 * `code` is 0 if the answer did not start with one; `enhancedCode`: RFC 3463, such as `5.1.1`; `text`: the rest, on one
 * line.
 */
type RelayReply = { readonly code: number; readonly enhancedCode: string | null; readonly text: string };

type ReplyVerdict = Pick<HopRefusal, "kind" | "transient" | "isLost">;

/** RFC 5321 §4.2.3: it ends the session. */
const CLOSING = 421;
const LOGIN_WANTED = new Set([530, 534, 535, 538]);
/** RFC 5321 §4.2.4: the session is out of step; the mail itself was not judged. */
const OUT_OF_STEP = 503;

const LATER: ReplyVerdict = { kind: "later", transient: true };
const UNREACHABLE: ReplyVerdict = { kind: "unreachable" };

const MEANINGS: Readonly<Record<Blame, ReplyVerdict>> = {
  recipient: { kind: "bounced" },
  sender: { kind: "failed" },
  passing: LATER,
  unclear: { kind: "failed", transient: true },
};

const LINE = /^(\d{3})[ -]?(?:([245]\.\d{1,3}\.\d{1,3})(?=\s|$))?\s*(.*)$/;
/** qmail and IronPort put the enhanced code into the text: `(#5.1.1)`. */
const CODE_IN_TEXT = /#([245]\.\d{1,3}\.\d{1,3})\b/;

/** Reads a server's whole answer, of one line or more (RFC 5321 §4.2). */
export function readReply(response: string): RelayReply {
  const lines = response.split(/\r?\n/).map((line) => LINE.exec(line) ?? [line, "0", undefined, line]);
  const text = oneLine(lines.map((parts) => parts[3]).join(" "));
  const enhancedCode = lines.find((parts) => parts[2])?.[2] ?? CODE_IN_TEXT.exec(text)?.[1] ?? null;
  return { code: Number(lines[0]?.[1] ?? 0), enhancedCode, text };
}

/** The verdict in a negative answer. */
export function refusal(phase: Phase, reply: RelayReply): HopRefusal {
  const words = [reply.code || "", reply.enhancedCode ?? "", reply.text];
  const said = { reply: oneLine(words.join(" ")), phase };
  return { ...(isOfSender(said) ? ofSender(reply) : meaningOf(phase, reply)), ...said };
}

/** The sender was refused, and no mail: some servers use the codes of a login for that, or end the session. */
function isOfSender(said: Pick<HopRefusal, "reply" | "phase">): boolean {
  return said.phase === "mail" && aboutWay({ kind: "failed", ...said })?.what === "sender";
}

function ofSender({ code }: RelayReply): ReplyVerdict {
  return code < 500 ? LATER : MEANINGS.sender;
}

/** The name that the next hop gave an accepted message (Postfix and its kin, Exim, Amazon SES); null = none. */
export function remoteIdOf(response: string): string | null {
  const named = /\bqueued as <?([\w.@+-]+)/i.exec(response) ?? /\bid=([\w.@+-]+)/i.exec(response);
  return (named ?? /^250 ok ([0-9a-f]+(?:-[0-9a-f]+)+)\s*$/i.exec(response))?.[1] ?? null;
}

function meaningOf(phase: Phase, reply: RelayReply): ReplyVerdict {
  if (phase === "connect" || phase === "auth") return UNREACHABLE;
  // Once the sender was accepted, no answer is about the login: the relay passes on the answer of a recipient's server.
  const isPassedOn = phase === "rcpt" || phase === "data";
  if (reply.code === CLOSING) return isPassedOn ? closingAt(phase, reply) : UNREACHABLE;
  if (LOGIN_WANTED.has(reply.code)) return isPassedOn ? LATER : UNREACHABLE;
  if (reply.code < 500 || reply.code > 599 || reply.code === OUT_OF_STEP) return LATER;
  if (phase === "rcpt" && isNoRule(reply)) return MEANINGS.sender;
  return MEANINGS[blameFor({ phase, code: reply.code, status: reply.enhancedCode, words: reply.text })];
}

const NO_RULE = /^Invalid recipient: <[^<>]*>$/;

/**
 * OpenSMTPD answers so for an unknown user, and for all recipients where none of its rules lets us send (about-way.ts).
 */
function isNoRule({ code, enhancedCode, text }: RelayReply): boolean {
  return code === 550 && enhancedCode === null && NO_RULE.test(text);
}

/** RFC 3463 §3.4, §3.5 and the words beside them. */
const OF_ITS_SYSTEM = /^4\.[34]\.\d/;

/** In answer to RCPT a relay that shuts down hangs up as well: it has neither taken nor judged the mail. */
function closingAt(phase: Phase, { enhancedCode }: RelayReply): ReplyVerdict {
  return phase === "rcpt" && OF_ITS_SYSTEM.test(enhancedCode ?? "") ? { ...LATER, isLost: true } : LATER;
}

const LOST_EARLY = "The connection was lost before the message was handed over";
const LOST_WITHIN = "The connection was lost while the message was being sent";
const LOST_LATE = "The message was sent, and the relay did not answer: it may or may not have accepted it";

export function accepted(response: string): HandoverOutcome {
  const remoteId = remoteIdOf(response);
  return { kind: "accepted", reply: oneLine(response), ...(remoteId === null ? {} : { remoteId }) };
}

/** Why a relay did not take a message. `begun`: how much of the message itself had left. */
export type SmtpFailure = {
  readonly phase: Phase;
  readonly answer: DialogueAnswer;
  readonly begun: "no" | "part" | "whole";
};

const TAKEN = /^2\d\d(?:[ -]|$)/;
const GO_AHEAD = /^354(?:[ -]|$)/;

export function isTaken(answer: DialogueAnswer): answer is string {
  return typeof answer === "string" && TAKEN.test(answer);
}

/** Whether the relay waits for the message. */
export function isGoAhead(answer: DialogueAnswer): boolean {
  return typeof answer === "string" && GO_AHEAD.test(answer);
}

/** The verdict on a failed hand-over. */
export function refusedBy({ phase, answer, begun }: SmtpFailure): HopRefusal {
  const said = typeof answer === "string" ? answer : answer.refusal;
  const isClear = said !== null && (begun === "whole" ? REFUSES.test(said) : !AGREES.test(said));
  if (isClear) return refusal(phase, readReply(said));
  const reason = typeof answer === "string" ? `The relay's answer is none: ${answer}` : answer.reason;
  if (begun === "whole") return { kind: "unanswered", reply: oneLine(`${LOST_LATE} (${reason})`) };
  const reply = oneLine(`${begun === "part" ? LOST_WITHIN : LOST_EARLY} (${reason})`);
  return { kind: "later", reply, ...(typeof answer === "string" ? {} : { isLost: true }) };
}

/** As the answer that stopped a hand-over, a positive reply means that the session is out of step. */
const AGREES = /^[23]/;
/** Only these answers refuse a whole message. */
const REFUSES = /^[45]\d\d(?:[ -]|$)/;
/**
 * RFC 5321 §4.5.3.1.10 has this answer for a recipient; for a single one it is about the recipients of earlier mails.
 */
const TOO_MANY = /^4\d\d[ -](?:4\.5\.3\b|.*\btoo many\b)/i;

export function isRefusal({ answer }: SmtpFailure): boolean {
  return typeof answer === "string" && REFUSES.test(answer);
}

/** Whether the answer to a later mail in a session may be about the mails before it. */
export function isOfSession({ phase, answer }: SmtpFailure): boolean {
  return phase === "mail" || (phase === "rcpt" && typeof answer === "string" && TOO_MANY.test(answer));
}

/** Whether the two sides may no longer agree on the state of the session. */
export function isBroken({ answer }: SmtpFailure): boolean {
  if (typeof answer !== "string" || AGREES.test(answer)) return true;
  const { code } = readReply(answer);
  return code === 0 || code === CLOSING;
}
