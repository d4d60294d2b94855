// The sections of the guide, with the stems of their words counted: made at the first search.
import { pageTexts, type PageText } from "./page-texts.ts";
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

export function allPages(): readonly GuidePage[] {
  pages ??= pageTexts().map(pageOf);
  return pages;
}

function pageOf({ name, title, askedAs, sections: texts }: PageText): GuidePage {
  const sections = texts.map((section) => sectionOf(section, title));
  const counts = new Map<string, number>();
  for (const section of sections)
    for (const [stem, count] of section.counts) counts.set(stem, (counts.get(stem) ?? 0) + count);
  return {
    name,
    titled: new Set(stemsOf(`${title} ${name}`)),
    askedAs: new Set(stemsOf(askedAs.join(" "))),
    phrases: phrasesOf(title, askedAs),
    sections,
    counts,
  };
}

function sectionOf({ path, heading, text, askedAs }: PageText["sections"][number], title: string): Section {
  return {
    path,
    title,
    heading,
    text,
    named: new Set(stemsOf([heading, ...askedAs].join(" "))),
    phrases: phrasesOf(heading, askedAs),
    counts: countsOf(`${heading} ${text}`),
  };
}

function phrasesOf(heading: string, askedAs: readonly string[]): Phrase[] {
  return [heading, ...askedAs].map((phrase) => new Set(tellingStemsOf(phrase)));
}

function countsOf(text: string): WordCounts {
  const counts = new Map<string, number>();
  for (const stem of stemsOfText(text)) counts.set(stem, (counts.get(stem) ?? 0) + 1);
  return counts;
}
