// What differs from the tree on which `npm run test:nightly` passed last (test/nightly.json): the gate runs whole what
// may be concerned by that, and the rest in short.
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

export const LAST_NIGHTLY = "test/nightly.json";

/** The last nightly run that passed. */
export type NightlyRun = { readonly commit: string; readonly at: string };

/** Null = none has passed yet. */
export function lastNightly(): NightlyRun | null {
  return existsSync(LAST_NIGHTLY) ? (JSON.parse(readFileSync(LAST_NIGHTLY, "utf8")) as NightlyRun) : null;
}

/**
 * Paths of files that differ from a commit, with those that are not under version control yet; null = it is not known
 * here, so anything may.
 */
export function changedSince(commit: string): ReadonlySet<string> | null {
  const changed = linesOf("diff", "--name-only", "--no-renames", commit);
  const added = linesOf("ls-files", "--others", "--exclude-standard");
  return changed && added && new Set([...changed, ...added]);
}

/**
 * As `changedSince`, without files that do the same: TypeScript of which comments and types alone differ, and files
 * that moved, if they import the same files as before. One that asks for its own path (`import.meta`) would be missed.
 */
export function programsChangedSince(commit: string): ReadonlySet<string> | null {
  const changed = changedSince(commit);
  const moved = movedSince(commit);
  const present = [...(changed ?? [])].filter((file) => existsSync(file));
  const former = present.map((file) => moved.old.get(file) ?? file);
  const same = textsIn(commit, former).flatMap((text, at) => {
    const file = present[at] as string;
    if (text === null) return [];
    const before = programOf(former[at] as string, text, (path) => moved.new.get(path) ?? path);
    return before === programOf(file, readFileSync(file, "utf8")) ? [file] : [];
  });
  return changed && new Set([...changed].filter((file) => !same.includes(file)));
}

type Moves = { readonly new: ReadonlyMap<string, string>; readonly old: ReadonlyMap<string, string> };

/** The new path of each file that moved, by its old one, and the other way round. */
function movedSince(commit: string): Moves {
  const lines = linesOf("diff", "--name-status", "--find-renames", "-l0", "--diff-filter=R", commit) ?? [];
  const pairs = lines.map((line) => line.split("\t").slice(1) as [before: string, after: string]);
  return { new: new Map(pairs), old: new Map(pairs.map(([before, after]) => [after, before])) };
}

const TRANSPILERS = { ts: new Bun.Transpiler({ loader: "ts" }), tsx: new Bun.Transpiler({ loader: "tsx" }) };

/** What it does, with the files that it imports by their paths from the root. Of other languages: all of its text. */
function programOf(file: string, text: string, pathNow = (path: string) => path): string {
  const program = /\.tsx?$/.test(file) ? TRANSPILERS[file.endsWith("x") ? "tsx" : "ts"].transformSync(text) : text;
  return program.replace(/"(\.\.?\/[^"\s]+)"/g, (_, path: string) => `"${pathNow(join(dirname(file), path))}"`);
}

/** The files as they are in a commit; null = it does not have it. */
function textsIn(commit: string, files: readonly string[]): readonly (string | null)[] {
  const asked = files.map((file) => `${commit}:${file}\n`).join("");
  const answer = files.length === 0 ? null : answerOf(["cat-file", "--batch"], asked);
  let at = 0;
  return files.map(() => {
    if (answer === null) return null;
    const head = answer.toString("utf8", at, answer.indexOf("\n", at));
    at += Buffer.byteLength(head) + 1;
    const size = / blob (\d+)$/.exec(head)?.[1];
    if (size === undefined) return null;
    const text = answer.toString("utf8", at, at + Number(size));
    at += Number(size) + 1;
    return text;
  });
}

function linesOf(...words: readonly string[]): readonly string[] | null {
  return answerOf(words)?.toString().split("\n").filter(Boolean) ?? null;
}

/** Null where there is no git, or no such commit. */
function answerOf(words: readonly string[], stdin = ""): Buffer | null {
  const git = Bun.which("git");
  if (git === null) return null;
  const { success, stdout } = Bun.spawnSync([git, ...words], { stdin: Buffer.from(stdin), stderr: "ignore" });
  return success ? stdout : null;
}

/** The store, the schema, what says what its columns are, and which tests run on the second engine. */
const OF_THE_ENGINE = /^(src\/store\/|migrations\/|src\/(.*\/)?tables\.ts$|src\/.*queries\.ts$)/;
const CHOICE_OF_TESTS = ["test/second-engine.ts", "test/on-postgres.ts"];
/** A statement stands in the file. */
const STATEMENT = /(\b(sql|fragment)|\.(all|get|run)(<[^`]*>)?)`/;

/** Whether an engine may be asked for something else than before. */
export function isEngineChanged(changed: ReadonlySet<string> | null): boolean {
  if (changed === null) return true;
  return [...changed].some((file) => OF_THE_ENGINE.test(file) || CHOICE_OF_TESTS.includes(file) || hasStatement(file));
}

function hasStatement(file: string): boolean {
  return /^src\/.*\.ts$/.test(file) && existsSync(file) && STATEMENT.test(readFileSync(file, "utf8"));
}

const WEB = [...new Bun.Glob("web/**/*.{ts,tsx,css}").scanSync()].filter((path) => path !== "web/api.gen.ts");
const ROUTES = WEB.filter((path) => /\/routes?\.ts$/.test(path));
const AREAS = "web/texts/areas.ts";

/** What each path of a screen is made of: `path: "/people"` and the `import("./screens.ts")` after it. */
const SCREENS: readonly (readonly [path: string, files: ReadonlySet<string>])[] = ROUTES.flatMap((route) =>
  readFileSync(route, "utf8")
    .split(/\bpath: "/)
    .slice(1)
    .map((piece) => {
      const path = piece.slice(0, piece.indexOf('"')).replace(/\/\{?-?\$.*/, "");
      const loaded = [...piece.matchAll(/import\("(.+?)"\)/g)].map(([, file = ""]) => join(dirname(route), file));
      return [path, madeOf(loaded)] as const;
    }),
);

function madeOf(files: readonly string[]): ReadonlySet<string> {
  const all = new Set<string>();
  const visit = (file: string): void => {
    if (all.has(file) || !existsSync(file) || ROUTES.includes(file)) return;
    all.add(file);
    if (file !== AREAS) importsOf(file).forEach(visit);
  };
  files.forEach(visit);
  return all;
}

/** Types aside: they are gone before a screen is drawn. */
function importsOf(file: string): readonly string[] {
  const text = readFileSync(file, "utf8").replace(/^import type [^;]*;/gm, "");
  const imported = [...text.matchAll(/(?:\bfrom |\bimport\(?\s*)"(\.[^"]+)"/g)];
  const areas = [...text.matchAll(/\b(\w+)Texts\b/g)].map(([, name = ""]) =>
    name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
  );
  return [
    ...imported.map(([, path = ""]) => join(dirname(file), path)),
    ...areas.flatMap((area) => [`web/texts/en/${area}.ts`, `web/texts/de/${area}.ts`]),
  ];
}

/** What the pages of every screen have around them. */
const FRAME = madeOf(["web/main.tsx", "web/scheme.ts", "web/face.css", "web/frame/frame.tsx"]);
/**
 * What any screen may be made of without importing it: packages, how pages are served, and pages that the server draws.
 */
const EVERYWHERE = /^(bun\.lock$|web\/icon\.svg$|src\/desk\/face\/|src\/(.+\/)?(pages|forms|preferences)\/)/;

/** Whether what a screen at this path, below /app, is made of has changed. A path that no screen has: yes. */
export function isScreenChanged(path: string, changed: ReadonlySet<string> | null): boolean {
  if (changed === null || [...changed].some((file) => EVERYWHERE.test(file))) return true;
  const place = path.replace(/[?#].*/, "").replace(/\/$/, "") || "/";
  const screens = SCREENS.filter(([at]) => at === place || (at !== "/" && place.startsWith(`${at}/`)));
  const [nearest] = screens.toSorted(([one], [other]) => other.length - one.length);
  if (nearest === undefined) return true;
  return [...FRAME, ...nearest[1]].some((file) => changed.has(file));
}

const TESTS_OF_SCREENS = /^test\/(face\/(?!.*\.test\.ts)|support\/(browser|signed-in|layout|chromium)\.ts)/;

/** Whether a test that drives a browser, or a screen that it opens, has changed. */
export function isJourneyChanged(file: string, changed: ReadonlySet<string> | null): boolean {
  if (changed === null || changed.has(file)) return true;
  if ([...changed].some((path) => TESTS_OF_SCREENS.test(path))) return true;
  const paths = [...readFileSync(file, "utf8").matchAll(/["`](?:\$\{[^}]*\}\/app)?(\/[a-z][\w/-]*|\/)(?=[?"`#])/g)];
  const opened = paths
    .map(([, path = ""]) => path)
    .filter((path) => SCREENS.some(([at]) => path === at || (at !== "/" && path.startsWith(`${at}/`))));
  return opened.length === 0 || opened.some((path) => isScreenChanged(path, changed));
}
