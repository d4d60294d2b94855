// What is known of a message when it is stored, and what is found in it when it is read; plain data, for any thread.
import type { Mailbox } from "../../../base/addresses.ts";
import type { HeaderAddresses, ScanVerdicts } from "../../emails/receive.ts";

/** What the SMTP session knew. */
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

/** What a message says. */
export type MessageContents = {
  /** The first author in the header field From; null if that is no mailbox that mail can go to. */
  readonly sender: Mailbox | null;
  readonly fromHeader: string;
  readonly replyTo: string | null;
  /** Whom the header names, in To and in Cc. */
  readonly addressed: HeaderAddresses;
  readonly subject: string;
  readonly messageId: string | null;
  /** Those that it answers, the oldest first; and the one that it answers directly. */
  readonly references: readonly string[];
  readonly inReplyTo: string | null;
  readonly body: string;
  /** Plain text, made from the HTML if the message has none. */
  readonly text: string;
  readonly files: readonly AttachedFile[];
  /** A program says that it wrote it (RFC 3834). */
  readonly isAutomatic: boolean;
};

export type MessageReading = { readonly contents: MessageContents; readonly verdicts: ScanVerdicts };

/** The contents of a message that cannot be read: it is kept, and email.received emitted, all the same. */
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
