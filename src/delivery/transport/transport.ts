// The interface to the outside world: one finished message to one recipient, and its outcome.

/** SMTP envelope (RFC 5321 §3.6): where bounces go, and who gets the message. */
export type Envelope = {
  readonly returnPath: string;
  readonly recipient: string;
  /** The header has a sender whom only SMTPUTF8 can carry (RFC 6531). */
  readonly hasForeignSender?: true;
};

export type FinishedMessage = {
  /** Public id of the email record. */
  readonly id: string;
  readonly envelope: Envelope;
  /** The whole message as it goes over the wire, CRLF line ends, signed. */
  readonly raw: Buffer;
  /** Where `raw` is not ASCII: the same message in ASCII, for a next hop that takes nothing else. Rejects if there is none. */
  readonly sevenBit?: () => Promise<Buffer>;
  /** To be asked just before the message leaves: false if another process may have taken it over. Absent where none can. */
  readonly mayLeave?: () => Promise<boolean>;
};

/**
 * What became of one attempt.
 * - `accepted`: the next hop has taken it; `reply` is what it said, `remoteId` its own name for the message if it gave one.
 * - `bounced`: refused for good, and the fault is the recipient's.
 * - `failed`: refused for good, and the fault is not the recipient's: content, policy, sender.
 * - `later`: refused for now; the attempt counts.
 * - `unreachable`: the next hop could not be talked to at all; the attempt does not count.
 */
export type Outcome = { readonly kind: "accepted"; readonly reply: string; readonly remoteId?: string } | Refusal;

export type Refusal = {
  readonly kind: "bounced" | "failed" | "later" | "unreachable";
  readonly reply: string;
  /** The next hop has refused this one mail: if that is final, it is reported as a Transient bounce. */
  readonly transient?: true;
  /** The next hop was not asked, so nothing is known about it. */
  readonly isLocal?: true;
  /** Nothing is recorded: the mail is another process's. */
  readonly isTakenOver?: true;
};

/** For messages that wait for their turn when the transport is closed. */
export const CLOSING: Refusal = { kind: "unreachable", reply: "The process is shutting down", isLocal: true };

export const TAKEN_OVER: Refusal = {
  kind: "later",
  reply: "Another process has taken the mail over",
  isLocal: true,
  isTakenOver: true,
};

export interface Transport {
  /** Hands one message to the next hop. Network faults are outcomes, not exceptions. */
  send(message: FinishedMessage): Promise<Outcome>;
  /** Resolves when the messages that have begun to leave are done; all others are refused. Called once. */
  close(): Promise<void>;
}
