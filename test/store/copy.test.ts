// The parts of a copy from one engine to the other that need no second engine, and what is refused before it is asked.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Database } from "bun:sqlite";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CopyProgress } from "../../src/whole/cli/progress.ts";
import { canonical, Checksum } from "../../src/store/copy/canonical.ts";
import { inBatches, inOrder, type CopiedTable } from "../../src/store/copy/plan.ts";
import { newSource } from "../../src/store/copy/sqlite-source.ts";
import { posthornCli } from "../support/cli.ts";
import { TestClock } from "../support/clock.ts";
import { knowOneMore } from "../support/database.ts";
import { copyOf, makeInstallation, startOn, type Installation } from "../support/installation.ts";

const NOWHERE = "postgres://nobody@127.0.0.1:1/nothing";

let installation: Installation;
beforeAll(async () => void (installation = await makeInstallation()));
afterAll(() => installation.remove());

describe("the tables", () => {
  const tables = inOrder(newSource("2026-03-01T09:00:00.000Z").tables());
  const names = tables.map(({ name }) => name);

  test("are all that the migrations make, but for the turns, which the target's triggers write", () => {
    const files = [...new Bun.Glob("*.sql").scanSync("migrations")];
    const text = files.map((file) => readFileSync(join("migrations", file), "utf8"));
    const made = [...text.join("\n").matchAll(/^create table (\w+)/gm)].map((match) => match[1] as string);
    expect([...names, "turns"].sort()).toEqual([...new Set(made)].sort());
  });

  test("have a primary key each, which is what their rows are told apart by", () => {
    expect(tables.filter(({ key }) => key.length === 0)).toEqual([]);
  });

  test("come after those that their rows refer to", () => {
    const early = tables.filter(({ references }, index) => references.some((other) => names.indexOf(other) > index));
    expect(early).toEqual([]);
    expect(tables.flatMap(({ references }) => references)).not.toEqual([]);
  });

  test("have no order if they refer to each other in a circle", () => {
    const table = (name: string, references: string[]) => ({ name, columns: ["seq"], key: ["seq"], references });
    expect(inOrder([table("b", ["a", "b"]), table("a", [])]).map(({ name }) => name)).toEqual(["a", "b"]);
    expect(() => inOrder([table("a", ["b"]), table("b", ["a"])])).toThrow("in a circle");
  });
});

describe("a row", () => {
  const column = (name: string, kind: "json" | "text" | "number" | "bytes") => ({ name, kind, type: "" });
  const table: CopiedTable = {
    name: "things",
    columns: [column("seq", "number"), column("text", "text"), column("data", "json"), column("bytes", "bytes")],
    key: ["seq"],
    serial: null,
  };
  const bytes = new Uint8Array([1, 2, 3]);
  const row = { seq: 1, text: "ü", data: '{"b":[1,{"y":null,"x":"ü"}],"a":1.0}', bytes };
  const same = (other: object) => canonical(table, { ...row, ...other }) === canonical(table, row);

  test.each([
    ["its JSON has other white space", { data: '{ "b": [1, {"y": null, "x": "\\u00fc"}], "a": 1 }' }],
    ["its number is a big integer", { seq: 1n }],
    ["its bytes are told by their hash", { bytes: "039058c6f2c0cb492c533b0a4d14ef77cc0f78abccced5287d84a1a2011cfb81" }],
  ])("is the same if %s", (_, other) => expect(same(other)).toBe(true));

  test.each([
    ["a number in its JSON is text", { data: '{"b":[1,{"y":null,"x":"ü"}],"a":"1"}' }],
    ["the order of keys in it differs", { data: '{"a":1,"b":[1,{"y":null,"x":"ü"}]}' }],
    ["the order of a list in it differs", { data: '{"b":[{"y":null,"x":"ü"},1],"a":1}' }],
    ["a key with null is not there", { data: '{"b":[1,{"x":"ü"}],"a":1}' }],
    ["JSON stands where there was none", { data: null }],
    ["a text looks like the next column", { text: 'ü",{}' }],
    ["null replaces an empty text", { text: null }],
    ["a byte differs", { bytes: new Uint8Array([1, 2, 4]) }],
  ])("is another if %s", (_, other) => expect(same(other)).toBe(false));

  test("has its place in the checksum", () => {
    const sum = (...rows: string[]) => {
      const checksum = new Checksum();
      rows.forEach((text) => checksum.add(text));
      return checksum.hex;
    };
    expect(sum("1", "2")).toBe(sum("1", "2"));
    expect(new Set([sum("1", "2"), sum("2", "1"), sum("12"), sum("1"), sum("")]).size).toBe(5);
  });
});

test("batches hold no more than they may, and what is larger goes alone", () => {
  const rows = ["aa", "bb", "ccccccc", "d", "e", "f", "g"].map((text, seq) => ({ seq, text }));
  const batches = [...inBatches(rows, { rows: 3, bytes: 4 })].map((batch) => batch.map(({ text }) => text).join());
  expect(batches).toEqual(["aa,bb", "ccccccc", "d,e,f", "g"]);
  expect([...inBatches([], { rows: 3, bytes: 4 })]).toEqual([]);
});

describe("progress", () => {
  function copyOfFive(secondsABatch: number, isWatched: boolean): string[] {
    const clock = new TestClock();
    const heard: string[] = [];
    const io = {
      out: () => {},
      err: (line: string) => heard.push(`wrote ${line}`),
      ...(isWatched ? { show: (line: string) => heard.push(`showed ${line}`) } : {}),
      ask: () => Promise.resolve(""),
      untilStopped: () => Promise.resolve(),
      onHangUp: () => {},
    };
    const progress = new CopyProgress(io, clock);
    for (let batch = 1; batch <= 5; batch++) {
      clock.advance(secondsABatch * 1000);
      progress.step({ phase: "copied", table: "emails", rows: batch * 1000, total: 5000, added: 1000 });
    }
    return heard;
  }

  test("is shown in place every second where somebody watches, and the last line stays", () => {
    expect(copyOfFive(0.5, true)).toEqual([
      "showed emails: copied 2,000 of 5,000 rows (40 %), 2,000 rows a second",
      "showed emails: copied 4,000 of 5,000 rows (80 %), 2,000 rows a second",
      "showed emails: copied 5,000 of 5,000 rows (100 %), 2,000 rows a second\n",
    ]);
  });

  test("is written every five seconds where nobody does", () => {
    expect(copyOfFive(2.5, false)).toEqual([
      "wrote emails: copied 2,000 of 5,000 rows (40 %), 400 rows a second",
      "wrote emails: copied 4,000 of 5,000 rows (80 %), 400 rows a second",
      "wrote emails: copied 5,000 of 5,000 rows (100 %), 400 rows a second",
    ]);
  });

  test("counts for the rate what this run has done", () => {
    const clock = new TestClock();
    const heard: string[] = [];
    const io = {
      out: () => {},
      err: (line: string) => heard.push(line),
      ask: () => Promise.resolve(""),
      untilStopped: () => Promise.resolve(),
      onHangUp: () => {},
    };
    const progress = new CopyProgress(io, clock);
    clock.advance(1000);
    progress.step({ phase: "copied", table: "emails", rows: 5000, total: 5000, added: 100 });
    clock.advance(2000);
    progress.step({ phase: "copied", table: "events", rows: 200, total: 200, added: 200 });
    expect(heard.map((line) => line.split(", ").at(-1))).toEqual(["100 rows a second", "100 rows a second"]);
  });
});

describe("migrate-store refuses", () => {
  const migrate = (...words: string[]) => posthornCli(["migrate-store", ...words]);

  /** The database of an installation after `change`. */
  function changed(change: string): { readonly path: string; readonly remove: () => void } {
    const copy = copyOf(installation);
    const database = new Database(copy.path);
    database.run(change);
    database.close();
    return copy;
  }

  test.each([
    ["no source", [], "needs --from FILE"],
    ["no target", ["--from", "x.db"], "needs --to URL, or database.url"],
    ["a target that is no PostgreSQL", ["--from", "x.db", "--to", "mysql://h/d"], "needs a URL after --to"],
  ])("%s", async (_, words, message) => {
    const { code, err } = await migrate(...words);
    expect([code, err]).toEqual([2, expect.stringContaining(message)]);
  });

  test("a source that is not there, and makes none", async () => {
    const path = join(installation.dataDir, "nothing.db");
    expect(await migrate("--from", path, "--to", NOWHERE)).toMatchObject({ code: 1, err: `There is no file ${path}.` });
    expect(readdirSync(installation.dataDir)).not.toContain("nothing.db");
  });

  test("a source that a server runs on", async () => {
    const copy = copyOf(installation);
    {
      await using _ = await startOn(`sqlite:${copy.path}`, { dataDir: copy.dataDir });
      const { code, err } = await migrate("--from", copy.path, "--to", NOWHERE);
      expect([code, err]).toEqual([1, expect.stringContaining(`A Posthorn is running on ${copy.path}. Stop it first`)]);
    }
    copy.remove();
  });

  test("a file that is none of ours", async () => {
    const path = join(installation.dataDir, "notes.txt");
    writeFileSync(path, "Buy milk.\n".repeat(1000));
    expect((await migrate("--from", path, "--to", NOWHERE)).err).toBe(`${path}: file is not a database.`);
    const database = new Database(`${path}.db`);
    database.run("create table slips (text text)");
    database.close();
    const other = await migrate("--from", `${path}.db`, "--to", NOWHERE);
    expect([other.code, other.err]).toEqual([1, `${path}.db is not the database of a Posthorn.`]);
  });

  test("a store that a newer Posthorn has used", async () => {
    const copy = changed("insert into schema_versions values (9999, 'from the future', '2030-01-01', '')");
    const { code, err } = await migrate("--from", copy.path, "--to", NOWHERE);
    expect([code, err]).toEqual([2, expect.stringContaining("a newer Posthorn has used it")]);
    copy.remove();
  });

  test("a store of an older version, and does not bring it up to date", async () => {
    const before = readFileSync(installation.path);
    const knowOneLess = knowOneMore();
    const { code, err } = await migrate("--from", installation.path, "--to", NOWHERE).finally(knowOneLess);
    expect([code, err]).toEqual([1, expect.stringMatching(/is at schema (\d+), this executable needs (?!\1\.)\d+/)]);
    expect(readFileSync(installation.path).equals(before)).toBe(true);
  });

  test("a target that is not there, and releases the source", async () => {
    const { code, err } = await migrate("--from", installation.path, "--to", NOWHERE);
    expect([code, err]).toEqual([1, "PostgreSQL on 127.0.0.1:1 cannot be used: Failed to connect."]);
    await using posthorn = await startOn(`sqlite:${installation.path}`, { dataDir: installation.dataDir });
    expect(posthorn.server.url).toStartWith("http://");
  });
});

test("the help of migrate-store says that the secret key does not travel", async () => {
  const { code, out } = await posthornCli(["migrate-store", "--help"]);
  expect([code, out]).toEqual([0, expect.stringContaining("The secret key is not in the database")]);
});
