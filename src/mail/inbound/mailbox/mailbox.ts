// A bounce mailbox, for all protocols: its new messages one by one, and the removal of those that were taken.
import type { MailboxSettings } from "../../../base/config/mailboxes.ts";
import type { AccessTokens } from "../../../ground/way-tokens/way-tokens.ts";

export type MailboxMessage = {
  /** For `clear`. */
  readonly id: string;
  /** The position after this message; opaque. */
  readonly position: string;
  /** `large`: over the limit; `gone`: removed since it was listed. */
  readonly bytes: () => Promise<Uint8Array | "large" | "gone">;
};

/** `end`: the position after all of them, if it is not that of the last one. */
export type NewMessages = {
  readonly messages: readonly MailboxMessage[];
  readonly end?: string;
  readonly hasMore: boolean;
};

/** All but `isOpen` and `close` throw MailboxFault. */
export type OpenMailbox = {
  /** The position that skips the messages that are there already. */
  readonly begin: (nowMs: number) => Promise<string>;
  /** Some of the messages after a position, the oldest first. */
  readonly newAfter: (position: string) => Promise<NewMessages>;
  /** Moves or deletes a message that was taken, unless it is gone. */
  readonly clear: (id: string) => Promise<void>;
  /** It is read at least this often. */
  readonly looksEveryMs: number;
  readonly isOpen: () => boolean;
  readonly close: () => void;
};

export type MailboxAccess = {
  readonly settings: MailboxSettings;
  readonly tokens: AccessTokens;
  /** Called when there may be a new message, or the connection is lost. */
  readonly onNews: () => void;
};

/** As the port for email from outside (../port.ts). */
export const MOST_BYTES = 25 * 1024 * 1024;
/** Messages of one look. */
export const MOST_A_LOOK = 50;

/** Why a mailbox cannot be read, in words for its operator. `waitMs`: when to try again. */
export class MailboxFault extends Error {
  override readonly name = "MailboxFault";
  readonly waitMs: number;

  constructor(message: string, { waitMs = 0, ...more }: ErrorOptions & { readonly waitMs?: number } = {}) {
    super(message, more);
    this.waitMs = waitMs;
  }
}
