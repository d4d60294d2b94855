// Name fields: one notion of them in the importer, the greeting of new emails, starters and people's names.
import { describe, expect, test } from "bun:test";
import { holdsNames, isNameField } from "../../src/audience/contacts/search/name-fields.ts";
import { guessMapping } from "../../web/people/import/file/file-head.ts";
import { greetingKey, nameIn, nameKindOf } from "../../web/base/name-fields.ts";

test.each([
  ["full", ["name", "Name", "full_name", "Full Name", "Vollständiger Name"]],
  ["first", ["firstName", "first_name", "First Name", "FNAME", "Vorname", "prénom", "名"]],
  ["last", ["lastName", "surname", "LNAME", "Nachname", "nom", "姓"]],
  [null, ["company_name", "username", "nickname", "plan", ""]],
] as const)("a field for %p names", (kind, keys) => {
  expect(keys.map(nameKindOf)).toEqual(keys.map(() => kind));
  // A search looks in the same fields.
  expect(keys.map(isNameField)).toEqual(keys.map(() => kind !== null));
  for (const one of ["full", "first", "last"] as const)
    expect(keys.map((key) => holdsNames(key, one))).toEqual(keys.map(() => kind === one));
});

describe("people are greeted by", () => {
  test.each<[string, [string, number][], string]>([
    ["the name where nobody has one", [["plan", 100]], "name"],
    [
      "the first name that they have",
      [
        ["first_name", 80],
        ["last_name", 80],
      ],
      "first_name",
    ],
    [
      "what more of them have",
      [
        ["name", 90],
        ["firstName", 20],
      ],
      "name",
    ],
    [
      "the first name where as many have both",
      [
        ["name", 90],
        ["vorname", 90],
      ],
      "vorname",
    ],
  ])("%s", (_, keys, greeting) => {
    expect(greetingKey(keys.map(([key, coverage]) => ({ key, coverage })))).toBe(greeting);
  });
});

describe("a column of names becomes", () => {
  test.each<[string, string[], string[], (string | null)[]]>([
    ["the usual fields", ["Vorname", "Nachname"], [], ["data.firstName", "data.lastName"]],
    ["the fields that people have", ["FNAME", "LNAME"], ["vorname", "nachname"], ["data.vorname", "data.nachname"]],
    ["the name, if it is a first name alone", ["Vorname", "Land"], ["country"], ["data.name", null]],
    ["the first name that people have", ["Vorname", "Land"], ["name", "first_name"], ["data.first_name", null]],
  ])("%s", (_, columns, keys, fields) => {
    expect(guessMapping(columns, keys).map(({ field }) => field)).toEqual(fields);
  });
});

test("a column of tags becomes the list of tags, whatever its case", () => {
  expect(guessMapping(["Email Address", "TAGS"], ["data.plan"])).toEqual([
    { field: null, type: null },
    { field: "data.tags", type: "list" },
  ]);
});

test.each<[Record<string, unknown>, string]>([
  [{ plan: "pro", name: "Ada Lovelace" }, "Ada Lovelace"],
  [{ last_name: "Lovelace", first_name: "Ada" }, "Ada Lovelace"],
  [{ Vorname: "Ada" }, "Ada"],
  [{ name: "  ", firstName: 7 }, ""],
])("the name in %p is %p", (data, name) => {
  expect(nameIn(data)).toBe(name);
});
