// Answers that never change while the server runs: made once, compressed in the encoding of the client, and not sent
// again to a client that has them.
import { promisify } from "node:util";
import { brotliCompress, constants, gzip, zstdCompress } from "node:zlib";
import { encodingFor, isKnown } from "./negotiation.ts";

const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };

/** The best first. */
const ENCODERS = {
  br: (bytes: Uint8Array) => promisify(brotliCompress)(bytes, BROTLI),
  zstd: (bytes: Uint8Array) => promisify(zstdCompress)(bytes),
  gzip: (bytes: Uint8Array) => promisify(gzip)(bytes),
};
type ContentEncoding = keyof typeof ENCODERS;
const ENCODINGS = Object.keys(ENCODERS) as readonly ContentEncoding[];

/** `make` is called at the first request; its headers are kept. */
export function unchanging(make: () => Response | Promise<Response>): (request: Request) => Promise<Response> {
  let made: Promise<StaticDocument> | undefined;
  return async ({ headers }) => {
    made ??= Promise.resolve(make()).then(StaticDocument.of);
    return (await made).answer(headers);
  };
}

class StaticDocument {
  readonly #bytes: Uint8Array;
  readonly #headers: Record<string, string>;
  readonly #compressed = new Map<ContentEncoding, Promise<Uint8Array>>();

  private constructor(bytes: Uint8Array, headers: Headers) {
    const etag = `W/"${new Bun.CryptoHasher("sha256").update(bytes).digest("base64url").slice(0, 22)}"`;
    this.#bytes = bytes;
    this.#headers = { "cache-control": "no-cache", ...Object.fromEntries(headers), etag, vary: "accept-encoding" };
  }

  static async of(response: Response): Promise<StaticDocument> {
    return new StaticDocument(await response.bytes(), response.headers);
  }

  async answer(asked: Headers): Promise<Response> {
    const headers = this.#headers;
    if (isKnown(asked, headers["etag"] ?? "")) return new Response(null, { status: 304, headers });
    const encoding = encodingFor(asked, ENCODINGS);
    if (!encoding) return new Response(this.#bytes, { headers });
    const compressed = this.#compressed.get(encoding) ?? ENCODERS[encoding](this.#bytes);
    this.#compressed.set(encoding, compressed);
    return new Response(await compressed, { headers: { ...headers, "content-encoding": encoding } });
  }
}
