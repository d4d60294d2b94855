// Numbers and dates as spreadsheets of different countries write them.
import { momentOf } from "../../base/moments.ts";

/** The decimal mark; the other one may separate thousands. */
export type DecimalMark = "." | ",";
/** The first part of a date. */
export type DateOrder = "year" | "day" | "month";

const GROUP = "\u00a0\u202f'’";
const NUMBERS: Readonly<Record<DecimalMark, RegExp>> = {
  ".": new RegExp(`^-?(?:0|[1-9]\\d*|[1-9]\\d{0,2}(?:[,${GROUP}]\\d{3})+)(?:\\.(\\d+))?$`),
  ",": new RegExp(`^-?(?:0|[1-9]\\d*|[1-9]\\d{0,2}(?:[.${GROUP}]\\d{3})+)(?:,\\d+)?$`),
};
const MAX_NUMBER_CHARS = 25;
/** Before or after an amount. */
const CURRENCY =
  "(?:US|CA|AU|NZ|[CAR])?\\$|[€£¥₹₺₩₴₪฿]|CHF|USD|EURO?|GBP|CAD|AUD|NZD|JPY|SEK|NOK|DKK|ISK|PLN|CZK|HUF|RON|TRY|INR|BRL|MXN|Fr\\.|kr\\.?|zł|Kč";
const BEFORE = new RegExp(`^([-+]?)(?:${CURRENCY})[\\s\u00a0]?([-+]?)(?=\\d)`, "i");
const AFTER = new RegExp(`(?<=\\d|[.,][-–—]{1,2})[\\s\u00a0]?(?:${CURRENCY})$`, "i");
/** Currencies of countries that write a comma before the cents. */
const WITH_COMMA = /^(?:€|euro?|₺|try|r\$|brl|sek|nok|dkk|isk|kr\.?|pln|zł|czk|kč|huf|ron)$/;
/** Removed around a number in a column of numbers. */
const AROUND = new RegExp(`\\s|${CURRENCY}|^\\+`, "gi");

/** Thousands separated by a blank: outside a column of numbers, such digits may be a telephone number. */
const BLANK_GROUP = /(?<=\d) (?=\d{3}(?!\d))/g;
/** As in `5,- €` and `CHF 5.—`. */
const NO_CENTS = /(?<=\d)[.,][-–—]{1,2}$/;

/** Accountants' notation of negative numbers. */
const BRACKETS = /^\((?=[^()]*\d)([^()]+)\)$/;
/** Other brackets may be a note or the beginning of a telephone number. */
const IS_AMOUNT = new RegExp(`${CURRENCY}|[.,]\\d\\d$`, "i");

/** Replaces the typographic minus, and brackets around a negative number, by a hyphen. */
function withSign(written: string): string {
  const text = written.replace(/^\u2212|(?<=^\D{1,5})\u2212(?=\d)/, "-");
  const [, inside] = BRACKETS.exec(text) ?? [];
  return inside === undefined ? text : `-${inside}`;
}

/**
 * Splits an amount such as `$1,000.50` or `($5.00)` into number and currency. Any other text is answered as it is, with
 * an empty currency.
 */
export function amountIn(written: string): { readonly number: string; readonly currency: string } {
  if (!/^\D|\D$/.test(written)) return { number: written, currency: "" };
  const text = BRACKETS.test(written) && !IS_AMOUNT.test(written.slice(1, -1)) ? written : withSign(written);
  const number = text.replace(BEFORE, "$1$2").replace(AFTER, "");
  if (number === text) return { number, currency: "" };
  const currency = text.replace(/[-+–—\d.,'’\s\u00a0\u202f]/g, "").toLowerCase();
  return { number: number.replace(/^\+/, "").replace(NO_CENTS, "").replace(BLANK_GROUP, "\u00a0"), currency };
}

/**
 * True if `1.000` in this currency is a thousand: prices have no thousandths, and the currency's countries group
 * thousands with a point.
 */
export function isGroupedAmount(text: string): boolean {
  const { number, currency } = amountIn(text);
  return WITH_COMMA.test(currency) && /^-?[1-9]\d{0,2}\.\d{3}$/.test(number);
}

/**
 * The number if the text is one beyond doubt: `007` is a code, `7.0` and `1e3` are ambiguous, and beyond 2^53 digits
 * would be lost.
 */
export function numberIn(written: string, mark: DecimalMark): number | null {
  if (written.length > MAX_NUMBER_CHARS) return null;
  const text = amountIn(written).number;
  if (!NUMBERS[mark].test(text)) return null;
  if (mark === "." && /\.\d*0$/.test(text) && decimalsOf(text) < 2) return null;
  const number = plainNumber(text, mark);
  return Object.is(number, -0) ? null : number;
}

/** The number that the text means in a column of numbers; null = none. */
export function readNumber(text: string, mark: DecimalMark): number | null {
  const bare = withSign(text.trim()).replace(AROUND, "").replace(NO_CENTS, "").replace(/^\+/, "");
  const form = mark === "." ? /^-?\d[\d,'’]*(\.\d+)?(e[+-]?\d{1,3})?$/i : /^-?\d[\d.'’]*(,\d+)?$/;
  return form.test(bare) ? plainNumber(bare, mark) : null;
}

function plainNumber(text: string, mark: DecimalMark): number | null {
  const number = Number(text.replace(mark === "." ? /[^\d.e+-]/gi : /[^\d,-]/g, "").replace(",", "."));
  return Math.abs(number) <= Number.MAX_SAFE_INTEGER ? number : null;
}

/** The number of digits after the point. */
export function decimalsOf(text: string): number {
  return text.length - 1 - text.lastIndexOf(".");
}

const TIME = "(?:,?[ T](\\d{1,2}):([0-5]\\d)(?::([0-5]\\d))?(?: ?([ap])\\.?m\\.?)?)?$";
const YEAR_FIRST = new RegExp(`^(\\d{4})([/.])(\\d{1,2})\\2(\\d{1,2})${TIME}`, "i");
const YEAR_LAST = new RegExp(`^(\\d{1,2})([./-])(\\d{1,2})\\2(\\d{4})${TIME}`, "i");

/** The date in ISO 8601, with a time if the text has one. A text already in ISO 8601 stays as it is. */
export function dateIn(text: string, order: DateOrder): string | null {
  if (order === "year") return momentOf(text) === null ? inOrder(YEAR_FIRST.exec(text), "year") : text;
  return inOrder(YEAR_LAST.exec(text), order);
}

function inOrder(found: RegExpExecArray | null, order: DateOrder): string | null {
  if (!found) return null;
  const [, first = "", , second = "", third = "", hours, minutes, seconds, half] = found;
  const [year, month, day] =
    order === "year" ? [first, second, third] : order === "day" ? [third, second, first] : [third, first, second];
  const date = `${year}-${twoDigits(month)}-${twoDigits(day)}`;
  const time = hours === undefined ? "" : `T${inDay(Number(hours), half)}:${minutes}${seconds ? `:${seconds}` : ""}`;
  return momentOf(date + time) === null ? null : date + time;
}

/** `half`: the half of the day, as in 2:30 pm. */
function inDay(hours: number, half: string | undefined): string {
  if (half === undefined) return twoDigits(hours);
  if (hours < 1 || hours > 12) return "--";
  return twoDigits((hours % 12) + (half.toLowerCase() === "p" ? 12 : 0));
}

function twoDigits(number: string | number): string {
  return String(number).padStart(2, "0");
}
