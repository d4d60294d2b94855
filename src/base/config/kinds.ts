// The kinds of value a setting may have, with the words that refuse a value.

/** The refusal of a value; the message names the allowed values. It never contains the value of a text. */
export class BadValue extends Error {
  override readonly name = "BadValue";
}

/** The form of a value where it is entered. TIME: a length of time. LIST: of texts or lengths of time. */
export const VALUE_FORMS = ["TEXT", "NUMBER", "FLAG", "CHOICE", "TIME", "LIST"] as const;

export type ValueKind<T> = {
  readonly form: (typeof VALUE_FORMS)[number];
  /** The choices of a CHOICE. */
  readonly choices?: readonly T[];
  /**
   * Reads the text of an environment variable; a text that does not fit is answered unchanged, for `check` to refuse.
   */
  readonly fromText: (text: string) => unknown;
  /** Answers the value to keep. @throws BadValue */
  readonly check: (raw: unknown) => T;
};

const CONTROL_CHARACTER = /[\0-\x1f\x7f]/;
const SECONDS_IN = { "": 1, s: 1, m: 60, h: 3600, d: 86_400 };

/** Text of one line. `rule` answers the text to keep, or throws BadValue. */
export function text(rule: (value: string) => string = (value) => value): ValueKind<string> {
  return { form: "TEXT", fromText: asItIs, check: (raw) => rule(oneLine(raw)) };
}

export function number(min: number, max: number): ValueKind<number> {
  const check = (raw: unknown): number => numberWithin(raw, { min, max, isWhole: false });
  return { form: "NUMBER", fromText: numberFromText, check };
}

export function wholeNumber(min: number, max: number): ValueKind<number> {
  const check = (raw: unknown): number => numberWithin(raw, { min, max, isWhole: true });
  return { form: "NUMBER", fromText: numberFromText, check };
}

/** A whole number, or 0 for no limit. */
export function noneOr(min: number, max: number): ValueKind<number> {
  const check = (raw: unknown): number =>
    raw === 0 ? raw : inContext("must be 0, or", () => numberWithin(raw, { min, max, isWhole: true }));
  return { form: "NUMBER", fromText: numberFromText, check };
}

/** How long data is kept; 0 = forever. */
export const days = wholeNumber(0, 36_500);

export const percent = number(0, 100);

export const flag: ValueKind<boolean> = {
  form: "FLAG",
  fromText: (value) => (value === "true" ? true : value === "false" ? false : value),
  check(raw) {
    if (typeof raw !== "boolean") throw new BadValue(`must be true or false, not ${valueText(raw)}`);
    return raw;
  },
};

export function choice<const T extends string>(...allowed: readonly T[]): ValueKind<T> {
  const words = allowed.map((one) => `"${one}"`).join(", ");
  const check = (raw: unknown): T => {
    const found = allowed.find((one) => one === raw);
    if (found === undefined) throw new BadValue(`must be one of ${words}, not ${valueText(raw)}`);
    return found;
  };
  return { form: "CHOICE", choices: allowed, fromText: asItIs, check };
}

/**
 * At most `most` values of one kind. In the environment they are separated by commas; an empty text is an empty list.
 */
export function valueList<T>(entry: ValueKind<T>, most: number): ValueKind<readonly T[]> {
  const check = (raw: unknown): readonly T[] => {
    if (!Array.isArray(raw)) throw new BadValue(`must be a list in square brackets, not ${sortOf(raw)}`);
    if (raw.length > most) throw new BadValue(`must have at most ${most} entries, not ${raw.length}`);
    return raw.map((value, index) => inContext(`has a bad entry ${index + 1}: it`, () => entry.check(value)));
  };
  return {
    form: "LIST",
    fromText: (value) => (value === "" ? [] : value.split(",").map((part) => part.trim())),
    check,
  };
}

/** A length of time such as "30s", "5m", "4h", "2d", or a plain number of seconds; answers seconds. */
export function duration(minSeconds: number, maxSeconds: number): ValueKind<number> {
  const check = (raw: unknown): number => {
    const seconds = secondsIn(raw);
    if (seconds !== null && seconds >= minSeconds && seconds <= maxSeconds) return seconds;
    const range = `from ${minSeconds} to ${maxSeconds} seconds`;
    throw new BadValue(`must be a time ${range}, such as 90, "30s", "5m", "4h" or "2d", not ${valueText(raw)}`);
  };
  return { form: "TIME", fromText: asItIs, check };
}

/** Puts `words` before a refusal of `check`. */
export function inContext<T>(words: string, check: () => T): T {
  try {
    return check();
  } catch (error) {
    if (error instanceof BadValue) throw new BadValue(`${words} ${error.message}`);
    throw error;
  }
}

function asItIs(value: string): string {
  return value;
}

function oneLine(raw: unknown): string {
  if (typeof raw !== "string") throw new BadValue(`must be text in quotes, not ${sortOf(raw)}`);
  if (raw === "") throw new BadValue("must not be empty; leave it out instead");
  if (CONTROL_CHARACTER.test(raw)) throw new BadValue("must be one line without control characters");
  return raw;
}

function numberFromText(value: string): unknown {
  return /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value;
}

function numberWithin(raw: unknown, allowed: { min: number; max: number; isWhole: boolean }): number {
  const fits = typeof raw === "number" && raw >= allowed.min && raw <= allowed.max;
  if (fits && (!allowed.isWhole || Number.isInteger(raw))) return raw;
  const what = allowed.isWhole ? "whole number" : "number";
  throw new BadValue(`must be a ${what} from ${allowed.min} to ${allowed.max}, not ${valueText(raw)}`);
}

/** A length of time such as "30s", "5m", "4h" or "2d", or a number of seconds; null = it is neither. */
export function secondsIn(raw: unknown): number | null {
  if (typeof raw === "number") return Number.isInteger(raw) ? raw : null;
  const match = typeof raw === "string" ? /^(\d{1,9})([smhd]?)$/.exec(raw) : null;
  return match ? Number(match[1]) * SECONDS_IN[match[2] as keyof typeof SECONDS_IN] : null;
}

/** A value as messages show it; only for kinds that hold no secrets. */
function valueText(raw: unknown): string {
  if (typeof raw === "number" || typeof raw === "boolean") return String(raw);
  if (typeof raw !== "string") return sortOf(raw);
  return JSON.stringify(raw.length > 40 ? `${raw.slice(0, 40)}…` : raw);
}

function sortOf(raw: unknown): string {
  if (Array.isArray(raw)) return "a list";
  if (typeof raw === "string") return "text";
  if (typeof raw === "number") return "a number";
  if (typeof raw === "boolean") return `the bare word ${raw}`;
  return Object.getPrototypeOf(raw) === Object.prototype ? "a section" : "a date or time";
}
