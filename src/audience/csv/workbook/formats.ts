// Numbers in cells as texts: dates, times, and numbers with leading zeros are known by the format of the cell alone.

/** How a number of a format is shown. */
export type NumberFormat =
  | { readonly kind: "number" }
  | { readonly kind: "moment"; readonly hasDate: boolean; readonly hasTime: boolean }
  /** Hours beyond 24. */
  | { readonly kind: "duration" }
  /** `00000` or `000\-000`: digits, and signs between them. */
  | { readonly kind: "zeros"; readonly pattern: string };

const PLAIN: NumberFormat = { kind: "number" };
const DATE: NumberFormat = { kind: "moment", hasDate: true, hasTime: false };
const TIME: NumberFormat = { kind: "moment", hasDate: false, hasTime: true };
const DATE_TIME: NumberFormat = { kind: "moment", hasDate: true, hasTime: true };

/** The formats that a workbook need not spell out (ECMA-376 part 1, 18.8.30). */
export function builtInFormat(id: number): NumberFormat {
  if ((id >= 14 && id <= 17) || (id >= 27 && id <= 31) || id === 36 || (id >= 50 && id <= 58)) return DATE;
  if ((id >= 18 && id <= 21) || (id >= 32 && id <= 35) || id === 45 || id === 47) return TIME;
  if (id === 46) return { kind: "duration" };
  return id === 22 ? DATE_TIME : PLAIN;
}

/** A text in quotes, a sign after a backslash, a blank as wide as a sign, and a sign that fills the cell. */
const LITERAL = /"([^"]*)"|\\(.)|_.|\*./g;
/** Colours, conditions, currencies and languages, but not durations such as `[h]`. */
const BRACKETS = /\[(?!(?:h+|m+|s+)\])[^\]]*\]/gi;
const ZEROS = /^[^#?.,%/eE@]*0[^#?.,%/eE@]*0[^#?.,%/eE@]*$/;

/**
 * `code`: as the workbook spells it, such as `dd.mm.yyyy`. Only its first part counts, which is for positive numbers.
 */
export function formatOf(code: string): NumberFormat {
  const bare = code.replace(BRACKETS, "");
  const signs = partOf(bare)
    .replace(LITERAL, "")
    .replace(/General|AM\/PM|A\/P/gi, "")
    .toLowerCase();
  if (/\[(?:h+|m+|s+)\]/.test(signs)) return { kind: "duration" };
  const hasTime = /[hs]/.test(signs);
  const hasDate = /[dy]/.test(signs) || (/m/.test(signs) && !hasTime);
  if (hasDate || hasTime) return { kind: "moment", hasDate, hasTime };
  return ZEROS.test(signs) ? { kind: "zeros", pattern: patternOf(partOf(bare)) } : PLAIN;
}

/** Up to the first semicolon that is not quoted. */
function partOf(code: string): string {
  return /^(?:"[^"]*"|\\.|[^;"\\])*/.exec(code)?.[0] ?? "";
}

/** Signs beside the zeros stand for themselves; zeros in a text are no placeholders. */
function patternOf(part: string): string {
  return part.replace(LITERAL, (_, text: string | undefined, sign: string | undefined) =>
    (text ?? sign ?? "").replaceAll("0", "\0"),
  );
}

const DAY_MS = 24 * 60 * 60 * 1000;
/** Day 1 of the years from 1900 on is 1 January. Excel has a 29 February 1900, so later days are one ahead. */
const DAY_0_OF_1900_MS = Date.UTC(1899, 11, 31);
const NO_DAY = 60;
const DAY_0_OF_1904_MS = Date.UTC(1904, 0, 1);
const LAST_DAY = 2_958_465;

/** The text of a number. `written`: as the workbook has it; `is1904`: days count from 1904. */
export function textOf(written: string, format: NumberFormat, is1904: boolean): string {
  const number = Number(written);
  if (written.trim() === "" || !Number.isFinite(number)) return written;
  if (format.kind === "zeros" && Number.isSafeInteger(number) && number >= 0) return padded(number, format.pattern);
  if (format.kind === "duration" && number >= 0) return durationOf(number);
  if (format.kind === "moment" && number >= 0 && number < LAST_DAY + 1) return momentOf(number, format, is1904);
  return decimalOf(written.trim(), number);
}

/** A spreadsheet counts with fifteen digits and stores seventeen; whole numbers keep all they have. */
function decimalOf(written: string, number: number): string {
  if (/^-?\d+$/.test(written)) return written;
  const text = String(Number(number.toPrecision(15)));
  if (!text.includes("e")) return text;
  return Number.isInteger(number) ? String(BigInt(number)) : number.toFixed(20).replace(/\.?0+$/, "");
}

function momentOf(days: number, { hasDate, hasTime }: NumberFormat & { kind: "moment" }, is1904: boolean): string {
  const ms = Math.round(days * DAY_MS);
  const ahead = !is1904 && ms >= NO_DAY * DAY_MS ? DAY_MS : 0;
  const moment = new Date((is1904 ? DAY_0_OF_1904_MS : DAY_0_OF_1900_MS) + ms - ahead).toISOString();
  const time = moment.slice(11, 23).replace(/\.000$/, "");
  if (!hasDate) return days < 1 ? time : `${moment.slice(0, 10)}T${time}`;
  return hasTime ? `${moment.slice(0, 10)}T${time}` : moment.slice(0, 10);
}

function durationOf(days: number): string {
  const seconds = Math.round(days * 24 * 60 * 60);
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return parts.map((part) => String(part).padStart(2, "0")).join(":");
}

/** The digits take the zeros of the pattern from the right; any further digits stand before the first. */
function padded(number: number, pattern: string): string {
  const zeros = pattern.split("0").length - 1;
  const digits = String(number).padStart(zeros, "0");
  let at = digits.length - zeros;
  let isFirst = true;
  const text = pattern.replaceAll("0", () => {
    const from = isFirst ? 0 : at;
    isFirst = false;
    return digits.slice(from, ++at);
  });
  return text.replaceAll("\0", "0");
}
