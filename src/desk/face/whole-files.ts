// Keeps what every page waits for in one file, what many screens share in another, and what those of a folder share in
// one each. The bundler would cut all of it into a piece for each set of screens that share something; if each lazy file
// that needs something of a group needs all of it, there is one set.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { BunPlugin } from "bun";
import type { FaceSources } from "./sources.ts";

const SHELL = "shell.tsx";

/** What so many lazy files need is one file, for all of them. */
const OFTEN = 5;
/** With it goes what is shared in a folder, if it is so little. */
const SMALL_CHARS = 12_000;

/** `web`: the folder of the sources. Where a file is missed, there are more pieces, and nothing else changes. */
export function wholeFiles(web: string, sources: FaceSources): BunPlugin {
  const shell = join(web, SHELL);
  const groups = sharedIn(sources, sources.neededBy(shell));
  const needsOf = (path: string): readonly string[] => {
    if (!sources.lazy.has(path)) return [];
    const needed = new Set(sources.neededBy(path));
    const wanted = new Set<string>();
    // A group may bring in another one.
    for (let before = -1; before < wanted.size;) {
      before = wanted.size;
      for (const group of groups.filter((one) => one.some((file) => needed.has(file))))
        for (const file of group) {
          wanted.add(file);
          sources.neededBy(file).forEach((other) => needed.add(other));
        }
    }
    return [shell, ...[...wanted].filter((one) => one !== path)];
  };
  return {
    name: "whole files",
    setup: (build) => {
      build.onLoad({ filter: /\.tsx?$/ }, ({ path }) => {
        const needs = needsOf(path);
        if (needs.length === 0) return undefined;
        const imports = needs.map((one) => `\nimport "${one}";`).join("");
        return { contents: readFileSync(path, "utf8") + imports, loader: path.endsWith("x") ? "tsx" : "ts" };
      });
    },
  };
}

/** What more than one lazy file needs: what many need, and what the files of a folder need. */
function sharedIn(sources: FaceSources, shell: ReadonlySet<string>): readonly (readonly string[])[] {
  const { lazy, neededBy, isHeavy, folderOf, sizeOf } = sources;
  const counts = new Map<string, number>();
  for (const path of lazy) for (const needed of neededBy(path)) counts.set(needed, (counts.get(needed) ?? 0) + 1);
  const shared = [...counts.keys()].filter((path) => (counts.get(path) ?? 0) > 1 && !shell.has(path) && !isHeavy(path));
  const folders = Map.groupBy(shared, folderOf);
  const isSmall = (path: string) => sizeOf(folders.get(folderOf(path)) ?? []) < SMALL_CHARS;
  const isOften = (path: string) => (counts.get(path) ?? 0) >= OFTEN || isSmall(path);
  return [...Map.groupBy(shared, (path) => (isOften(path) ? "" : folderOf(path))).values()];
}
