// Whether the words of a mail stand in text or in markup. In text only the length of a word matters for the rest of the entity: line breaks
// and encodings depend on nothing else.
//
// Two parsers read the HTML: one to track links, one to make the text version. Each is given the HTML with a name in place of each word, and
// says which names it takes for text.
import { beginningOf } from "../../mime/plain-text.ts";
import { allTextIn, linksIn, type ReadLink } from "../../mime/text-places.ts";
import { textsIn } from "../tracking/html.ts";
import { filled, MOST_TAKEN_OUT, type CommonTexts } from "./common-texts.ts";
import { tokenOf, type Mail } from "./composition.ts";
import { Names, type Which } from "./names.ts";

/** `links`: a link whose text is its URL is shown once, so more than the lengths of its words matters. */
type Read = { readonly placed: Which; readonly links: readonly ReadLink[] };

const NOTHING: Read = { placed: new Set(), links: [] };

export class Reading {
  readonly #names = new Names();
  readonly #misplaced: Which;
  readonly #links: readonly ReadLink[];

  /** Words that are `fixed` stay as they are, and are not looked at. */
  constructor(mail: Mail, common: CommonTexts, fixed: Which) {
    const { words, inHtml, sourceFrom, isWritten } = common;
    const { html, source } = filled(common, tokenOf(mail), this.#names.insteadOf(words, fixed));
    const inTags = mail.tracking === null ? null : attempt(() => readForTracking(html, this.#names));
    const inText = isWritten ? null : attempt(() => readForText(source, this.#names));
    const isPlaced = (index: number) =>
      (index >= inHtml || inTags === null || inTags.placed.has(index)) &&
      (index < sourceFrom || inText === null || inText.placed.has(index));
    this.#misplaced = new Set([...words.keys()].filter((index) => !fixed.has(index) && !isPlaced(index)));
    this.#links = inText?.links ?? [];
  }

  /** The words outside text, for words of these lengths. */
  misplaced(words: readonly string[]): Which {
    const doubtful = this.#links.filter(({ text, url }) => this.#names.mayMake(text, url, words));
    return doubtful.reduce<Which>((sum, { text }) => sum.union(this.#names.in(text)), this.#misplaced);
  }
}

/** HTML that cannot be read has no known places. */
function attempt(read: () => Read): Read {
  try {
    return read();
  } catch {
    return NOTHING;
  }
}

function readForTracking(html: string, names: Names): Read {
  const { all, closed } = textsIn(html);
  return { placed: names.in(all).difference(names.in(closed)).difference(names.behindMarkup(html)), links: [] };
}

function readForText(html: string, names: Names): Read {
  // A word may be longer than its name, and what is read could end within it.
  const longest = html + " ".repeat(MOST_TAKEN_OUT);
  if (beginningOf(longest) !== longest) return NOTHING;
  const links = linksIn(html).filter(({ text }) => names.in(text).size > 0);
  return { placed: names.in(allTextIn(html)).difference(names.behindMarkup(html)), links };
}
