// The facts about a message when it is stored, and the results of reading it; plain data, for any thread.
import type { Mailbox } from "../../../base/addresses.ts";
import type { HeaderAddresses, ScanVerdicts } from "../../emails/receive.ts";

/** The facts of the SMTP session. */
export type InboundEnvelope = {
  readonly clientAddress: string;
  readonly helo: string;
  /** '' = the null sender. */
  readonly sender: string;
  readonly recipients: readonly string[];
};

export type AttachedFile = {
  readonly filename: string | null;
  readonly contentType: string;
  readonly disposition: "attachment" | "inline";
  readonly contentId: string | null;
  readonly size: number;
};

/** The contents of a message. */
export type MessageContents = {
  /** The first author in the header field From; null if it is not a mailbox that can get mail. */
  readonly sender: Mailbox | null;
  readonly fromHeader: string;
  readonly replyTo: string | null;
  /** The addresses in To and in Cc. */
  readonly addressed: HeaderAddresses;
  readonly subject: string;
  readonly messageId: string | null;
  /** The Message-IDs that it answers, the oldest first. `inReplyTo`: its direct parent. */
  readonly references: readonly string[];
  readonly inReplyTo: string | null;
  readonly body: string;
  /** Plain text, made from the HTML if the message has none. */
  readonly text: string;
  readonly files: readonly AttachedFile[];
  /** The header marks it as automatic (RFC 3834). */
  readonly isAutomatic: boolean;
};

export type ParsedMessage = { readonly contents: MessageContents; readonly verdicts: ScanVerdicts };

/** The contents of an unreadable message: it is kept, and email.received emitted, all the same. */
export const UNREADABLE: MessageContents = {
  sender: null,
  fromHeader: "",
  replyTo: null,
  addressed: { to: [], cc: [] },
  subject: "",
  messageId: null,
  references: [],
  inReplyTo: null,
  body: "",
  text: "",
  files: [],
  isAutomatic: false,
};

export const NOT_CHECKED: ScanVerdicts = {
  spamVerdict: "PROCESSING_FAILED",
  virusVerdict: "PROCESSING_FAILED",
  spfVerdict: "PROCESSING_FAILED",
  dkimVerdict: "PROCESSING_FAILED",
  dmarcVerdict: "PROCESSING_FAILED",
};
