// The MIME entities of mails that share a content. It is read, converted to text and encoded once. Then only the recipient's own tokens and
// words are inserted. The bytes are the same as if each mail had been composed alone.
import { BoundedMap } from "../../brakes/bounded-map.ts";
import { commonIn, type CommonTexts, type RenderedTexts } from "./common-texts.ts";
import { composed, tokenOf, type Composed, type Mail } from "./composition.ts";
import type { Which } from "./names.ts";
import { Reading } from "./reading.ts";
import { filledFor, sharedEntityOf, type SharedEntity } from "./shared-entity.ts";

type Content = {
  /** In the keys of what its mails share. */
  readonly number: number;
  /** Words for which more than their length matters: only mails with the same ones share an entity. */
  readonly fixed: Which;
  /** Mails that did not have to be composed alone, less the cost of sharing, counted in mails. */
  gain: number;
  /** With nothing fixed: the same for all its mails. */
  reading?: Reading;
};

/** Mails with the same key share an entity. */
type Place = { readonly common: CommonTexts; readonly shape: string; readonly content: Content; readonly key: string };

const MOST_CONTENTS = 200;
const MOST_CONTENT_BYTES = 3 * 1024 * 1024;
const MOST_SHARED = 1_000;
const MOST_SHARED_BYTES = 5 * 1024 * 1024;
const HOLE_BYTES = 64;
const MOST_SEEN = 2_000;
/** The cost of making a shared entity, counted in mails. */
const SHARING_COST = 4;
/** The most that a content may cost in vain, counted in mails: its words may never have the same lengths twice. */
const MOST_LOST = 100;
const NONE: Which = new Set();

export class Entities {
  /** By what the texts have in common. */
  readonly #contents = new BoundedMap<string, Content>(MOST_CONTENTS, MOST_CONTENT_BYTES);
  /** By content and words; null = nothing can be shared. */
  readonly #shared = new BoundedMap<string, SharedEntity | null>(MOST_SHARED, MOST_SHARED_BYTES);
  /** How often what is not kept has come, by hashes: most mails are like no other. */
  readonly #seen = new BoundedMap<number | bigint, number>(MOST_SEEN);
  #contentsMade = 0;

  of(mail: Mail, rendered: RenderedTexts): Buffer {
    const place = mail.attachments.length === 0 ? this.#placeOf(mail, rendered) : null;
    if (place === null) return alone(mail, rendered).entity;
    const shared = this.#shared.get(place.key);
    const filled = shared && filledFor(mail, { common: place.common, fixed: place.content.fixed }, shared);
    if (filled) {
      place.content.gain++;
      return filled;
    }
    const made = alone(mail, rendered);
    if (shared === undefined && this.#isWorthIt(place)) this.#share(mail, place, made);
    return made.entity;
  }

  /** Null for the first mail of a content, and for what is like no other. */
  #placeOf(mail: Mail, rendered: RenderedTexts): Place | null {
    const common = commonIn(rendered, tokenOf(mail));
    if (common === null) return null;
    const shape = `${mail.tracking === null ? "" : "tracked"}\0/${common.shape}`;
    const content = this.#contents.get(shape) ?? (this.#comings(shape) > 1 ? this.#begin(shape, new Set()) : null);
    return content && { common, shape, content, key: keyOf(content, common.words) };
  }

  #begin(shape: string, fixed: Which, gain = MOST_LOST): Content {
    const content = { number: ++this.#contentsMade, fixed, gain };
    this.#contents.set(shape, content, shape.length);
    return content;
  }

  /** Mails without words are most likely a campaign. With words, the usual lengths show after a few mails. */
  #isWorthIt({ common, content, key }: Place): boolean {
    if (content.gain < SHARING_COST) return false;
    return common.words.length === 0 || this.#comings(key) >= SHARING_COST;
  }

  #comings(key: string): number {
    const hash = Bun.hash(key);
    const comings = (this.#seen.get(hash) ?? 0) + 1;
    this.#seen.set(hash, comings);
    return comings;
  }

  /** Makes a shared entity with all words as holes, or begins again with some of them fixed. */
  #share(mail: Mail, { common, shape, content, key }: Place, made: Composed): void {
    const { fixed, gain } = content;
    const { words } = common;
    content.gain -= SHARING_COST;
    this.#seen.delete(Bun.hash(key));
    const misplaced = misplacedIn(mail, common, content);
    const shared = misplaced.size > 0 ? null : sharedEntityOf(mail, { common, fixed }, made);
    if (shared || fixed.size === words.length) this.#shared.set(key, shared, costOf(key, shared));
    else this.#begin(shape, misplaced.size > 0 ? fixed.union(misplaced) : new Set(words.keys()), gain - SHARING_COST);
  }
}

/** Fixed words differ from mail to mail, so their HTML is read anew each time. */
function misplacedIn(mail: Mail, common: CommonTexts, content: Content): Which {
  const { fixed } = content;
  if (fixed.size === common.words.length) return NONE;
  const reading = content.reading ?? new Reading(mail, common, fixed);
  if (fixed.size === 0) content.reading = reading;
  return reading.misplaced(common.words);
}

function alone(mail: Mail, { html, shown, text }: RenderedTexts): Composed {
  return composed(mail, { html: html.text, source: (text ?? shown).text, isWritten: text !== null });
}

/** Fixed words as they are, of the others their lengths. */
function keyOf({ number, fixed }: Content, words: readonly string[]): string {
  const parts = words.map((word, index) => (fixed.has(index) ? word : word.length));
  return [number, ...parts].join(" ");
}

function costOf(key: string, shared: SharedEntity | null): number {
  return key.length + (shared ? shared.mould.bytes.length + HOLE_BYTES * shared.mould.holes.length : 0);
}
