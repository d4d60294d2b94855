// GIFs: parsed block by block, since they are kept unchanged, with all their frames.

type Gif = {
  readonly bytes: Uint8Array;
  readonly width: number;
  readonly height: number;
  readonly frames: number;
  /** The pixels of all frames, which may be larger than the whole image. */
  readonly pixels: number;
  /** The longest side of the whole image and of its frames. */
  readonly longestSide: number;
};

const EXTENSION = 0x21;
const IMAGE = 0x2c;
const TRAILER = 0x3b;
const LOOPS = "NETSCAPE2.0";
const CONTROL = 0xf9;
const APPLICATION = 0xff;

/** The GIF without its comments, application data and any bytes after its end; null if it is incomplete. */
export function cleanedGif(bytes: Uint8Array): Gif | null {
  if (!/^GIF8[79]a/.test(latin(bytes, 0, 6))) return null;
  let at = 13 + colorTableBytes(bytes[10] ?? 0);
  const kept: Uint8Array[] = [bytes.subarray(0, at)];
  const [width, height] = [shortAt(bytes, 6), shortAt(bytes, 8)];
  let [frames, pixels, longestSide] = [0, 0, Math.max(width, height)];
  while (at < bytes.length) {
    const kind = bytes[at];
    if (kind === TRAILER) {
      const whole = Buffer.concat([...kept, Buffer.of(TRAILER)]);
      return frames === 0 ? null : { bytes: whole, width, height, frames, pixels, longestSide };
    }
    const end = kind === EXTENSION ? blocksEnd(bytes, at + 2) : kind === IMAGE ? imageEnd(bytes, at) : -1;
    if (end === -1) return null;
    if (kind === IMAGE) {
      frames++;
      const sides = [shortAt(bytes, at + 5), shortAt(bytes, at + 7)] as const;
      pixels += Math.max(width * height, sides[0] * sides[1]);
      longestSide = Math.max(longestSide, ...sides);
    }
    if (kind === IMAGE || isShown(bytes, at)) kept.push(bytes.subarray(at, end));
    at = end;
  }
  return null;
}

/** True for a block that sets the duration of a frame, or the repetition of the animation. */
function isShown(bytes: Uint8Array, at: number): boolean {
  const label = bytes[at + 1];
  return label === CONTROL || (label === APPLICATION && latin(bytes, at + 3, at + 14) === LOOPS);
}

function imageEnd(bytes: Uint8Array, at: number): number {
  return blocksEnd(bytes, at + 10 + colorTableBytes(bytes[at + 9] ?? 0) + 1);
}

/** The position after the empty block that ends the blocks; -1 = none. */
function blocksEnd(bytes: Uint8Array, start: number): number {
  let at = start;
  for (let size = bytes[at]; size !== undefined; size = bytes[at]) {
    at += 1 + size;
    if (size === 0) return at;
  }
  return -1;
}

function shortAt(bytes: Uint8Array, at: number): number {
  return (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8);
}

function colorTableBytes(flags: number): number {
  return flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0;
}

function latin(bytes: Uint8Array, from: number, to: number): string {
  return Buffer.from(bytes.subarray(from, to)).toString("latin1");
}
