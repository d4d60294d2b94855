// Finds where a text stops being JSON (RFC 8259), for people who wrote it by hand: JSON.parse of this runtime does not
// say.
import type { TextPosition } from "../../base/errors.ts";

const WORD = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.+-])|(?:true|false|null)(?!\w)/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y;
const SPACES = /[ \t\n\r]+/y;
/** The characters of a string between its escapes. */
const PLAIN = /[^"\\\u0000-\u001f]+/y;
const LONGEST_SHOWN = 20;
/** The limit on words, texts, escapes and marks that are read: a body of millions was not written by hand. */
const MOST_PIECES = 200_000;
/** Behind so much text, a fault is told without its place: counting lines there takes longer than it helps. */
const MOST_CHARS = 2_000_000;

/**
 * The first fault with its message; null = none in the part that is read. The text is nested no deeper than the stack
 * allows.
 */
export function jsonFault(text: string): (TextPosition & { readonly message: string }) | null {
  const fault = new JsonScanner(text).fault();
  if (fault === null || fault === UNREAD || fault.at > MOST_CHARS) return null;
  const before = text.slice(0, fault.at);
  return {
    line: 1 + lineEndsIn(before),
    column: fault.at - before.lastIndexOf("\n"),
    message: `${fault.wanted}${insteadAt(text, fault.at)}`,
  };
}

function lineEndsIn(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) === LINE_END) count++;
  return count;
}

const LINE_END = 0x0a;

function insteadAt(text: string, at: number): string {
  if (at >= text.length) return ", but the body ends";
  const word = /^[\w$.+-]+|^./su.exec(text.slice(at, at + LONGEST_SHOWN))?.[0] ?? "";
  return `, but there is ${JSON.stringify(word)}`;
}

type JsonFault = { readonly at: number; readonly wanted: string };

const UNREAD: JsonFault = { at: 0, wanted: "" };

class JsonScanner {
  #at = 0;
  #pieces = 0;

  constructor(private readonly text: string) {}

  fault(): JsonFault | null {
    const fault = this.#value();
    return fault ?? (this.#next() === undefined ? null : this.#wants("nothing more is expected"));
  }

  #value(): JsonFault | null {
    if (this.#pieces > MOST_PIECES) return UNREAD;
    const first = this.#next();
    if (first === "{") return this.#members("}", () => this.#member());
    if (first === "[") return this.#members("]", () => this.#value());
    if (first === '"') return this.#string();
    return this.#passes(WORD) ? null : this.#wants("a value is expected");
  }

  #members(end: "}" | "]", read: () => JsonFault | null): JsonFault | null {
    this.#at++;
    for (let isFirst = true; ; isFirst = false) {
      if (isFirst && this.#next() === end) break;
      const fault = read();
      if (fault) return fault;
      const next = this.#next();
      if (next === end) break;
      if (next !== ",") return this.#wants(`a comma or ${end} is expected`);
      this.#at++;
    }
    this.#at++;
    return null;
  }

  #member(): JsonFault | null {
    if (this.#next() !== '"') return this.#wants("a name in double quotes is expected");
    const fault = this.#string();
    if (fault) return fault;
    if (this.#next() !== ":") return this.#wants("a colon is expected");
    this.#at++;
    return this.#value();
  }

  #string(): JsonFault | null {
    for (this.#at++; ;) {
      this.#passes(PLAIN);
      const character = this.text[this.#at];
      if (character === undefined) return this.#wants('a text needs its second "');
      if (character === '"') break;
      if (character !== "\\") return this.#wants("a text is on one line (\\n stands for a line break)");
      if (!this.#passes(ESCAPE)) return this.#wants("a backslash in a text is written \\\\");
    }
    this.#at++;
    return null;
  }

  /** The next character, after blanks. */
  #next(): string | undefined {
    this.#passes(SPACES);
    return this.text[this.#at];
  }

  #passes(expression: RegExp): boolean {
    if (++this.#pieces > MOST_PIECES) return false;
    expression.lastIndex = this.#at;
    if (!expression.test(this.text)) return false;
    this.#at = expression.lastIndex;
    return true;
  }

  #wants(wanted: string): JsonFault {
    return this.#pieces > MOST_PIECES ? UNREAD : { at: this.#at, wanted };
  }
}
