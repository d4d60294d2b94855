// The texts of a mail without the recipient's token and the words of values: what it has in common with other mails.
import type { Rendered } from "../../rendering/draft.ts";
import type { Printed } from "../../templates/printed.ts";
import type { Texts } from "./composition.ts";

export type RenderedTexts = Pick<Rendered, "html" | "shown" | "text">;

export type CommonTexts = Texts & {
  /** The same for two mails whose texts differ in nothing but what was taken out. */
  readonly shape: string;
  /** What was taken out, as it stood: first of the HTML, then of the source if that is another text. */
  readonly words: readonly string[];
  readonly inHtml: number;
  /** Which of the words is the first of the source. */
  readonly sourceFrom: number;
};

/** They stand for what was taken out, in texts that have no NUL otherwise. */
const WORD = "\0w";
const TOKEN = "\0t";
const MARKS = /\0[wt]/g;

/** None of its characters separates words, or is escaped in HTML or by an encoding. An entity stays where it is. */
const WORDS = /&#?\w+;|[\w.,:@+/-]+/g;
/** A longer value stays in the common text. */
const MOST_CHARS = 200;
/** Further words stay in the common text. */
const MOST_WORDS = 200;
/** Characters. */
export const MOST_TAKEN_OUT = MOST_CHARS * MOST_WORDS;

/** Null where what is taken out could not be told from what stays. */
export function commonIn({ html, shown, text }: RenderedTexts, token: string): CommonTexts | null {
  const source = text ?? shown;
  if (html.text.includes("\0") || source.text.includes("\0")) return null;
  const words: string[] = [];
  const common = takenApart(html, token, words);
  const inHtml = words.length;
  const isWritten = text !== null;
  if (source === html)
    return { shape: `same\0/${common}`, html: common, source: common, isWritten, words, inHtml, sourceFrom: 0 };
  const other = takenApart(source, token, words);
  const shape = `${isWritten ? "written" : "shown"}\0/${common}\0/${other}`;
  return { shape, html: common, source: other, isWritten, words, inHtml, sourceFrom: inHtml };
}

/** `words` takes what is taken out. */
function takenApart({ text, values }: Printed, token: string, words: string[]): string {
  const take = (word: string) => {
    if (word.startsWith("&") || words.length === MOST_WORDS) return word;
    words.push(word);
    return WORD;
  };
  let [common, done] = ["", 0];
  for (const [start, end] of values) {
    const value = text.slice(start, end);
    if (value.length > MOST_CHARS || value.includes(token)) continue;
    common += text.slice(done, start) + value.replace(WORDS, take);
    done = end;
  }
  return (common + text.slice(done)).replaceAll(token, TOKEN);
}

/** The texts with these in the places of what was taken out. */
export function filled(common: CommonTexts, token: string, words: readonly string[]): Texts {
  const fill = (text: string, from: number) => {
    let next = from;
    return text.replace(MARKS, (mark) => (mark === TOKEN ? token : (words[next++] ?? "")));
  };
  const { html, source, isWritten, sourceFrom } = common;
  return { html: fill(html, 0), source: fill(source, sourceFrom), isWritten };
}
