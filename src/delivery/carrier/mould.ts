// A mould: the bytes that many mails have in common, with holes where they differ.
//
// It is found out by making the bytes twice or three times, of stand-ins that have the lengths of the values. The letters that one place has
// then tell which character of which value it is, as no other character has the same. So values may be short and many, and a line break of
// an encoding may go through them.
import { BOUNDARY_SIGN } from "../../mime/mime-part.ts";

/** `from`: which character of the value stands at `at`, and so many of those that follow it. */
type Hole = { readonly value: number; readonly from: number; readonly at: number; length: number };

export type Mould = {
  readonly bytes: Buffer;
  readonly holes: readonly Readonly<Hole>[];
  /** Of the values. */
  readonly lengths: readonly number[];
};

type Make = (values: readonly string[]) => Buffer;
type Example = { readonly values: readonly string[]; readonly bytes: Buffer };

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const BASE = LETTERS.length;
/** So many characters can have two letters of their own, which are different. */
const MOST_BY_TWO = BASE * (BASE - 1);
const MOST_BY_THREE = MOST_BY_TWO * BASE;
/** Of the stand-ins on which a mould is tried. */
const OTHERS = `${LETTERS}-0123456789_`;

/**
 * The mould of what `make` makes of values of printable ASCII; null if it has none, because what is made depends on more than the lengths
 * of the values. `example`: made without a mould, to compare.
 */
export function mouldOf(make: Make, { values, bytes: made }: Example): Mould | null {
  const lengths = values.map(({ length }) => length);
  const chars = lengths.reduce((sum, length) => sum + length, 0);
  if (chars > MOST_BY_THREE) return null;
  const makings = (chars > MOST_BY_TWO ? [0, 1, 2] : [0, 1]).map((making) =>
    make(standIns(lengths, (char) => LETTERS[lettersOf(char)[making] ?? 0])),
  );
  const holes = holesIn(makings, lengths);
  const mould = holes && { bytes: makings[0] as Buffer, holes, lengths };
  if (mould === null || mayHoldBoundary(mould) || !cast(mould, values)?.equals(made)) return null;
  const others = standIns(lengths, (char) => OTHERS[(char * 29 + 5) % OTHERS.length]);
  return cast(mould, others)?.equals(make(others)) ? mould : null;
}

/** The bytes with these values; null if one of them is of another length. */
export function cast({ bytes, holes, lengths }: Mould, values: readonly string[]): Buffer | null {
  if (lengths.length !== values.length || lengths.some((length, value) => values[value]?.length !== length))
    return null;
  const filled = Buffer.from(bytes);
  for (const { value, from, at, length } of holes)
    filled.write((values[value] as string).substring(from, from + length), at, "latin1");
  return filled;
}

/** Values of these lengths; `letterOf`: of their characters, which are counted through all of them. */
function standIns(lengths: readonly number[], letterOf: (char: number) => string | undefined): string[] {
  let char = 0;
  return lengths.map((length) => Array.from({ length }, () => letterOf(char++)).join(""));
}

function lettersOf(char: number): readonly number[] {
  const [first, rest] = [char % BASE, Math.floor(char / BASE)];
  return [first, (first + 1 + (rest % (BASE - 1))) % BASE, Math.floor(rest / (BASE - 1))];
}

/** The character with these letters; -1 = there can be none. */
function charWith([first = -1, second = -1, third = 0]: readonly number[]): number {
  if (first < 0 || second < 0 || third < 0 || first === second) return -1;
  return first + BASE * (((second - first - 1 + BASE) % BASE) + (BASE - 1) * third);
}

/** Null where something else than stand-ins, each of them whole, is different. */
function holesIn(makings: readonly Buffer[], lengths: readonly number[]): Hole[] | null {
  const places = lengths.flatMap((length, value) => Array.from({ length }, (_, from) => ({ value, from })));
  const holes: Hole[] = [];
  /** In the midst of a value only its next character can follow. */
  let expected = -1;
  for (const at of differencesIn(makings)) {
    const char = charWith(makings.map((bytes) => LETTERS.indexOf(String.fromCharCode(bytes[at] ?? 0))));
    const place = places[char];
    if (!place || (expected === -1 ? place.from !== 0 : char !== expected)) return null;
    expected = place.from + 1 === lengths[place.value] ? -1 : char + 1;
    const last = holes.at(-1);
    if (last && place.from > 0 && at === last.at + last.length) last.length++;
    else holes.push({ ...place, at, length: 1 });
  }
  return expected === -1 ? holes : null;
}

/** Where not all have the same. If they are of different lengths, that goes on beyond an end. */
function differencesIn(makings: readonly Buffer[]): number[] {
  const places: number[] = [];
  const end = Math.max(...makings.map(({ length }) => length));
  const [one, ...others] = makings;
  for (let at = 0; at < end; at++) if (others.some((other) => other[at] !== one?.[at])) places.push(at);
  return places;
}

/**
 * Whether values could make what begins a boundary: a part with that is encoded. Whatever else has a `=` is encoded, so that neither values
 * nor `_` can follow it.
 */
function mayHoldBoundary({ bytes, holes }: Mould): boolean {
  const isOpen = new Uint8Array(bytes.length);
  for (const { at, length } of holes) isOpen.fill(1, at, at + length);
  const sign = Buffer.from(BOUNDARY_SIGN);
  for (let at = bytes.indexOf("="); at !== -1; at = bytes.indexOf("=", at + 1)) {
    const start = at - BOUNDARY_SIGN.indexOf("=");
    const isPossible = sign.every((byte, index) => isOpen[start + index] === 1 || bytes[start + index] === byte);
    if (isPossible && isOpen.subarray(Math.max(0, start), start + sign.length).includes(1)) return true;
  }
  return false;
}
