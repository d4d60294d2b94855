// Names that stand for the words of a mail while its HTML is read, to see what the reader takes them for.
import { randomBytes } from "node:crypto";

/** Indexes of words. */
export type Which = ReadonlySet<number>;

/** What a word can be the rest of: the beginning of a tag or an entity, which is never as long as this. */
const BEGINNING = String.raw`<[^\s>]{0,99}|&[#\w]{0,99}`;

export class Names {
  // A letter first, as with letters tags and entities begin. No mail can know it, and show it where no word stands.
  readonly #name = `n${randomBytes(12).toString("hex")}n`;
  readonly #pattern = new RegExp(`${this.#name}(\\d+)n`, "g");
  readonly #behindMarkup = new RegExp(`${this.#pattern.source}(?<=(?:${BEGINNING})${this.#name}\\d+n)`, "g");

  /** The words, but for those that are `fixed` their names. */
  insteadOf(words: readonly string[], fixed: Which): string[] {
    return words.map((word, index) => (fixed.has(index) ? word : `${this.#name}${index}n`));
  }

  /** Those that the text has. */
  in(text: string): Which {
    return found(text, this.#pattern);
  }

  /** Those with which a tag or an entity could begin, or its name go on. */
  behindMarkup(html: string): Which {
    return found(html, this.#behindMarkup);
  }

  /** Whether the text could be `other` if it had words of the lengths of `words`. */
  mayMake(text: string, other: string, words: readonly string[]): boolean {
    let at = 0;
    const fits = text.split(this.#pattern).every((part, index) => {
      const isName = index % 2 === 1;
      const start = at;
      at += isName ? (words[Number(part)] ?? "").length : part.length;
      return isName || other.startsWith(part, start);
    });
    return fits && at === other.length;
  }
}

function found(text: string, pattern: RegExp): Which {
  return new Set([...text.matchAll(pattern)].map(([, index]) => Number(index)));
}
