// Search within the guide: finds the page for a question, and its sections.
import { nearest } from "../../base/edit-distance.ts";
import { excerptOf } from "./excerpt.ts";
import { allPages, type GuidePage, type Phrase, type Section } from "./sections.ts";
import { questionWords, likeIt, stemsOf } from "./words.ts";

export type Hit = Pick<Section, "path" | "title" | "heading"> & { readonly excerpt: string };
/** `unknown`: words of the question that neither a page nor a similar word matches. */
type GuideHits = { readonly sections: readonly Hit[]; readonly unknown: readonly string[] };

/** The stems that a word of the question may stand for, with how surely. */
type StemWeights = ReadonlyMap<string, number>;
/** `isName`: a name that programs use, such as `rate_per_second`. */
type SearchWord = { readonly meaning: StemWeights; readonly rarity: number; readonly isName: boolean };

const MOST_FOUND = 20;
const MOST_OF_A_PAGE = 3;
const MOST_WORDS = 8;

/** How surely a word stands for a synonym, for a word that it begins, or for one that it misspells. */
const SYNONYM = 0.4;
const BEGINNING = 0.8;
const MISSPELT = 0.7;

/** The weight of a word in each place, relative to once in the text. */
const IN_TITLE = 12;
const ASKED_AS = 5;
const IN_HEADING = 3;
const IN_TEXT = 2;
/** The share of a heading's weight that its page gets, besides its section. */
const HEADING_FOR_PAGE = 0.5;
/** The weight of a name on a page that repeats it, and the number of times that reaches half of it. */
const AS_NAME = 6;
const HALF_OF_NAMES = 2;
/** The weight of a question that is one of a page's phrases: for each word, the rarer the more. */
const AS_PHRASE = 12;
/** The rarity of a word that names a page: fewer than half of the pages have it. */
const NAMING = 1.2;

/**
 * Pages that repeat a topic's own page, such as that of the product or a screen, with their share; unless the question
 * names them.
 */
const BESIDE: readonly (readonly [name: RegExp, share: number])[] = [
  [/^moving\//, 0.4],
  [/^face\/writing$/, 0.7],
  [/^face\//, 0.4],
  [/^(configuration|limits|index|operate\/troubles)$/, 0.8],
  [/^compat\//, 0.45],
];
const NONE: ReadonlySet<string> = new Set();
const SCREEN = new Set(stemsOf("screen screens button interface ui dashboard menu sidebar"));

/** The pages that match most of the question, each with its best sections; the best first. */
export function searchGuide(question: string): GuideHits {
  const typed = questionWords(question, isKnown).slice(0, MOST_WORDS);
  const words = typed.map(({ stem, isName }) => wordOf(stem, isName));
  const unknown = typed.filter((_, at) => words[at]?.meaning.size === 0).map(({ word }) => word);
  const known = words.filter(({ meaning }) => meaning.size > 0);
  const ranked = allPages()
    .map((page) => ({ page, score: scoreOfPage(page, known) }))
    .filter(({ score }) => score > 0)
    .toSorted((one, other) => other.score - one.score);
  const sections = ranked
    .slice(0, MOST_FOUND)
    .flatMap(({ page }) => bestOf(page, known))
    .slice(0, MOST_FOUND);
  return { sections: sections.map((section) => hitOf(section, known)), unknown };
}

/** For each stem of the guide, the number of pages with it, counting the phrases as text. */
let vocabulary: ReadonlyMap<string, number> | undefined;

function pagesByStem(): ReadonlyMap<string, number> {
  if (vocabulary) return vocabulary;
  const found = new Map<string, number>();
  for (const { titled, askedAs, sections, counts } of allPages()) {
    const all = new Set([...titled, ...askedAs, ...counts.keys(), ...sections.flatMap((one) => [...one.named])]);
    for (const stem of all) found.set(stem, (found.get(stem) ?? 0) + 1);
  }
  return (vocabulary = found);
}

function isKnown(stem: string): boolean {
  return pagesByStem().has(stem) || likeIt(stem).size > 0;
}

function wordOf(stem: string, isName: boolean): SearchWord {
  const known = pagesByStem();
  const meaning = new Map<string, number>();
  if (known.has(stem)) meaning.set(stem, 1);
  for (const like of likeIt(stem)) if (known.has(like)) meaning.set(like, SYNONYM);
  if (meaning.size === 0) for (const [like, share] of spelledLike(stem)) meaning.set(like, share);
  const pages = Math.max(
    1,
    ...[...meaning].filter(([, share]) => share > SYNONYM).map(([like]) => known.get(like) ?? 0),
  );
  return { meaning, isName, rarity: rarityOf(pages) };
}

function rarityOf(pages: number): number {
  return Math.log(1.4 + allPages().length / pages);
}

function spelledLike(stem: string): readonly (readonly [string, number])[] {
  const stems = [...pagesByStem().keys()];
  const begun = stem.length < 3 ? [] : stems.filter((one) => one.startsWith(stem));
  if (begun.length > 0) return begun.map((one) => [one, BEGINNING]);
  const meant =
    stem.length < 4
      ? null
      : nearest(
          stem,
          stems.filter((one) => one.length > 3),
        );
  return meant === null ? [] : [[meant, MISSPELT]];
}

function scoreOfPage(page: GuidePage, words: readonly SearchWord[]): number {
  const together = Math.max(...page.sections.map((section) => scoreOfSection(section, words)));
  const apart = whole(words, (word) => wordScore(page, word));
  const share = BESIDE.find(([name]) => name.test(page.name))?.[1] ?? 1;
  const names = namesOf(page);
  const isNamed = words.some(({ meaning, rarity }) => rarity > NAMING && best(meaning, names) === 1);
  return (together + apart + scoreOfPhrases(page, words)) * (isNamed ? 1 : share);
}

function scoreOfPhrases({ phrases, sections }: GuidePage, words: readonly SearchWord[]): number {
  const all = [...phrases, ...sections.flatMap((section) => section.phrases)];
  return AS_PHRASE * Math.max(...all.map((phrase) => likeness(words, phrase))) ** 2 * raritySum(words);
}

/** From 0 to 1: how much of the question is in a phrase, and of the phrase in the question. */
function likeness(words: readonly SearchWord[], phrase: Phrase): number {
  let shared = 0;
  for (const { meaning, rarity } of words) shared += rarity * best(meaning, phrase);
  if (shared === 0) return 0;
  let said = 0;
  for (const stem of phrase) said += rarityOf(pagesByStem().get(stem) ?? 1);
  return shared / Math.sqrt(raritySum(words) * Math.max(said, shared));
}

function raritySum(words: readonly SearchWord[]): number {
  return words.reduce((all, { rarity }) => all + rarity, 0);
}

function namesOf({ name, titled, askedAs }: GuidePage): ReadonlySet<string> {
  if (name.startsWith("face/")) return SCREEN;
  if (name === "moving/index") return askedAs;
  return name.startsWith("moving/") ? titled : NONE;
}

/** The sum over the words, the rarer the more; less if some are missing. */
function whole(words: readonly SearchWord[], countOf: (word: SearchWord) => number): number {
  let [total, said] = [0, 0];
  for (const word of words) {
    const count = countOf(word);
    total += word.rarity * count;
    said += count > 0 ? word.rarity : 0;
  }
  return total * (said / raritySum(words)) ** 2;
}

/** The score of one word on a page. */
function wordScore(page: GuidePage, { meaning, isName }: SearchWord): number {
  if (isName) return AS_NAME * often(page.counts, meaning, HALF_OF_NAMES);
  const named = Math.max(IN_TITLE * best(meaning, page.titled), ASKED_AS * best(meaning, page.askedAs));
  const inSections = Math.max(...page.sections.map((section) => inHeading(section, meaning)));
  return named + HEADING_FOR_PAGE * inSections + IN_TEXT * often(page.counts, meaning, 8);
}

function inHeading(section: Section, meaning: StemWeights): number {
  return IN_HEADING * best(meaning, section.named);
}

function best(meaning: StemWeights, stems: ReadonlySet<string>): number {
  let most = 0;
  for (const [stem, share] of meaning) if (share > most && stems.has(stem)) most = share;
  return most;
}

/** From 0 to 1: the first times count most, and half of it is reached at `half`. */
function often(counts: Section["counts"], meaning: StemWeights, half: number): number {
  let times = 0;
  for (const [stem, share] of meaning) times += share * (counts.get(stem) ?? 0);
  return times / (times + half);
}

/**
 * The beginning of a page comes first if its title has all words of the question; the title does not count for single
 * sections.
 */
function bestOf({ sections, titled }: GuidePage, words: readonly SearchWord[]): Section[] {
  const saysAll = words.every(({ meaning }) => best(meaning, titled) === 1);
  const begin = sections[0];
  return sections
    .map((section) => ({
      section,
      score: section !== begin ? scoreOfSection(section, words) : saysAll ? Infinity : textOfSection(section, words),
    }))
    .filter(({ section, score }) => score > 0 || section === begin)
    .toSorted((one, other) => other.score - one.score)
    .slice(0, MOST_OF_A_PAGE)
    .map(({ section }) => section);
}

function textOfSection({ counts }: Section, words: readonly SearchWord[]): number {
  return whole(words, ({ meaning }) => IN_TEXT * often(counts, meaning, 3));
}

function scoreOfSection(section: Section, words: readonly SearchWord[]): number {
  return whole(words, ({ meaning }) => inHeading(section, meaning) + IN_TEXT * often(section.counts, meaning, 3));
}

function hitOf({ path, title, heading, text }: Section, words: readonly SearchWord[]): Hit {
  return { path, title, heading, excerpt: excerptOf(text, (stem) => words.some(({ meaning }) => meaning.has(stem))) };
}
