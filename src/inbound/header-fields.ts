// The fields of a header as mailauth takes them: more lenient than RFC 5322, and what the verdicts rest on.

type HeaderField = {
  /** In lower case, without white space of any kind around it; "" if there is no colon. */
  readonly name: string;
  /** In latin1, with its folds, without the CRLF at its end. */
  readonly raw: string;
};

/**
 * A line that begins with white space of any kind goes on with the field above it, and such space may stand around a name. Who
 * reads it otherwise takes `From\v:` for no From, and another one for the author whom a signature covers.
 */
export function headerFields(header: string): HeaderField[] {
  const fields = header.split(/\r\n(?!\s)/).filter((raw) => raw !== "");
  return fields.map((raw) => ({
    name: raw
      .slice(0, Math.max(0, raw.indexOf(":")))
      .trim()
      .toLowerCase(),
    raw,
  }));
}
