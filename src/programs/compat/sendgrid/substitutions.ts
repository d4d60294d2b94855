// Substitutions: each key in a text is replaced by its value, in one pass over the text.
import { invalidField } from "../../../base/errors.ts";
import { textIn, type JsonFields } from "../fields.ts";

/** SendGrid's limit for one personalization, in characters. */
const MOST_GIVEN_CHARS = 50_000;
const LONGEST_KEY_CHARS = 200;
const LONGEST_CHARS = 1024 * 1024;
/** The limit of the texts of all personalizations together. */
const MOST_CHARS = 15 * 1024 * 1024;
/** The limit of stored texts, once for each personalization, with and without substitutions. */
const MOST_STORED_CHARS = 50_000_000;
/** A key is looked for where a text has its first two characters, once for each length that such keys have. */
const MOST_LOOKS = 600_000;

/** The cost of a call's personalizations together. */
export class Effort {
  #chars = 0;
  #stored = 0;
  #looks = 0;

  /** @throws AppError VALIDATION_ERROR */
  store(text: unknown): void {
    if (typeof text === "string" && (this.#stored += text.length) > MOST_STORED_CHARS)
      throw invalidField(
        "personalizations",
        "The texts of all these personalizations together are larger than 50 MB: send fewer at once.",
        "too_big",
      );
  }

  /** @throws AppError VALIDATION_ERROR */
  read(chars: number): void {
    if ((this.#chars += chars) > MOST_CHARS)
      throw tooLarge("With their substitutions, the texts of these personalizations are larger than 15 MB.");
  }

  /** @throws AppError VALIDATION_ERROR */
  look(times: number): void {
    if ((this.#looks += times) > MOST_LOOKS)
      throw tooLarge("There are too many substitutions for texts of this length: send fewer personalizations at once.");
  }
}

/** Among keys that begin alike, the longest wins. @throws AppError VALIDATION_ERROR */
export function substituting(given: JsonFields, effort: Effort): (text: unknown) => unknown {
  const values = new Map(
    Object.entries(given)
      .filter(([key]) => key !== "")
      .map(([key, value]) => [key, textIn("substitutions", value)]),
  );
  if (values.size === 0) return (text) => text;
  const lengths = lengthsIn(values);
  return (text) => (typeof text === "string" ? replaced(text, { values, lengths }, effort) : text);
}

/** The lengths of keys that begin alike, longest first: by the code of their first character, then of their second. */
type Lengths = readonly (ReadonlyMap<number, readonly number[]> | undefined)[];
/** In place of a second character, for a key of one: it fits any text that begins with it. */
const ANY = -1;

function lengthsIn(values: ReadonlyMap<string, string>): Lengths {
  const starts: Map<number, Set<number>>[] = [];
  let chars = 0;
  for (const [key, value] of values) {
    chars += key.length + value.length;
    if (key.length > LONGEST_KEY_CHARS) throw tooLarge(`A key has at most ${LONGEST_KEY_CHARS} characters.`);
    const seconds = (starts[key.charCodeAt(0)] ??= new Map<number, Set<number>>());
    const second = key.length === 1 ? ANY : key.charCodeAt(1);
    seconds.set(second, (seconds.get(second) ?? new Set()).add(key.length));
  }
  if (chars > MOST_GIVEN_CHARS) throw tooLarge(`A personalization has at most ${MOST_GIVEN_CHARS} characters of them.`);
  return starts.map((seconds) => {
    const single = seconds.has(ANY) ? [1] : [];
    return new Map([...seconds].map(([second, set]) => [second, inOrder(new Set([...set, ...single]))]));
  });
}

function inOrder(lengths: ReadonlySet<number>): readonly number[] {
  return [...lengths].sort((one, other) => other - one);
}

type Substitutions = { readonly values: ReadonlyMap<string, string>; readonly lengths: Lengths };

function replaced(text: string, { values, lengths }: Substitutions, effort: Effort): string {
  effort.read(text.length);
  let [result, from] = ["", 0];
  for (let at = 0; at < text.length; at++) {
    const seconds = lengths[text.charCodeAt(at)];
    const possible = seconds && (seconds.get(text.charCodeAt(at + 1)) ?? seconds.get(ANY));
    if (!possible) continue;
    const found = longest(text, at, { values, possible, effort });
    if (!found) continue;
    const { length, value } = found;
    effort.read(value.length);
    result += text.slice(from, at) + value;
    if (result.length > LONGEST_CHARS) throw tooLarge("With its substitutions, a text is larger than 1 MB.");
    from = at + length;
    at = from - 1;
  }
  return result + text.slice(from);
}

type SubstitutionSearch = Pick<Substitutions, "values"> & {
  readonly possible: readonly number[];
  readonly effort: Effort;
};

function longest(text: string, at: number, { values, possible, effort }: SubstitutionSearch) {
  for (const length of possible) {
    effort.look(1);
    const value = values.get(text.slice(at, at + length));
    if (value !== undefined) return { length, value };
  }
  return undefined;
}

function tooLarge(message: string) {
  return invalidField("substitutions", message, "too_big");
}
