// How the texts of mails are read that differ in words only: whether each word stands in text, where nothing but its length matters for the
// rest of the entity, or in a tag or other markup.
//
// Lines and encodings see to nothing but lengths. Whoever reads HTML sees to more, each in its own way: the tracking of links, and what makes
// the text version. They are asked what they take for text, with a name in the place of each word.
import { beginningOf } from "../../emails/mime/plain-text.ts";
import { allTextIn, linksIn, type ReadLink } from "../../emails/mime/text-places.ts";
import { textsIn } from "../tracking/html.ts";
import { filled, MOST_TAKEN_OUT, type CommonTexts } from "./common-texts.ts";
import { tokenOf, type Mail } from "./composition.ts";
import { Names, type Which } from "./names.ts";

/** `links`: it matters whether their texts can be their URLs, as only then these are not shown. */
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

  /** Which words stand in other places than text, if they have the lengths of `words`. */
  misplaced(words: readonly string[]): Which {
    const doubtful = this.#links.filter(({ text, url }) => this.#names.mayMake(text, url, words));
    return doubtful.reduce<Which>((sum, { text }) => sum.union(this.#names.in(text)), this.#misplaced);
  }
}

/** Of what cannot be read nothing is known. */
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
