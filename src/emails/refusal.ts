// The form in which what other mail servers say is kept and shown. Whose fault it is: blame.ts.

const MAX_LINE_CHARS = 500;

/** Text on one line of at most 500 characters, without control characters. */
export function oneLine(text: string): string {
  const clean = text.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, " ").trim();
  return clean.slice(0, MAX_LINE_CHARS).toWellFormed();
}
