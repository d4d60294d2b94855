// GET /i/{hash}.png: an image in mails. Requests are not recorded and set no cookies.
import { Elysia } from "elysia";
import { BoundedMap } from "../../base/brakes/bounded-map.ts";
import { content } from "../../http/answers.ts";
import { isKnown } from "../../http/negotiation.ts";
import type { LinkBases } from "../../base/link-bases.ts";
import type { Store } from "../../store/store.ts";
import { bytesOf, type ImageBytes, type ImageType } from "./queries.ts";

/** Cached images: many recipients open a mail at the same time. */
const MOST_KEPT = 500;
const MOST_KEPT_BYTES = 16 * 1024 * 1024;

const MIME: Readonly<Record<ImageType, string>> = {
  png: "image/png",
  jpg: "image/jpeg",
  gif: "image/gif",
  webp: "image/webp",
};

const SERVED = {
  detail: {
    name: "showImage",
    summary: "Serve an image",
    answers: { 200: content("image/*"), 304: null, 404: content("text/plain") },
    key: "none",
    description: "By the address that its record has. It may be kept forever.",
  },
};

export class PublicImages {
  readonly #store: Store;
  readonly #bases: LinkBases;
  readonly #kept = new BoundedMap<string, ImageBytes>(MOST_KEPT, MOST_KEPT_BYTES);

  constructor(store: Store, bases: LinkBases) {
    this.#store = store;
    this.#bases = bases;
  }

  routes() {
    return new Elysia().get("/i/:file", ({ params: { file }, request }) => this.#answer(file, request), SERVED);
  }

  /** Other processes may serve the image for a while. */
  forget(hash: string): void {
    for (const type of Object.keys(MIME)) this.#kept.delete(`${hash}.${type}`);
  }

  async #answer(file: string, request: Request): Promise<Response> {
    const [, hash = "", type = "png"] = /^([0-9a-f]{40})\.(png|jpg|gif|webp)$/.exec(file) ?? [];
    const image = hash === "" ? null : await this.#image(file, hash, type as ImageType);
    if (!image || !this.#bases.admits(request, image.workspace))
      return new Response("There is no such image.", {
        status: 404,
        headers: { "cache-control": "no-store", "content-type": "text/plain; charset=utf-8" },
      });
    const headers = headersOf(hash, type as ImageType);
    return isKnown(request.headers, headers["etag"] ?? "")
      ? new Response(null, { status: 304, headers })
      : new Response(image.bytes as Uint8Array<ArrayBuffer>, { headers });
  }

  async #image(file: string, hash: string, type: ImageType): Promise<ImageBytes | null> {
    const kept = this.#kept.get(file);
    if (kept) return kept;
    const image = await this.#store.read((reader) => bytesOf(reader, hash, type));
    if (image) this.#kept.set(file, image, image.bytes.length);
    return image;
  }
}

/** Other sites show the image, mainly web mail; opened directly, it cannot act as anything but an image. */
function headersOf(hash: string, type: ImageType): Record<string, string> {
  return {
    "content-type": MIME[type],
    "cache-control": "public, max-age=31536000, immutable",
    etag: `"${hash}"`,
    "cross-origin-resource-policy": "cross-origin",
    "content-security-policy": "sandbox; default-src 'none'",
    "x-robots-tag": "noindex",
  };
}
