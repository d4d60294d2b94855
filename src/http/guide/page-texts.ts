// The texts that a search of the guide looks at: each page by its sections, with further phrases that should find them.
// The site (build/site/search.ts) has them made beforehand, as a browser cannot read the files.
import { readAskedAs } from "./asked-as.ts";
import { htmlOf, pathOf, titleOf } from "./markdown.ts";
import { PAGES } from "./pages.ts";

type SectionText = {
  readonly path: string;
  readonly heading: string;
  readonly text: string;
  readonly askedAs: readonly string[];
};

export type PageText = {
  readonly name: string;
  readonly title: string;
  readonly askedAs: readonly string[];
  readonly sections: readonly SectionText[];
};

export function pageTexts(): readonly PageText[] {
  const phrases = readAskedAs();
  return [...PAGES].map((name) => ({
    name,
    title: titleOf(name),
    askedAs: phrases.get(name) ?? [],
    sections: sectionsOf(name, phrases),
  }));
}

function sectionsOf(name: string, phrases: ReturnType<typeof readAskedAs>): SectionText[] {
  const [, ...pieces] = htmlOf(name).split(/<h[123] id="/);
  return pieces.map((piece) => {
    const [, id = "", head = "", body = ""] = /^([^"]*)">(.*?)<\/h[123]>(.*)$/s.exec(piece) ?? [];
    const askedAs = phrases.get(`${name}#${id}`) ?? [];
    return { path: `${pathOf(name)}#${id}`, heading: plain(head), text: plain(body), askedAs };
  });
}

function plain(html: string): string {
  const text = html.replace(/<[^>]*>/g, " ").replace(/\s+/g, " ");
  return text.replace(/&(lt|gt|quot|#39|amp);/g, (_, name: string) => ENTITIES[name] ?? "").trim();
}

const ENTITIES: Readonly<Record<string, string>> = { lt: "<", gt: ">", quot: '"', "#39": "'", amp: "&" };
