// Search within the guide: its sections, by the words in them.
import { PAGES } from "./pages.ts";
import { htmlOf, pathOf, titleOf } from "./markdown.ts";

type Section = {
  readonly path: string;
  readonly title: string;
  readonly heading: string;
  readonly text: string;
  readonly words: { readonly title: string; readonly heading: string; readonly text: string };
};

export type Found = Pick<Section, "path" | "title" | "heading"> & { readonly excerpt: string };

const MOST_FOUND = 20;
const MOST_WORDS = 8;
const BEFORE_CHARS = 60;
const EXCERPT_CHARS = 240;
/** What a word in a heading counts as beside one in the text. */
const IN_TITLE = 12;
const IN_HEADING = 8;
const MOST_IN_TEXT = 4;
/** If the heading has no other words. */
const ALL_OF_HEADING = 6;

let sections: readonly Section[] | undefined;

/** The sections that have every word of the question, as a whole word or its beginning; the best first. */
export function found(question: string): Found[] {
  const words = [...new Set(wordsOf(question).trim().split(" "))].filter((word) => word !== "").slice(0, MOST_WORDS);
  if (words.length === 0) return [];
  sections ??= [...PAGES.keys()].flatMap(sectionsOf);
  return sections
    .map((section) => ({ section, score: scoreOf(section, words) }))
    .filter(({ score }) => score > 0)
    .toSorted((one, other) => other.score - one.score)
    .slice(0, MOST_FOUND)
    .map(({ section: { path, title, heading, text } }) => ({ path, title, heading, excerpt: excerptOf(text, words) }));
}

function sectionsOf(name: string): Section[] {
  const title = titleOf(name);
  const [, ...pieces] = htmlOf(name).split(/<h[123] id="/);
  return pieces.map((piece) => {
    const [, id = "", head = "", body = ""] = /^([^"]*)">(.*?)<\/h[123]>(.*)$/s.exec(piece) ?? [];
    const [heading, text] = [plain(head), plain(body)];
    const words = { title: wordsOf(title), heading: wordsOf(heading), text: wordsOf(text) };
    return { path: `${pathOf(name)}#${id}`, title, heading, text, words };
  });
}

/** In lower case, each behind a blank. */
function wordsOf(text: string): string {
  return ` ${text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, " ")}`.trimEnd();
}

function plain(html: string): string {
  const text = html.replace(/<[^>]*>/g, " ").replace(/\s+/g, " ");
  return text.replace(/&(lt|gt|quot|#39|amp);/g, (_, name: string) => ENTITIES[name] ?? "").trim();
}

const ENTITIES: Readonly<Record<string, string>> = { lt: "<", gt: ">", quot: '"', "#39": "'", amp: "&" };

/** 0 if a word is missing. */
function scoreOf({ words: { title, heading, text } }: Section, words: readonly string[]): number {
  const scores = words.map((word) => {
    const inText = text.split(` ${word}`, MOST_IN_TEXT + 1).length - 1;
    return inText + (title.includes(` ${word}`) ? IN_TITLE : 0) + (heading.includes(` ${word}`) ? IN_HEADING : 0);
  });
  if (scores.includes(0)) return 0;
  const inHeading = words.filter((word) => heading.includes(` ${word}`)).length / (heading.split(" ").length - 1);
  return scores.reduce((sum, score) => sum + score, inHeading * ALL_OF_HEADING);
}

function excerptOf(text: string, words: readonly string[]): string {
  const lower = text.toLowerCase();
  const first = Math.min(...words.map((word) => lower.indexOf(word)).filter((at) => at >= 0), text.length);
  const from = first <= BEFORE_CHARS || first === text.length ? 0 : text.indexOf(" ", first - BEFORE_CHARS) + 1;
  const piece = text.slice(from, from + EXCERPT_CHARS);
  return `${from > 0 ? "… " : ""}${piece}${from + EXCERPT_CHARS < text.length ? " …" : ""}`;
}
