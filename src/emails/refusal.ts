// What the refusals of other mail servers have in common, at the door or later by mail: codes, words, their form on one line.

/** Codes (RFC 3463) that say that it is the recipient who cannot be reached (interface-gaps.md §7 "Bounces"). */
export const RECIPIENT_FAULT: ReadonlySet<string> = new Set(["5.1.1", "5.1.2", "5.1.3", "5.1.6", "5.1.10", "5.2.1"]);
/** The same without such a code, in answer to RCPT. */
export const BARE_RECIPIENT_FAULT: ReadonlySet<number> = new Set([550, 551, 553]);

export const FULL = /quota|mailbox (is )?full|full mailbox|storage/i;
/** A bare 550 is also what servers say to a stranger: words that speak of us or of the content, not of the recipient. */
export const ABOUT_US =
  /relay|authenticat|sender|spam|\bjunk|blocked|block ?list|black ?list|\brbl\b|prohibit|policy|den(y|ied)|reputation|\b(spf|dkim|dmarc|helo|ehlo|ptr)\b|reverse|rdns|\byour (host|ip|server)\b|client host|\brate\b|too many/i;

/** With 5.2.1, of people who get too much mail at the moment. */
export const TOO_FAST = /receiving (e?mail )?(at a rate|too (much|quickly|many))|too many messages/i;

const MAX_LINE_CHARS = 500;

/** Text on one line of at most 500 characters, without control characters. */
export function oneLine(text: string): string {
  const clean = text.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, " ").trim();
  return clean.slice(0, MAX_LINE_CHARS).toWellFormed();
}
