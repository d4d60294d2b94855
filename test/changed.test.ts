// What the gate looks at again after a change (test/changed.ts).
import { describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isEngineChanged, isJourneyChanged, isScreenChanged } from "./changed.ts";
import { SCREENS } from "./face/screens.ts";

const paths = [...new Set(SCREENS.map(({ path }) => path.replace(/[?#].*/, "")))];
const whichOf = (...files: readonly string[]) => paths.filter((path) => isScreenChanged(path, new Set(files)));

describe("a screen", () => {
  test("is what it was while nothing has changed, or only what it is not made of", () => {
    expect(whichOf().filter((path) => path !== "/nowhere")).toEqual([]);
    expect(isScreenChanged("/mail", new Set(["web/people/row.tsx", "src/whole/server.ts"]))).toBe(false);
  });

  test("has changed with its own files, its texts and its parts", () => {
    for (const file of ["web/people/row.tsx", "web/texts/de/people.ts", "web/parts/fields/checkbox.tsx"])
      expect(isScreenChanged("/people?status=SUBSCRIBED", new Set([file]))).toBe(true);
  });

  test.each([
    "web/frame/frame.tsx",
    "web/styles/tokens.css",
    "src/content/pages/look.ts",
    "src/programs/forms/page.ts",
    "src/programs/preferences/page.ts",
    "bun.lock",
  ])("has changed with %s, which is in every screen or may be", (file) => {
    expect(whichOf(file)).toEqual(paths);
  });

  test("may have changed in any way since a commit that is not here", () => {
    expect(isScreenChanged("/mail", null)).toBe(true);
  });
});

test("a journey is made again after a change of itself, or of a screen that it opens", () => {
  const people = "test/face/people.test.ts";
  expect(
    [[people], ["web/people/row.tsx"], ["web/statistics/statistics.tsx"]].map((files) =>
      isJourneyChanged(people, new Set(files)),
    ),
  ).toEqual([true, true, false]);
});

test.each([
  ["src/store/columns.ts", true],
  ["migrations/0001_schema.sql", true],
  ["src/programs/forms/count-queries.ts", true],
  ["src/audience/topics/tables.ts", true],
  ["src/operator/team/session-routes.ts", true],
  ["src/content/mime/plain-text/data-tables.ts", false],
  ["src/content/pages/look.ts", false],
] as const)("the second engine runs whole after a change of %s: %p", (file, isWhole) => {
  expect(isEngineChanged(new Set([file]))).toBe(isWhole);
});

describe("what has changed since a commit", () => {
  const changedIn = (cwd: string, { path = process.env["PATH"], name = "changedSince" } = {}) => {
    const program = `import { ${name} } from "${import.meta.dir}/changed.ts";
      console.log(JSON.stringify([...(${name}("HEAD") ?? ["anything"])]));`;
    const { stdout } = Bun.spawnSync([process.execPath, "-e", program], { cwd, env: { PATH: path ?? "" } });
    return JSON.parse(stdout.toString());
  };

  /** A folder with one commit of these files. */
  function committed(files: Readonly<Record<string, string>>): string {
    const folder = mkdtempSync(join(tmpdir(), "posthorn-changed-"));
    const git = (...words: readonly string[]) =>
      Bun.spawnSync(["git", "-c", "user.name=Ada", "-c", "user.email=ada@example.com", ...words], { cwd: folder });
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    for (const words of [["init"], ["add", "."], ["commit", "-m", "first"]]) expect(git(...words).exitCode).toBe(0);
    return folder;
  }

  test.skipIf(Bun.which("git") === null)(
    "is also a file that is new, and not one that is ignored; anything, where there is no git",
    () => {
      const folder = committed({ ".gitignore": "made.ts\n", "old.ts": "1" });
      expect(changedIn(folder)).toEqual([]);
      for (const name of ["old.ts", "new.ts", "made.ts"]) writeFileSync(join(folder, name), "2");
      expect(changedIn(folder)).toEqual(["old.ts", "new.ts"]);
      expect(changedIn(folder, { path: "/nowhere" })).toEqual(["anything"]);
      rmSync(folder, { recursive: true });
    },
  );

  test.skipIf(Bun.which("git") === null)(
    "leaves out programs whose comments or types alone differ, where that is asked for",
    () => {
      const folder = committed({
        "a.ts": "type A = 1;\nexport const a: A = 1; // one",
        "b.tsx": "export const b = 1;",
      });
      writeFileSync(join(folder, "a.ts"), "type One = 1;\n// One.\nexport const a: One = 1;");
      writeFileSync(join(folder, "b.tsx"), "export const b = 2;");
      writeFileSync(join(folder, "c.ts"), "// new");
      writeFileSync(join(folder, "read.md"), "new");
      expect(changedIn(folder)).toEqual(["a.ts", "b.tsx", "c.ts", "read.md"]);
      const programs = { name: "programsChangedSince" };
      expect(changedIn(folder, programs)).toEqual(["b.tsx", "c.ts", "read.md"]);
      expect(changedIn(folder, { ...programs, path: "/nowhere" })).toEqual(["anything"]);
      rmSync(folder, { recursive: true });
    },
  );

  test.skipIf(Bun.which("git") === null)("leaves out files that moved, if they import the same files as before", () => {
    const lines = Array.from({ length: 9 }, (_, at) => `console.log("line ${at}");\n`).join("");
    const folder = committed({
      "a.ts": `import { b } from "./b.ts";\nb();\n${lines}`,
      "b.ts": `export function b() {\n${lines}}`,
      "c.ts": `import { b } from "./b.ts";\nb("c");\n${lines}`,
      "face.css": `.face {\n${"  color: red;\n".repeat(9)}}`,
      "other.ts": "export const b = 1;",
    });
    for (const name of ["a", "b", "c"]) rmSync(join(folder, `${name}.ts`));
    rmSync(join(folder, "face.css"));
    mkdirSync(join(folder, "deep"));
    writeFileSync(join(folder, "deep/a.ts"), `import { b } from "./b.ts";\nb();\n${lines}`);
    writeFileSync(join(folder, "deep/b.ts"), `export function b() {\n${lines}}`);
    writeFileSync(join(folder, "deep/c.ts"), `import { b } from "../other.ts";\nb("c");\n${lines}`);
    writeFileSync(join(folder, "deep/face.css"), `.face {\n${"  color: red;\n".repeat(9)}}`);
    Bun.spawnSync(["git", "add", "--all"], { cwd: folder });
    const changed = changedIn(folder, { name: "programsChangedSince" });
    expect(changed).toEqual(["a.ts", "b.ts", "c.ts", "deep/c.ts", "face.css"]);
    rmSync(folder, { recursive: true });
  });
});
