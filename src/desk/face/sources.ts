// The sources in web/: the imports of each file, the lazy files, and the screen of each address.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";

/** Immediate imports; styles belong to the file that imports them. */
const STATIC = /^(?:import|export) (?!type\b)(?:[^"';]*? from )?"(\.[^"]+\.tsx?)"/gm;
const LAZY = /\bimport\("(\.[^"]+)"\)/g;
const ROUTE = /path: "(\/[^"]*)",(?:(?!createRoute)[\s\S])*?lazyScreen\(\(\) => import\("(\.[^"]+)"\)/g;
/** Editors, canvas and charts: files that use one of these are lazy. */
const HEAVY = /from "(?:@tiptap|@codemirror|@lezer|@xyflow|@dagrejs|uplot)/;

export type FaceSources = {
  /** The files that a file needs immediately, itself and theirs. */
  readonly neededBy: (path: string) => ReadonlySet<string>;
  /** The files that are loaded lazily, but for texts. */
  readonly lazy: ReadonlySet<string>;
  readonly isHeavy: (path: string) => boolean;
  /** The part of the pages that it belongs to: `campaigns`. */
  readonly folderOf: (path: string) => string;
  readonly sizeOf: (paths: readonly string[]) => number;
  /** The addresses of a screen's file. */
  readonly routesOf: (path: string) => readonly string[];
};

/** `web`: the folder of the sources. */
export function readSources(web: string): FaceSources {
  const files = (readdirSync(web, { recursive: true }) as string[]).filter((file) => /\.tsx?$/.test(file));
  const texts = new Map(files.map((file) => [join(web, file), readFileSync(join(web, file), "utf8")]));
  const filesNamed = (path: string, pattern: RegExp) =>
    [...(texts.get(path) ?? "").matchAll(pattern)].map(([, other = ""]) => resolve(dirname(path), other));
  const needs = new Map([...texts.keys()].map((path) => [path, filesNamed(path, STATIC)]));
  const neededBy = (path: string, known = new Set<string>()): ReadonlySet<string> => {
    if (!known.has(path)) needs.get(path)?.forEach((other) => neededBy(other, known.add(path)));
    return known.add(path);
  };
  const lazy = [...texts.keys()].flatMap((path) => filesNamed(path, LAZY)).filter((path) => !path.includes("/texts/"));
  const routes = [...texts].flatMap(([path, text]) =>
    [...text.matchAll(ROUTE)].map(([, route = "", screen = ""]) => ({ route, screen: resolve(dirname(path), screen) })),
  );
  return {
    neededBy,
    lazy: new Set(lazy.filter((path) => texts.has(path))),
    isHeavy: (path) => [...neededBy(path)].some((one) => HEAVY.test(texts.get(one) ?? "")),
    folderOf: (path) => relative(web, path).split("/")[0] ?? "",
    sizeOf: (paths) => paths.reduce((sum, path) => sum + (texts.get(path)?.length ?? 0), 0),
    routesOf: (path) => routes.flatMap(({ route, screen }) => (screen === path ? [route] : [])),
  };
}
