// The entries of the palette for a query: search results, commands and pages.
import { NAV_GROUPS } from "../nav-items.ts";
import type { IconName } from "../../parts/icons/icon.tsx";
import type { SettingsTab } from "../../settings/tabs.ts";
import type { frame } from "../../texts/en/frame.ts";
import type { setUp } from "../../texts/en/settings.ts";
import { commands, type Command } from "../../commands.ts";

export type Hit = Command;
export type HitGroup = { readonly id: string; readonly name: string; readonly hits: readonly Hit[] };

type PaletteScope = {
  readonly t: typeof frame;
  /** The settings tabs that the user may open; `tabs` has the names of all. */
  readonly parts: readonly SettingsTab[];
  readonly tabs: (typeof setUp)["tabs"];
  readonly found: readonly HitGroup[];
  readonly go: (to: string) => void;
};

export function groupsFor(words: string, { t, parts: allowed, tabs, found, go }: PaletteScope): readonly HitGroup[] {
  const places = NAV_GROUPS.flatMap(({ name: group, items }) =>
    items.map(({ name, to, icon }): Hit => ({
      id: `go ${name}`,
      name: t.places[name],
      ...(group === null ? {} : { note: t.groups[group] }),
      icon,
      run: () => go(to),
    })),
  );
  const parts = allowed.map(({ name, to }): Hit => ({
    id: `go set-up ${name}`,
    name: tabs[name],
    note: t.places.setUp,
    icon: "setup",
    // Without the path parameter.
    run: () => go(to.replace(/\/\{.*/, "")),
  }));
  const here = matching(commands.get(), words);
  const elsewhere = CREATES.filter(({ id }) => words !== "" && here.every((verb) => verb.id !== id)).map(
    ({ id, icon, to }): Hit => ({ id, name: t.palette.make[id], icon, run: () => go(to) }),
  );
  const commandHits = [
    ...found,
    {
      id: "do",
      name: t.palette.do,
      hits: [...here, ...matching(elsewhere, words)].slice(0, words === "" ? SHORT_LIST : MAX_HITS),
    },
    {
      id: "go",
      name: t.palette.go,
      hits: [...matching(places, words, true), ...(words === "" ? [] : matching(parts, words))],
    },
  ];
  return commandHits.filter(({ hits }) => hits.length > 0);
}

/** Commands that open a page for a new record; they work on every screen. */
const CREATES = [
  { id: "new segment", icon: "segments", to: "/segments/new" },
  { id: "new campaign", icon: "campaigns", to: "/campaigns?make=true" },
  { id: "new template", icon: "templates", to: "/templates?make=true" },
  { id: "new workflow", icon: "workflows", to: "/workflows?make=true" },
  { id: "new topic", icon: "flag", to: "/topics?make=true" },
  { id: "new form", icon: "form", to: "/forms?make=true" },
  { id: "suppress", icon: "minus", to: "/suppressions?open=add" },
  { id: "add person", icon: "plus", to: "/people?make=true" },
  { id: "import people", icon: "out", to: "/people/import" },
  { id: "import suppressions", icon: "inbox", to: "/suppressions?open=import" },
] as const;

/** The maximum of commands before anything is typed. The screen's own come first. */
const SHORT_LIST = 6;
const MAX_HITS = 20;

/** Every word must occur in the name, or in the note if that is a name as well. */
function matching<Named extends { readonly name: string; readonly icon: IconName; readonly note?: string }>(
  hits: readonly Named[],
  words: string,
  isNoteNamed = false,
): readonly Named[] {
  const terms = words.toLowerCase().split(/\s+/);
  return hits.filter(({ name, note = "" }) => {
    const said = `${name} ${isNoteNamed ? note : ""}`.toLowerCase();
    return terms.every((word) => said.includes(word));
  });
}
