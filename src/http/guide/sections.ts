// The sections of the guide, with the stems of their words counted: made at the first search.
import { readAskedAs } from "./asked-as.ts";
import { htmlOf, pathOf, titleOf } from "./markdown.ts";
import { PAGES } from "./pages.ts";
import { stemsOf, stemsOfText, tellingStemsOf } from "./words.ts";

type WordCounts = ReadonlyMap<string, number>;
/** The stems of a title, a heading, or one of the additional search phrases. */
export type Phrase = ReadonlySet<string>;

export type Section = {
  readonly path: string;
  readonly title: string;
  readonly heading: string;
  readonly text: string;
  /** Stems of the heading, and of the section's additional phrases. */
  readonly named: ReadonlySet<string>;
  readonly phrases: readonly Phrase[];
  readonly counts: WordCounts;
};

export type GuidePage = {
  readonly name: string;
  /** Stems of the page's title and name. */
  readonly titled: ReadonlySet<string>;
  /** Stems of the page's additional phrases. */
  readonly askedAs: ReadonlySet<string>;
  readonly phrases: readonly Phrase[];
  readonly sections: readonly Section[];
  readonly counts: WordCounts;
};

let pages: readonly GuidePage[] | undefined;
let asked: ReadonlyMap<string, readonly string[]> | undefined;

export function allPages(): readonly GuidePage[] {
  pages ??= [...PAGES].map(pageOf);
  return pages;
}

function pageOf(name: string): GuidePage {
  const sections = sectionsOf(name);
  const counts = new Map<string, number>();
  for (const section of sections)
    for (const [stem, count] of section.counts) counts.set(stem, (counts.get(stem) ?? 0) + count);
  return {
    name,
    titled: new Set(stemsOf(`${titleOf(name)} ${name}`)),
    askedAs: new Set(stemsOf(askedAs(name).join(" "))),
    phrases: phrasesOf(titleOf(name), name),
    sections,
    counts,
  };
}

function sectionsOf(name: string): Section[] {
  const title = titleOf(name);
  const [, ...pieces] = htmlOf(name).split(/<h[123] id="/);
  return pieces.map((piece) => {
    const [, id = "", head = "", body = ""] = /^([^"]*)">(.*?)<\/h[123]>(.*)$/s.exec(piece) ?? [];
    const [heading, text] = [plain(head), plain(body)];
    const named = new Set(stemsOf([heading, ...askedAs(`${name}#${id}`)].join(" ")));
    return {
      path: `${pathOf(name)}#${id}`,
      title,
      heading,
      text,
      named,
      phrases: phrasesOf(heading, `${name}#${id}`),
      counts: countsOf(`${heading} ${text}`),
    };
  });
}

function askedAs(key: string): readonly string[] {
  asked ??= readAskedAs();
  return asked.get(key) ?? [];
}

function phrasesOf(heading: string, key: string): Phrase[] {
  return [heading, ...askedAs(key)].map((phrase) => new Set(tellingStemsOf(phrase)));
}

function countsOf(text: string): WordCounts {
  const counts = new Map<string, number>();
  for (const stem of stemsOfText(text)) counts.set(stem, (counts.get(stem) ?? 0) + 1);
  return counts;
}

function plain(html: string): string {
  const text = html.replace(/<[^>]*>/g, " ").replace(/\s+/g, " ");
  return text.replace(/&(lt|gt|quot|#39|amp);/g, (_, name: string) => ENTITIES[name] ?? "").trim();
}

const ENTITIES: Readonly<Record<string, string>> = { lt: "<", gt: ">", quot: '"', "#39": "'", amp: "&" };
