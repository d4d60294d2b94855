// A file of the face as an answer: kept forever by browsers, compressed as they ask.
import { promisify } from "node:util";
import { brotliDecompress, gzip } from "node:zlib";
import { encodingFor, isKnown } from "../../http/negotiation.ts";
import type { Face } from "./face.ts";
import type { FaceFile } from "./face-file.ts";

/** The name has a hash of the content. */
const FOREVER = "public, max-age=31536000, immutable";

export async function fileAnswer(file: FaceFile, { encoding }: Face, asked: Headers): Promise<Response> {
  const headers: Record<string, string> = {
    "content-type": file.type,
    "cache-control": FOREVER,
    etag: `"${file.name}"`,
    vary: "accept-encoding",
    "cross-origin-resource-policy": "same-origin",
  };
  if (isKnown(asked, headers["etag"] ?? "")) return new Response(null, { status: 304, headers });
  if (encoding === "identity") return new Response(file.bytes, { headers });
  const taken = encodingFor(asked, ["br", "gzip"]);
  const bytes = taken === "br" ? file.bytes : await unpacked(file, taken === "gzip");
  return new Response(bytes, { headers: { ...headers, ...(taken ? { "content-encoding": taken } : {}) } });
}

/** Only browsers on plain HTTP outside localhost need it: elsewhere they take brotli. */
async function unpacked({ bytes }: FaceFile, zipped: boolean): Promise<Uint8Array> {
  const plain = await promisify(brotliDecompress)(await bytes.bytes());
  return zipped ? promisify(gzip)(plain) : plain;
}
