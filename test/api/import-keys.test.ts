// POST /contacts/import: columns become keys that segments, conditions and emails can name; yes and no, and amounts.
import { describe, expect, test } from "bun:test";
import { checked, exportedFrom, imported } from "../support/files.ts";
import type { Json, Posthorn } from "../support/posthorn.ts";
import { ask } from "../support/scenario.ts";
import { sharedPosthorn } from "../support/shared.ts";
import { workspace } from "../support/workspace.ts";

const shared = sharedPosthorn();

async function dataAt(posthorn: Posthorn, name: string): Promise<Json> {
  return (await ask(posthorn, `GET /contacts/by-email/${name}@a.example`)).body.data;
}

const fieldsOf = ({ columns }: Json): string[] => columns.slice(1).map(({ field }: Json) => field?.slice(5) ?? null);

describe("the name of a column becomes a plain key:", () => {
  test.each([
    ["Kundennr.", "kundennr"],
    ["Phone Number", "phoneNumber"],
    ["OK to email?", "okToEmail"],
    ["Umsatz (€)", "umsatz"],
    ["Größe, cm", "größeCm"],
    ["Mother's name", "mothersName"],
    ["POSTAL CODE", "postalCode"],
    ["2026 orders", "_2026Orders"],
    ["ID.", "id2"],
    ["???", "field"],
    ["MEMBER_RATING", "MEMBER_RATING"],
    ["Kunden-Nr", "Kunden-Nr"],
    ["data.Kundennr.", "Kundennr."],
  ])("%s → %s", async (name, key) => {
    const check = await checked(shared(), `email;"${name}"\na@a.example;7\n`);
    expect(fieldsOf(check)).toEqual([key]);
    const said = check.warnings?.map(({ field, reason }: Json) => [field, reason]);
    const reason = name === "data.Kundennr." ? "no_plain_key" : "plain_key";
    expect(said).toEqual(name === key ? undefined : [[`data.${key}`, reason]]);
  });

  test("two that would be one, and one that is there", async () => {
    const header = "email,Phone number,Phone (number),zip.,zip";
    expect(fieldsOf(await checked(shared(), `${header}\na@a.example,1,2,3,4\n`))).toEqual([
      ...["phoneNumber", "phoneNumber2", "zip2", "zip"],
    ]);
  });
});

test("a segment finds people by the key that a column with a dot became, and the import says it (slow)", async () => {
  await using posthorn = await workspace();
  const { result } = await imported(posthorn, "email,Kundennr.\na@a.example,K7\n");
  expect(result.warnings).toMatchObject([{ field: "data.kundennr", reason: "plain_key" }]);
  expect(result.warnings[0].message).toStartWith("The column Kundennr. becomes kundennr:");
  const condition = { groups: [{ filters: [{ field: "kundennr", operator: "equals", value: "K7" }] }] };
  expect((await ask(posthorn, "POST /segments/preview", { body: { condition } })).body).toMatchObject({ contacts: 1 });
});

test("a column becomes the key that people have for it", async () => {
  await using posthorn = await workspace();
  const body = { email: "a@a.example", data: { phone_number: "1", "Kundennr.": "K7" } };
  await ask(posthorn, "POST /contacts", { body });
  const check = await checked(posthorn, "email,Phone Number,Kundennr.\na@a.example,2,K8\n");
  expect(fieldsOf(check)).toEqual(["phone_number", "Kundennr."]);
  expect(check.warnings.map(({ reason }: Json) => reason)).toEqual(["plain_key", "no_plain_key"]);
});

test("what is exported comes back under the same keys (slow)", async () => {
  await using here = await workspace();
  await using there = await workspace();
  const data = { "Kundennr.": "K7", "Phone Number": "+49", "OK?": "Y", plan: "pro" };
  await ask(here, "POST /contacts", { body: { email: "a@a.example", data } });
  await imported(there, await exportedFrom(here));
  expect(await dataAt(there, "a")).toEqual(data);
});

describe("a column of", () => {
  test.each<[string, string[], unknown[]]>([
    ["Y and N", ["Y", "n", "Y"], [true, false, true]],
    ["J and N", ["J", "N"], [true, false]],
    ["OK and no", ["OK", "no", "Okay"], [true, false, true]],
    ["Ja and Nein", ["Ja", "Nein"], [true, false]],
    ["one letter alone", ["Y", "Y"], ["Y", "Y"]],
    ["dollars", ["$1,000.50", "$7", "-$5.25"], [1000.5, 7, -5.25]],
    ["euros", ["1.000,50 €", "7,00 €"], [1000.5, 7]],
    ["euros by code", ["EUR 1,000.50", "EUR 7.00"], [1000.5, 7]],
    ["amounts with and without a sign", ["$12.50", "7.25"], [12.5, 7.25]],
    ["euros in thousands", ["1.000 €", "2.500 €"], [1000, 2500]],
    ["euros with blanks between thousands", ["1 000,50 €", "12,00 €"], [1000.5, 12]],
    ["euros without cents", ["5,- €", "1.250,-- €"], [5, 1250]],
    ["euros in words", ["1.000,50 Euro", "7,00 Euro"], [1000.5, 7]],
    ["dollars of the United States", ["US$1,000.50", "US$7"], [1000.5, 7]],
    ["reais", ["R$ 1.000,50", "R$ 7,00"], [1000.5, 7]],
    ["dollars in thousands", ["$1,000", "$2,000"], [1000, 2000]],
    ["numbers of telephones", ["89 123 456", "30 123 456"], ["89 123 456", "30 123 456"]],
    ["two currencies", ["$7.00", "€7.00"], ["$7.00", "€7.00"]],
    ["prices in words", ["$7 each", "$8"], ["$7 each", "$8"]],
  ])("%s", async (_, cells, values) => {
    const rows = cells.map((cell, row) => `p${row}@b.example\t${cell}\n`).join("");
    const { columns } = await checked(shared(), `email\tkey\n${rows}`);
    expect(columns[1].values).toEqual([...new Set(cells)].map((cell) => values[cells.indexOf(cell)]));
  });
});

test("whether it is OK to email somebody is said by a column of that name", async () => {
  const file = "email,OK to email?\na@a.example,Y\nb@a.example,N\nc@a.example,\n";
  const { columns, statuses } = await checked(shared(), file);
  expect(columns[1]).toMatchObject({ isConsent: true, format: "boolean" });
  expect(statuses).toMatchObject({ subscribed: 1, unsubscribed: 2 });
});
