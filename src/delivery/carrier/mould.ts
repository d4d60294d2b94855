// A mould: the bytes that many mails have in common, with holes where they differ.
//
// It is found out by making the bytes twice, with stand-ins of the same lengths that differ in each of their characters. Where the results
// differ are the holes, even where a line break of an encoding goes through one.

/** `from`: which character of the value stands at `at`, and so many of those that follow it. */
type Hole = { readonly value: number; readonly from: number; readonly at: number; readonly length: number };

export type Mould = {
  readonly bytes: Buffer;
  readonly holes: readonly Hole[];
  /** Of the values. */
  readonly lengths: readonly number[];
};

/** Of tokens and identifiers; `--` in front of `=_` is a boundary, so one of the two stand-ins ends so. */
const ONE = { digits: "abcdefgh", filler: "i", end: "ij" };
const OTHER = { digits: "qrstuvwx", filler: "y", end: "--" };
const DIGITS = 4;
const END = 2;
/** So that each stand-in is unlike the others, and has an end. */
const SHORTEST = DIGITS + END;

type Example = { readonly values: readonly string[]; readonly bytes: Buffer };

/**
 * The mould of what `make` makes of values of letters, digits, `-` and `_`; null if it has none, because what is made depends on more than
 * the lengths of the values. `example`: made without a mould, to compare.
 */
export function mouldOf(make: (values: readonly string[]) => Buffer, { values, bytes: made }: Example): Mould | null {
  const lengths = values.map(({ length }) => length);
  if (lengths.some((length) => length < SHORTEST)) return null;
  const [ones, others] = [ONE, OTHER].map((set) => lengths.map((length, value) => standIn(set, value, length)));
  const [bytes, unlike] = [make(ones as string[]), make(others as string[])];
  const holes = bytes.length === unlike.length ? holesIn(bytes, unlike, ones as string[]) : null;
  const mould = holes && { bytes, holes, lengths };
  return mould && cast(mould, values)?.equals(made) ? mould : null;
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

function standIn({ digits, filler, end }: typeof ONE, value: number, length: number): string {
  const name = value.toString(digits.length).padStart(DIGITS, "0");
  const letters = Array.from(name, (digit) => digits[Number(digit)]).join("");
  return letters + filler.repeat(length - SHORTEST) + end;
}

/** Null where something else than stand-ins, each of them whole, is different. */
function holesIn(bytes: Buffer, unlike: Buffer, standIns: readonly string[]): Hole[] | null {
  const holes: Hole[] = [];
  let [value, from] = [-1, 0];
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at] === unlike[at]) continue;
    const start = at;
    if (from === 0) value = valueAt(bytes, at, standIns);
    const text = standIns[value];
    if (text === undefined) return null;
    while (at < bytes.length && bytes[at] !== unlike[at] && bytes[at] === text.charCodeAt(from + at - start)) at++;
    if (at === start) return null;
    holes.push({ value, from, at: start, length: at - start });
    from = (from + at - start) % text.length;
    at--;
  }
  return from === 0 ? holes : null;
}

/** By the letters that it begins with, a soft line break among them left out. */
function valueAt(bytes: Buffer, at: number, standIns: readonly string[]): number {
  const begun = bytes.toString("latin1", at, at + DIGITS + SOFT_BREAK.length).replace(SOFT_BREAK, "");
  return standIns.findIndex((text) => text.startsWith(begun.slice(0, DIGITS)));
}

/** Of quoted-printable. */
const SOFT_BREAK = "=\r\n";
