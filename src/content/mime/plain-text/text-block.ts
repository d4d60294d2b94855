// A block of text, composed of words and other blocks: words are wrapped into lines, and blocks are separated by line
// breaks.

const SPACES = /[ \t\r\n\f\u200b]+/g;
const NO_WORD = /^[ \t\r\n\f\u200b]*$/;
/** The limit for deeply nested quotes and lists. */
const NARROWEST_CHARS = 20;

export class TextBlock {
  readonly width: number;
  /** Preformatted: white space stays, and nothing is wrapped. */
  readonly isPre: boolean;
  /** Line breaks that separate the block from the text before it. */
  leading: number;
  /** Line breaks between the current text and the text after it. */
  due = 0;
  /** All lines but the last. */
  #text = "";
  #line = "";
  /** The last piece of text ended in white space. */
  #isSpaced = false;
  #mayBreak = false;

  constructor(width: number, leading: number, isPre = false) {
    this.width = width;
    this.isPre = isPre;
    this.leading = leading;
  }

  /** `reserved`: characters of each line that the outer block needs for itself. */
  inner(leading: number, { reserved = 0, isPre = this.isPre } = {}): TextBlock {
    return new TextBlock(Math.max(NARROWEST_CHARS, this.width - reserved), leading, isPre);
  }

  get text(): string {
    return this.#text + this.#line;
  }

  add(text: string): void {
    if (this.isPre) {
      this.#text += text;
      return;
    }
    if (text === "" || (this.due > 0 && NO_WORD.test(text))) return;
    if (this.due > 0) this.breakLine(this.due);
    this.due = 0;
    const words = text.split(SPACES);
    const last = words.length - 1;
    let isApart = this.#isSpaced || words[0] === "";
    for (const word of words) {
      if (word === "") continue;
      if (isApart) this.#push(word);
      else this.#glue(word);
      isApart = true;
    }
    this.#isSpaced = words[last] === "" && (this.#isSpaced || last > 0);
  }

  breakLine(count = 1): void {
    this.#text += this.#line + "\n".repeat(count);
    this.#line = "";
  }

  /** Lets a word that is glued to the current text begin a new line. */
  mayBreak(): void {
    this.#mayBreak = true;
  }

  /** `leading`, `trailing`: line breaks that separate the lines from the text before and after them. */
  addLines(lines: string, leading: number, trailing: number): void {
    const before = this.text;
    const breaks = Math.max(this.due, leading);
    if (before === "") this.leading = breaks;
    this.#text = before === "" ? lines : before + "\n".repeat(breaks) + lines;
    this.#line = "";
    this.due = trailing;
  }

  #push(word: string): void {
    if (this.#line === "") this.#line = word;
    else if (this.#line.length + 1 + word.length <= this.width) this.#line += ` ${word}`;
    else {
      this.breakLine();
      this.#line = word;
    }
  }

  /** If necessary, moves to the next line together with the text it is glued to. */
  #glue(word: string): void {
    if (this.#mayBreak && this.#line.length + word.length > this.width) {
      this.#mayBreak = false;
      return this.#push(word);
    }
    const start = this.#line.lastIndexOf(" ");
    const before = this.#line.slice(start + 1);
    this.#line = this.#line.slice(0, Math.max(0, start));
    this.#push(before + word);
  }
}

export function withoutSpaces(text: string): string {
  return text.replace(SPACES, "");
}
