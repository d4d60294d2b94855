// The header as mailauth reads it, more leniently than RFC 5322: its fields, its authors, and a limit on its
// signatures.
import addressparser from "nodemailer/lib/addressparser";
import { parseAddress } from "../../../base/addresses.ts";
import { decodedWords } from "../../../content/mime/encoded-words.ts";
import { takenApart, valueIn } from "../../../content/mime/message-bytes.ts";

type RawHeaderField = {
  /** In lower case, without any white space around it; "" if there is no colon. */
  readonly name: string;
  /** In latin1, with its folds, without the CRLF at its end. */
  readonly raw: string;
};

/**
 * A line that begins with any white space continues the field above it, and such space may surround a name. A reader
 * with other rules would not take `From\v:` for From, and would name another author than the one whom a signature
 * covers.
 */
export function headerFields(header: string): RawHeaderField[] {
  const fields = header.split(/\r\n(?!\s)/).filter((raw) => raw !== "");
  return fields.map((raw) => ({
    name: raw
      .slice(0, Math.max(0, raw.indexOf(":")))
      .trim()
      .toLowerCase(),
    raw,
  }));
}

/**
 * The authors of a message: every mailbox of every field From (RFC 5322 §3.6.2). One address for each mailbox, as
 * `parseAddress` answers it; null for an invalid address, for one in a group, and for a field without any. The first
 * counts as the sender; of several, a signature may cover one and a reader show another, so DMARC fails.
 */
export function authorsOf(raw: Buffer): readonly (string | null)[] {
  const fields = headerFields(takenApart(raw).header).filter(({ name }) => name === "from");
  return fields.flatMap((field) => {
    const value = Buffer.from(field.raw.slice(field.raw.indexOf(":") + 1), "latin1").toString("utf8");
    const mailboxes = addressparser(value.replace(/\r\n/g, "")).flatMap((one) =>
      one.group ? one.group.map(() => null) : parseAddress(one.address),
    );
    return mailboxes.length === 0 ? [null] : mailboxes;
  });
}

/** The name of the first author in the first field From, in any charset. */
export function firstAuthorOf(raw: Buffer): {
  readonly field: string;
  readonly address: string;
  readonly name: string;
} {
  const from = headerFields(takenApart(raw).header).find(({ name }) => name === "from");
  const field = from ? valueIn(from.raw) : "";
  const [first] = addressparser(field);
  return { field, address: first?.address ?? "", name: decodedWords(first?.name ?? "") };
}

/** Each DKIM signature may need its own hash of the whole body. */
const MAX_SIGNATURES = 10;
const LARGE_BYTES = 4 * 1024 * 1024;
const MAX_SIGNATURES_OF_LARGE = 2;
/** Lines of one field: the library joins lines in quadratic time. */
const MAX_LINES_A_FIELD = 5_000;

/**
 * The message without the DKIM-Signature fields that are too many for its size; the same bytes if none are. Empty if
 * the header is empty, or has a field of too many lines: then no signature is checked.
 */
export function withFewSignatures(raw: Buffer): Buffer {
  const { header } = takenApart(raw);
  // The library would search for a header after the empty line.
  if (header === "") return Buffer.alloc(0);
  const most = raw.length > LARGE_BYTES ? MAX_SIGNATURES_OF_LARGE : MAX_SIGNATURES;
  const fields = headerFields(header);
  if (fields.some(({ raw: field }) => field.split("\r\n", MAX_LINES_A_FIELD).length === MAX_LINES_A_FIELD))
    return Buffer.alloc(0);
  let seen = 0;
  const kept = fields.filter(({ name }) => name !== "dkim-signature" || ++seen <= most);
  if (kept.length === fields.length) return raw;
  const fewer = kept.map((field) => `${field.raw}\r\n`).join("");
  return Buffer.concat([Buffer.from(fewer, "latin1"), raw.subarray(header.length)]);
}
