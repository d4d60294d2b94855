// Prepares an uploaded image: decodes it, limits its width, and encodes it again. Only images are served, without
// location data and without a script after the end.
import { RequestQueue } from "../../base/brakes/fair-queue.ts";
import type { Clock } from "../../base/clock.ts";
import { invalidField } from "../../base/errors.ts";
import { cleanedGif } from "./gif.ts";
import type { ImageType } from "./queries.ts";

export const MAX_UPLOAD_BYTES = 5 * 1024 * 1024;
export const MAX_WIDTH = 1_600;
/** A decoded pixel takes four bytes. */
export const MAX_PIXELS = 4_096 * 4_096;
/** The longest side: mail programs fail on longer ones, and decoders on a few rows of many pixels. */
const MAX_SIDE = 16_384;
/** The pixels of all frames of an animation. */
const MAX_ANIMATED_PIXELS = 16 * MAX_PIXELS;
const QUALITY = 85;

export type ImageFile = {
  readonly bytes: Uint8Array;
  readonly type: ImageType;
  readonly width: number;
  readonly height: number;
};

type Pixels = { readonly width: number; readonly height: number };

export class ImagePreparation {
  readonly #turns: RequestQueue;

  /** One image at a time, since each takes memory; workspaces take turns. */
  constructor(clock: Clock) {
    this.#turns = new RequestQueue(clock, 1, "pictures");
  }

  /**
   * @throws AppError VALIDATION_ERROR on `content` if it is no picture or too large; STORE_UNAVAILABLE if it would wait
   * too long for its turn
   */
  run(workspace: number, bytes: Uint8Array, maxWidth: number): Promise<ImageFile> {
    if (bytes.length > MAX_UPLOAD_BYTES) throw imageFault("The picture is larger than 5 MB.", "too_big");
    const type = typeOf(bytes);
    if (type === null) throw imageFault("This is no PNG, JPEG, GIF or WebP.", "invalid_image");
    return this.#turns.run(workspace, () => prepared(bytes, type, maxWidth));
  }
}

/** The type by the first bytes, ignoring the file name. */
function typeOf(bytes: Uint8Array): ImageType | null {
  const start = Buffer.from(bytes.subarray(0, 12)).toString("latin1");
  if (start.startsWith("\x89PNG\r\n\x1a\n")) return "png";
  if (start.startsWith("\xff\xd8\xff")) return "jpg";
  if (/^GIF8[79]a/.test(start)) return "gif";
  return /^RIFF....WEBP$/s.test(start) ? "webp" : null;
}

async function prepared(bytes: Uint8Array, type: ImageType, maxWidth: number): Promise<ImageFile> {
  try {
    return type === "gif" ? await preparedGif(bytes, maxWidth) : await written(bytes, type, maxWidth);
  } catch (error) {
    throw asRefusal(error);
  }
}

async function written(bytes: Uint8Array, type: "png" | "jpg" | "webp", maxWidth: number): Promise<ImageFile> {
  const image = new Bun.Image(bytes, { maxPixels: MAX_PIXELS });
  const { width } = soundSize(await image.metadata());
  const resized = width > maxWidth ? image.resize(maxWidth) : image;
  const encoded = {
    png: () => resized.png(),
    jpg: () => resized.jpeg({ quality: QUALITY }),
    webp: () => resized.webp({ quality: QUALITY }),
  };
  const made = await encoded[type]().bytes();
  return { bytes: made, type, ...(await sizeOf(made)) };
}

/** A GIF with one frame is prepared like other images; an animation keeps its frames. */
async function preparedGif(bytes: Uint8Array, maxWidth: number): Promise<ImageFile> {
  const gif = cleanedGif(bytes);
  if (!gif || gif.width === 0 || gif.height === 0) throw imageFault("The GIF is not whole.", "invalid_image");
  const { width, height, frames, longestSide } = gif;
  if (width * height > MAX_PIXELS) throw tooManyPixels();
  if (longestSide > MAX_SIDE) throw tooLong();
  if (gif.pixels > MAX_ANIMATED_PIXELS) throw imageFault("The animation has too many frames for its size.", "too_big");
  const first = await new Bun.Image(gif.bytes, { maxPixels: MAX_PIXELS }).png().bytes();
  if (frames === 1 && width > maxWidth) return written(first, "png", maxWidth);
  return { bytes: gif.bytes, type: "gif", width, height };
}

async function sizeOf(bytes: Uint8Array): Promise<Pixels> {
  return soundSize(await new Bun.Image(bytes, { maxPixels: MAX_PIXELS }).metadata());
}

/** @throws AppError VALIDATION_ERROR */
function soundSize({ width, height }: Pixels): Pixels {
  if (width < 1 || height < 1 || width * height > MAX_PIXELS) throw tooManyPixels();
  if (Math.max(width, height) > MAX_SIDE) throw tooLong();
  return { width, height };
}

function asRefusal(error: unknown): unknown {
  const code = String((error as { readonly code?: unknown }).code ?? "");
  if (!code.startsWith("ERR_IMAGE_")) return error;
  return code === "ERR_IMAGE_TOO_MANY_PIXELS"
    ? tooManyPixels()
    : imageFault("The picture cannot be decoded.", "invalid_image");
}

function tooLong() {
  return imageFault(`Each side of a picture has at most ${MAX_SIDE} pixels.`, "too_big");
}

function tooManyPixels() {
  return imageFault(`A picture has at most ${MAX_PIXELS} pixels, such as 4096 by 4096.`, "too_big");
}

function imageFault(message: string, code: string) {
  return invalidField("content", message, code);
}
