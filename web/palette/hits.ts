// What the palette shows for some words: things that the server found, pages, verbs.
import { PLACES } from "../frame/places.ts";
import type { IconName } from "../parts/icon.tsx";
import { TABS } from "../set-up/tabs.ts";
import type { frame } from "../texts/en/frame.ts";
import type { setUp } from "../texts/en/set-up.ts";
import { verbs, type Verb } from "../verbs.ts";

export type Hit = Verb;
export type Group = { readonly id: string; readonly name: string; readonly hits: readonly Hit[] };

type Given = {
  readonly t: typeof frame;
  /** The names of the parts of the set-up. */
  readonly tabs: (typeof setUp)["tabs"];
  readonly found: readonly Group[];
  readonly go: (to: string) => void;
};

export function groupsFor(words: string, { t, tabs, found, go }: Given): readonly Group[] {
  const places = PLACES.map(({ name, to, icon }): Hit => ({
    id: `go ${name}`,
    name: t.places[name],
    icon,
    run: () => go(to),
  }));
  const parts = TABS.map(({ name, to }): Hit => ({
    id: `go set-up ${name}`,
    name: tabs[name],
    note: t.places.setUp,
    icon: "setup",
    // Without the part of the address that names one thing.
    run: () => go(to.replace(/\/\{.*/, "")),
  }));
  const here = matching(verbs.get(), words);
  const elsewhere = MAKES.filter(({ id }) => words !== "" && here.every((verb) => verb.id !== id)).map(
    ({ id, icon, to }): Hit => ({ id, name: t.palette.make[id], icon, run: () => go(to) }),
  );
  const own = [
    ...found,
    {
      id: "do",
      name: t.palette.do,
      hits: [...here, ...matching(elsewhere, words)].slice(0, words === "" ? FEW : MOST),
    },
    {
      id: "go",
      name: t.palette.go,
      hits: [...matching(places, words), ...(words === "" ? [] : matching(parts, words))],
    },
  ];
  return own.filter(({ hits }) => hits.length > 0);
}

/** What is begun on a page of its own, from wherever one is; the screen that lists them offers the same verb. */
const MAKES = [
  { id: "new segment", icon: "segments", to: "/segments/new" },
  { id: "new campaign", icon: "campaigns", to: "/campaigns?make=true" },
  { id: "new template", icon: "templates", to: "/templates?make=true" },
  { id: "new workflow", icon: "workflows", to: "/workflows?make=true" },
  { id: "add person", icon: "plus", to: "/people?make=true" },
  { id: "import people", icon: "out", to: "/people/import" },
] as const;

/** What the screen itself offers comes first; the rest is found by its name. */
const FEW = 6;
const MOST = 20;

/** Each word stands somewhere in the name. */
function matching<Named extends { readonly name: string; readonly icon: IconName }>(
  hits: readonly Named[],
  words: string,
): readonly Named[] {
  const wanted = words.toLowerCase().split(/\s+/);
  return hits.filter(({ name }) => wanted.every((word) => name.toLowerCase().includes(word)));
}
