// The interface to the outside world: one finished message to one recipient, and its outcome.
import { MINUTE_MS } from "../../../base/clock.ts";
import type { Phase } from "../../../mail/emails/refusals/blame.ts";

/** SMTP envelope (RFC 5321 §3.6): the address for bounces, and the recipient. */
export type SmtpEnvelope = {
  readonly returnPath: string;
  readonly recipient: string;
  /** The header has a sender whom only SMTPUTF8 can carry (RFC 6531). */
  readonly hasForeignSender?: true;
};

export type FinishedMessage = {
  /** Public id of the email record. */
  readonly id: string;
  readonly envelope: SmtpEnvelope;
  /** The whole message as it goes over the wire, CRLF line ends, signed. */
  readonly raw: Buffer;
  /**
   * Where `raw` is not ASCII: the same message in ASCII, for a next hop that takes nothing else. Rejects if there is
   * none.
   */
  readonly sevenBit?: () => Promise<Buffer>;
  /** Called just before the message leaves: false if another process may have taken it over. Absent where none can. */
  readonly mayLeave?: () => Promise<boolean>;
  /** Called once the whole message is sent: from then on the next hop may have accepted it. */
  readonly onSaid?: () => void;
};

/**
 * The outcome of one attempt.
 * - `accepted`: the next hop has taken it; `remoteId` is its own name for the message if it gave one.
 * - `bounced`: refused for good, and the fault is the recipient's.
 * - `failed`: refused for good, and the fault is not the recipient's: content, policy, sender.
 * - `later`: refused for now; the attempt counts.
 * - `unreachable`: there was no dialogue with the next hop; the attempt does not count.
 * - `unanswered`: the whole message was sent and no answer came, so the next hop may or may not have accepted it.
 */
export type HandoverOutcome = (Acceptance | HopRefusal) & {
  /** The next hop was found to take no more mails than this in one session. */
  readonly mailsPerSession?: number;
};

type Acceptance = { readonly kind: "accepted"; readonly reply: string; readonly remoteId?: string };

export type HopRefusal = {
  readonly kind: "bounced" | "failed" | "later" | "unreachable" | "unanswered";
  readonly reply: string;
  /** The step that a relay has refused; absent where there are no steps. */
  readonly phase?: Phase;
  /** The next hop has refused this mail alone: if that is final, it is reported as a Transient bounce. */
  readonly transient?: true;
  /** The connection was lost before the whole message was sent: the next hop has neither taken nor judged it. */
  readonly isLost?: true;
  /** If `unreachable`: how long the mail waits until it is due again; 0 unless given. */
  readonly waitMs?: number;
  /** If `unreachable`: the mail waits for an action of a person, so its record says why. */
  readonly isTold?: true;
  /** The next hop was not asked, so nothing is known about it. */
  readonly isLocal?: true;
  /** This way cannot carry the mail; another one may. */
  readonly isUnfit?: true;
  /** No outcome is recorded: the mail is another process's. */
  readonly isTakenOver?: true;
};

/** For messages that wait for their turn when the transport is closed. */
export const CLOSING: HopRefusal = { kind: "unreachable", reply: "The process is shutting down", isLocal: true };

export const TAKEN_OVER: HopRefusal = {
  kind: "later",
  reply: "Another process has taken the email over",
  isLocal: true,
  isTakenOver: true,
};

/**
 * RFC 5321 §4.5.3.2.6: a next hop may take so long to answer a message, and a client that hangs up sooner sends it
 * twice.
 */
export const ANSWER_TIMEOUT_MS = 10 * MINUTE_MS;

/** Part of the nine seconds in which a process ends (server.ts): an answer that is still missing then stays unknown. */
export const CLOSING_MS = 7_000;

export interface Transport {
  /** Hands one message to the next hop. Network faults are outcomes, not exceptions. */
  send(message: FinishedMessage): Promise<HandoverOutcome>;
  /**
   * Whether the next hop would take a mail, tested without one: null, or why it would not. Absent = it cannot be
   * tested.
   */
  look?(): Promise<string | null>;
  /**
   * Resolves when the messages that have begun to leave are done, or `CLOSING_MS` are over; all others are refused.
   * Called once.
   */
  close(): Promise<void>;
}
