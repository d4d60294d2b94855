// Keeps the files that every page waits for in one file, those that many screens share in another, and those that a
// folder shares in one each. The bundler would cut all of it into a piece for each set of screens that share something;
// if each lazy file that needs something of a group needs all of it, there is one set.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { BunPlugin } from "bun";
import type { FaceSources } from "./sources.ts";

const SHELL = "shell.tsx";

/** Files that so many lazy files need are one file, for all of them. */
const OFTEN = 5;
/** A folder's shared files are added to it, if they are so small. */
const SMALL_CHARS = 12_000;

/** `web`: the folder of the sources. A missed file only makes more pieces. */
export function wholeFiles(web: string, sources: FaceSources): BunPlugin {
  const shell = join(web, SHELL);
  const groups = sharedIn(sources, sources.neededBy(shell));
  const needsOf = (path: string): readonly string[] => {
    if (!sources.lazy.has(path)) return [];
    const needed = new Set(sources.neededBy(path));
    const wanted = new Set<string>();
    // A group may add another one.
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

/** The files that more than one lazy file needs: those that many need, and those that a folder needs. */
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
