// The face as files for browsers, made from web/ by Bun's bundler: by the build, and at a visit where Posthorn runs
// from source.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import type { BunPlugin } from "bun";
import { FILES_PATH, type FaceFile } from "./face-file.ts";
import { renamed, type BundleFile } from "./file-names.ts";
import { importsOf, withFetches } from "./lazy-files.ts";
import { mailMarkup } from "./mail-markup.ts";
import { screenSheets } from "./screen-sheets.ts";
import { readSources, type FaceSources } from "./sources.ts";
import { wholeFiles } from "./whole-files.ts";

const WEB = resolve(import.meta.dir, "../../../web");
/** `scheme` runs before the first paint and stands alone. */
const ENTRIES = ["main.tsx", "scheme.ts", "face.css"];
const ICON = "icon.svg";

const TYPES: Readonly<Record<string, string>> = {
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  svg: "image/svg+xml",
};

/** A library brings a copy of this hook for older Reacts. */
const reactsOwnHook: BunPlugin = {
  name: "React's own hook",
  setup: (build) => {
    const react = { path: Bun.resolveSync("react", WEB) };
    build.onResolve({ filter: /^use-sync-external-store\/shim(\/index\.js)?$/ }, () => react);
  },
};

/** @throws AggregateError with the bundler's faults */
export async function bundleFace(): Promise<readonly FaceFile[]> {
  const sources = readSources(WEB);
  const { outputs, metafile } = await Bun.build({
    entrypoints: ENTRIES.map((name) => join(WEB, name)),
    target: "browser",
    splitting: true,
    metafile: true,
    minify: true,
    plugins: [wholeFiles(WEB, sources), screenSheets(WEB), reactsOwnHook, mailMarkup],
    publicPath: FILES_PATH,
    naming: { entry: "[name]-[hash].[ext]", chunk: "part-[hash].[ext]", asset: "[name]-[hash].[ext]" },
    // React's development build is twice as large.
    define: { "process.env.NODE_ENV": '"production"' },
  });
  const made = await Promise.all(outputs.map(async (output) => ({ path: output.path, text: await output.text() })));
  const sourceOf = (at: number) => metafile?.outputs[made[at]?.path ?? ""]?.entryPoint;
  return [...renamed(withFetches(made)).map((file, at) => fileOf(file, sources, sourceOf(at))), icon()];
}

/** `source`: of a lazy file, below the folder in which the bundler was started. */
function fileOf({ path, text }: BundleFile, { routesOf }: FaceSources, source: string | undefined): FaceFile {
  const ending = path.split(".").at(-1) ?? "";
  const needs = ending === "js" ? importsOf(text) : [];
  return {
    name: path,
    type: TYPES[ending] ?? "application/octet-stream",
    needs,
    source: source === undefined ? null : relative(WEB, resolve(source)),
    routes: source === undefined ? [] : routesOf(resolve(source)),
    bytes: new Blob([text]),
  };
}

function icon(): FaceFile {
  const bytes = readFileSync(join(WEB, ICON));
  return {
    name: `icon-${Bun.hash(bytes).toString(36)}.svg`,
    type: TYPES["svg"] ?? "",
    needs: [],
    source: null,
    routes: [],
    bytes: new Blob([bytes]),
  };
}

/** When a file in web/ was last changed. */
export function lastChangeMs(): number {
  const entries = readdirSync(WEB, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Math.max(...entries.map((entry) => statSync(join(entry.parentPath, entry.name)).mtimeMs));
}
