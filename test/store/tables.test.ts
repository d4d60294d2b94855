// What each table says of itself (src/store/table.ts), held against the schema.
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import { KINDS } from "../../src/operator/retention/kinds.ts";
import { allTables, personTables, type Table } from "../../src/store/table.ts";
import "../../src/whole/tables.ts";
import { columnsOf, mapOfTables } from "../support/schema.ts";

const TABLES = allTables();
const named = (tables: readonly Table[]) => tables.map(({ name }) => name);
const columns = (name: string) => columnsOf(name).map((one) => one.name);

test("each table is declared by the room that the map of the schema names", async () => {
  const declared = await Promise.all(
    mapOfTables().map(async ({ room, table }) => {
      const file = Bun.file(`${room}/tables.ts`);
      return (await file.exists()) && (await file.text()).includes(`table("${table}"`) ? [] : [`${room}: ${table}`];
    }),
  );
  expect(declared.flat()).toEqual(["src/store: schema_versions"]);
});

/** Statements in words, and those that are made of columns. */
const WRITES =
  /(?:insert into|update|delete from)\s+([a-z_]+)\b|\b(?:insertion|changing|TableRows)(?:<[^>]*>)?\(\s*"([a-z_]+)"/g;

/** By rooms below the one whose table it is. */
const BY_OTHERS: Readonly<Record<string, string>> = {
  "audience/suppressions: contacts": "why the address is suppressed: in step with the suppressions",
  "audience/topics: contacts": "what the person says of topics: the column is that room's",
  "ground/ways: workspaces": "the rules for ways as the door needs them, so that no send has to ask for them",
  "mail/reports: messages": "the bytes of a report that nobody could read go with the report",
};

test("a table is written by its own room", () => {
  const rooms = new Map(mapOfTables().map(({ room, table }) => [table, `${room}/`.slice("src/".length)]));
  const foreign = [...new Bun.Glob("**/*.ts").scanSync("src")]
    .filter((file) => !file.startsWith("store/"))
    .flatMap((file) =>
      [...readFileSync(`src/${file}`, "utf8").matchAll(WRITES)].flatMap(([, named, made]) => {
        const table = named ?? made ?? "";
        const room = rooms.get(table);
        return room === undefined || file.startsWith(room) ? [] : `${dirname(file)}: ${table}`;
      }),
    );
  expect([...new Set(foreign)].toSorted()).toEqual(Object.keys(BY_OTHERS));
});

test("whose rows are a workspace's, another table's or the installation's is what the schema says", () => {
  const wrong = TABLES.filter(({ name, of, onReset, isLoose }) => {
    const columns = columnsOf(name);
    const tenant = columns.find((column) => column.name === "workspace");
    if (of === "installation") return tenant !== undefined || onReset !== undefined;
    if (of === "workspace") return !tenant || !onReset || (tenant.references === null) !== (isLoose === true);
    return isLoose === true || !TABLES.some((one) => one.name === of);
  });
  expect(named(wrong)).toEqual([]);
});

/** Rows that go by a trigger, by a code that empties them, or by a key of several columns. */
const WITHOUT_A_KEY = ["files", "segments_to_empty", "segment_members", "answers_about"];

test("rows of another table's rows go with them", () => {
  const parts = TABLES.filter(({ of }) => of !== "workspace" && of !== "installation");
  const loose = parts.filter(({ name, of }) => !columnsOf(name).some(({ references }) => references === of));
  expect(named(loose).toSorted()).toEqual(WITHOUT_A_KEY.toSorted());
});

test("a table that names a contact, or has an address of somebody, says what becomes of that", () => {
  const naming = TABLES.filter(({ name }) =>
    columnsOf(name).some((column) => column.references === "contacts" || /^(contact|address|about)$/.test(column.name)),
  );
  expect(named(naming.filter(({ person }) => !person))).toEqual([]);
  for (const { name, person } of personTables()) {
    expect([name, person.by.filter((one) => !columns(name).includes(one))]).toEqual([name, []]);
    expect([name, Object.keys(person.onErase).length > 0]).toEqual([name, true]);
    if (person.onMerge === "moves")
      expect([name, columns(name)]).toEqual([name, expect.arrayContaining(["seq", "contact"])]);
    if (person.onErase.with !== undefined) expect(named(TABLES)).toContain(person.onErase.with);
  }
});

test("what is kept for some days is pruned by them, and nothing else is", () => {
  const kept = TABLES.flatMap(({ keptFor }) => keptFor ?? []);
  expect(kept.toSorted()).toEqual(KINDS.map(({ days }) => days as string).toSorted());
});

test("what a table says of the file of a workspace is of its columns, and of tables that go", () => {
  const goes = TABLES.filter(({ onLeave }) => onLeave === "goes" || !("stays" in onLeave));
  const wrong = goes.flatMap(({ name, onLeave }) => {
    if (onLeave === "goes" || "stays" in onLeave) return [];
    const { without = [], secret = [], refers = {}, lists = {}, upTo = {}, as = {} } = onLeave;
    const named = [...without, ...secret, ...[refers, lists, upTo, as].flatMap(Object.keys)];
    const meant = [refers, lists, upTo]
      .flatMap((one) => Object.values(one))
      .flatMap((one) => (typeof one === "string" ? one : Object.values({ ...one, by: "emails" })));
    return [
      ...named.filter((one) => !columns(name).includes(one)).map((one) => `${name}.${one}`),
      ...meant.filter((one) => !goes.some((other) => other.name === one)).map((one) => `${name} → ${one}`),
    ];
  });
  expect(wrong).toEqual([]);
});

test("each column of a table that goes which refers to one that stays is left behind, and says so", () => {
  const stays = (name: string) =>
    TABLES.some((one) => one.name === name && typeof one.onLeave === "object" && "stays" in one.onLeave);
  const left = TABLES.filter(({ name }) => !stays(name)).flatMap(({ name, onLeave }) =>
    columnsOf(name).flatMap((column) => {
      const without = typeof onLeave === "object" && "without" in onLeave ? (onLeave.without ?? []) : [];
      return column.references && stays(column.references) && !without.includes(column.name)
        ? `${name}.${column.name}`
        : [];
    }),
  );
  expect(left).toEqual([]);
});
