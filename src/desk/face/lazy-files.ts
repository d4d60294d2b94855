// Lazy imports become calls of `fetchThenImport` (web/base/import-files.ts), which fetches a file and all that it needs
// before the browser imports them.
import { basename } from "node:path";
import { MAIN, type FaceFile } from "./face-file.ts";
import type { BundleFile } from "./file-names.ts";

/** As the bundler writes it: `k("00a1b2c3"),import("/app/-/part-00a1b2c3.js")`, after a call that preloads modules. */
const LAZY = /(?:[\w$]+\("\w+"\),)?\bimport\("\/app\/-\/([\w.-]+)"\)/g;
/** `import{a}from"/app/-/part-00a1b2c3.js"` */
const STATIC = /(?:from|import)"\/app\/-\/([\w.-]+)"/g;

/** The files that each imports at once, by its name. */
type FileNeeds = ReadonlyMap<string, Pick<FaceFile, "needs">>;

export function withFetches(files: readonly BundleFile[]): readonly BundleFile[] {
  const needs = new Map(files.map(({ path, text }) => [basename(path), { needs: importsOf(text) }]));
  const calls = (_: string, name: string) => {
    const names = [...new Set([name, ...neededBy(needs, name)])].filter((one) => !MAIN.test(one));
    return `fetchThenImport(${names.map((one) => JSON.stringify(one)).join()})`;
  };
  return files.map(({ path, text }) => ({ path, text: path.endsWith(".js") ? text.replace(LAZY, calls) : text }));
}

/** The files that a script imports at once. */
export function importsOf(script: string): string[] {
  return [...script.matchAll(STATIC)].map(([, name = ""]) => name);
}

/** The transitive imports of a file. */
export function neededBy(files: FileNeeds, name: string, known = new Set<string>()): ReadonlySet<string> {
  for (const needed of files.get(name)?.needs ?? []) if (!known.has(needed)) neededBy(files, needed, known.add(needed));
  return known;
}
