// Search within the guide: its sections, by the words in them.
import { PAGES } from "./pages.ts";
import { htmlOf, pathOf, titleOf } from "./markdown.ts";

type Section = {
  readonly path: string;
  readonly title: string;
  readonly heading: string;
  readonly text: string;
  /** Heading and text, in lower case. */
  readonly sought: string;
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

let sections: readonly Section[] | undefined;

/** The sections that have every word of the question, the best first. */
export function found(question: string): Found[] {
  const words = [...new Set(question.toLowerCase().split(/\s+/))].filter((word) => word !== "").slice(0, MOST_WORDS);
  if (words.length === 0) return [];
  sections ??= [...PAGES.keys()].flatMap(sectionsOf);
  return sections
    .filter(({ sought }) => words.every((word) => sought.includes(word)))
    .map((section) => ({ section, score: words.reduce((sum, word) => sum + scoreOf(section, word), 0) }))
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
    return { path: `${pathOf(name)}#${id}`, title, heading, text, sought: `${title} ${heading} ${text}`.toLowerCase() };
  });
}

function plain(html: string): string {
  const text = html.replace(/<[^>]*>/g, " ").replace(/\s+/g, " ");
  return text.replace(/&(lt|gt|quot|#39|amp);/g, (_, name: string) => ENTITIES[name] ?? "").trim();
}

const ENTITIES: Readonly<Record<string, string>> = { lt: "<", gt: ">", quot: '"', "#39": "'", amp: "&" };

function scoreOf({ title, heading, text }: Section, word: string): number {
  const times = text.toLowerCase().split(word, MOST_IN_TEXT + 1).length - 1;
  const inTitle = title.toLowerCase().includes(word) ? IN_TITLE : 0;
  return times + inTitle + (heading.toLowerCase().includes(word) ? IN_HEADING : 0);
}

function excerptOf(text: string, words: readonly string[]): string {
  const lower = text.toLowerCase();
  const first = Math.min(...words.map((word) => lower.indexOf(word)).filter((at) => at >= 0), text.length);
  const from = first <= BEFORE_CHARS || first === text.length ? 0 : text.indexOf(" ", first - BEFORE_CHARS) + 1;
  const piece = text.slice(from, from + EXCERPT_CHARS);
  return `${from > 0 ? "… " : ""}${piece}${from + EXCERPT_CHARS < text.length ? " …" : ""}`;
}
