// A message or a part of one as bytes: the facts in its header, and the replacement of its parts (RFC 2045, RFC 2046).

const CRLF = Buffer.from("\r\n");

/** The media type, in lower case; `text/plain` if the header names none. */
export function typeIn(header: string): string {
  return /^content-type:\s*([\w.+-]+\/[\w.+-]+)/im.exec(header)?.[1]?.toLowerCase() ?? "text/plain";
}

/** The content transfer encoding, in lower case; `7bit` if the header names none. */
export function encodingIn(header: string): string {
  return /^content-transfer-encoding:\s*([\w-]+)/im.exec(header)?.[1]?.toLowerCase() ?? "7bit";
}

/** The boundary of a multipart entity. @throws Error if its header names none */
export function boundaryIn(header: string): string {
  const unfolded = header.replace(/\r\n(?=[ \t])/g, "");
  const found = /^content-type:.*?;\s*boundary\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]+))/im.exec(unfolded);
  const boundary = found?.[1]?.replace(/\\(.)/g, "$1") ?? found?.[2];
  if (!boundary) throw new Error("A multipart part has no boundary.");
  return boundary;
}

/**
 * The entity with another encoding and body: Content-Transfer-Encoding is replaced, or added at the end of the header.
 */
export function withEncoding(header: string, encoding: string, body: Buffer): Buffer {
  const others = header.replace(/^content-transfer-encoding:.*\r\n(?:[ \t].*\r\n)*/gim, "");
  const mime = /^mime-version:/im.test(header) || /^content-/im.test(header) ? "" : "MIME-Version: 1.0\r\n";
  const changed = `${others}${mime}Content-Transfer-Encoding: ${encoding}\r\n\r\n`;
  return Buffer.concat([Buffer.from(changed, "latin1"), body]);
}

/** The replacement of each part, and of the text before the first and after the last one; null = it is left out. */
type EntityRewrite = {
  readonly part: (raw: Buffer) => Buffer;
  readonly beside: (raw: Buffer) => Buffer | null;
};

/** The body of a multipart entity, changed part by part; delimiters and the parts' order stay. */
export function withParts(body: Buffer, boundary: string, { part, beside }: EntityRewrite): Buffer {
  const pieces: Buffer[] = [];
  const push = (piece: Buffer, isPart: boolean) => {
    const changed = isPart ? part(piece) : beside(piece);
    if (changed !== null) pieces.push(changed);
  };
  let start = 0;
  let isPart = false;
  for (const { from, to, isLast } of delimiters(body, `--${boundary}`)) {
    push(body.subarray(start, Math.max(start, from)), isPart);
    pieces.push(body.subarray(Math.max(start, from), to));
    start = to;
    isPart = !isLast;
    if (isLast) break;
  }
  push(body.subarray(start), isPart);
  return Buffer.concat(pieces);
}

type Delimiter = { readonly from: number; readonly to: number; readonly isLast: boolean };

/** The CRLF before a delimiter belongs to it (RFC 2046 §5.1.1). */
function* delimiters(body: Buffer, delimiter: string): Generator<Delimiter> {
  for (let at = body.indexOf(delimiter); at >= 0; at = body.indexOf(delimiter, at + 1)) {
    if (at > 0 && body[at - 1] !== 10) continue;
    const lineEnd = body.indexOf(CRLF, at);
    const line = body.toString("latin1", at + delimiter.length, lineEnd < 0 ? body.length : lineEnd);
    if (!/^(--)?[ \t]*$/.test(line)) continue;
    yield { from: at === 0 ? 0 : at - 2, to: lineEnd < 0 ? body.length : lineEnd + 2, isLast: line.startsWith("--") };
  }
}
