// What the palette shows for some words: things that the server found, pages, verbs.
import { PLACES } from "../frame/places.ts";
import type { IconName } from "../parts/icon.tsx";
import type { frame } from "../texts/en/frame.ts";
import { verbs, type Verb } from "../verbs.ts";

export type Hit = Verb;
export type Group = { readonly id: string; readonly name: string; readonly hits: readonly Hit[] };

type Given = { readonly t: typeof frame; readonly found: readonly Group[]; readonly go: (to: string) => void };

export function groupsFor(words: string, { t, found, go }: Given): readonly Group[] {
  const places = PLACES.map(({ name, to, icon }): Hit => ({
    id: `go ${name}`,
    name: t.places[name],
    icon,
    run: () => go(to),
  }));
  const own = [
    ...found,
    { id: "do", name: t.palette.do, hits: matching(verbs.get(), words).slice(0, words === "" ? FEW : MOST) },
    { id: "go", name: t.palette.go, hits: matching(places, words) },
  ];
  return own.filter(({ hits }) => hits.length > 0);
}

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
