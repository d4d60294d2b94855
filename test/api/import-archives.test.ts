// POST /contacts/import: a ZIP archive of several files is one import, and of a person in two of them the worst is
// kept.
import { describe, expect, test } from "bun:test";
import { deflateRawSync } from "node:zlib";
import { Archive } from "../../src/audience/csv/packed/archive.ts";
import { expectCpuBelow } from "../support/cpu-time.ts";
import { checked, imported, upload } from "../support/files.ts";
import type { Json, Posthorn } from "../support/posthorn.ts";
import { zipOf } from "../support/reports.ts";
import { ask } from "../support/scenario.ts";
import { workbookOf } from "../support/workbooks.ts";
import { workspace } from "../support/workspace.ts";

type Files = Readonly<Record<string, string | Uint8Array>>;

function latin(text: string): Buffer {
  return Buffer.from(text, "latin1");
}

function old(name: string): Buffer {
  return Buffer.concat([latin("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"), Buffer.alloc(512), Buffer.from(name, "utf16le")]);
}

function zip(files: Files, isDeflated = true): Buffer {
  const entries = Object.entries(files).map(([name, content]) => ({ name, bytes: Buffer.from(content) }));
  return zipOf(entries, isDeflated ? deflateRawSync : undefined);
}

/** As Mailchimp packs an audience. */
const SUBSCRIBED = "audience/subscribed_email_audience_export_4f1c.csv";
const UNSUBSCRIBED = "audience/unsubscribed_email_audience_export_4f1c.csv";
const CLEANED = "audience/cleaned_email_audience_export_4f1c.csv";
const NONSUBSCRIBED = "audience/nonsubscribed_email_audience_export_4f1c.csv";
const MAILCHIMP: Files = {
  [UNSUBSCRIBED]:
    "Email Address,First Name,OPTIN_TIME,CONFIRM_TIME,UNSUB_TIME,UNSUB_REASON\nbob@a.example,Bob,,2025-01-02 10:00:00,2026-02-03 10:00:00,N/A\nbo th@a.example,Both,,,2026-02-03 10:00:00,\n",
  [CLEANED]:
    "Email Address,First Name,CONFIRM_TIME,CLEAN_TIME\nboth@a.example,Both,2025-01-02 10:00:00,2026-02-03 10:00:00\n",
  [NONSUBSCRIBED]: "Email Address,First Name\nbuyer@a.example,Cyd\n",
  [SUBSCRIBED]:
    'Email Address,First Name,PLAN,OPTIN_TIME,CONFIRM_TIME,CONFIRM_IP,TAGS\nada@a.example,Ada,pro,,2025-01-02 10:00:00,192.0.2.7,"""vip"",""new"""\nboth@a.example,Both,free,,,,\n',
  "__MACOSX/audience/._cleaned.csv": "\0\x05\x16\x07",
  "audience/.DS_Store": "\0\0\0\x01Bud1",
};

async function states(posthorn: Posthorn): Promise<Readonly<Record<string, string>>> {
  const { body } = await ask(posthorn, "GET /contacts?limit=100");
  return Object.fromEntries(
    body.data.map(({ email, subscribed, suppressed }: Json) => [
      email.split("@")[0],
      suppressed?.reason ?? suppressed ?? (subscribed ? "subscribed" : "unsubscribed"),
    ]),
  );
}

test("a check says of each file what it is taken for, and what would become of its rows", async () => {
  await using posthorn = await workspace();
  const check = await checked(posthorn, zip(MAILCHIMP));
  const none = { leftOut: null, created: 0, updated: 0, unchanged: 0, repeated: 0, failed: 0 };
  expect(check.files).toEqual([
    { ...none, name: UNSUBSCRIBED, standing: "unsubscribed", created: 1, failed: 1 },
    { ...none, name: CLEANED, standing: "bounce", repeated: 1 },
    { ...none, name: NONSUBSCRIBED, standing: "unsubscribed", created: 1 },
    { ...none, name: SUBSCRIBED, standing: "subscribed", created: 2 },
  ]);
  expect(check).toMatchObject({ rows: 6, created: 4, repeated: 1, failed: 1, undecided: 0 });
  expect(check.statuses).toEqual({ subscribed: 1, unsubscribed: 2, pending: 0, suppressed: 1 });
  expect(check.errors).toMatchObject([{ file: UNSUBSCRIBED, row: 3, email: "bo th@a.example" }]);
});

test("an import does that, keeps the data of all files, and is undone as a whole", async () => {
  await using posthorn = await workspace();
  const columns = JSON.stringify([...Array.from({ length: 9 }, () => null), { field: "data.tags", type: "list" }]);
  const job = await imported(posthorn, zip(MAILCHIMP), { fields: { columns } });
  expect(job.result).toMatchObject({ totalRows: 6, createdCount: 4, repeatedCount: 1, failureCount: 1 });
  expect(job.result.errors).toMatchObject([{ file: UNSUBSCRIBED, row: 3 }]);
  expect(await states(posthorn)).toEqual({
    ...{ ada: "subscribed", bob: "unsubscribed", buyer: "unsubscribed", both: "bounce" },
  });
  const ada = (await ask(posthorn, "GET /contacts/by-email/ada@a.example")).body;
  expect(ada.data).toMatchObject({ firstName: "Ada", PLAN: "pro", joinedAt: "2025-01-02T10:00:00.000Z" });
  const { status } = await ask(posthorn, `POST /contacts/import/${job.id}/undo`);
  await posthorn.settle();
  expect([status, await states(posthorn)]).toEqual([202, {}]);
});

describe("of a person in several files the worst is kept, however they are ordered, and also with resubscribe:", () => {
  const files = Object.entries({
    "list-unsubscribed.csv": "Name,Email\nX,1@a.example\nX,2@a.example\nX,3@a.example\n",
    "list-active.csv": "Name,Email\nX,1@a.example\nX,2@a.example\nX,3@a.example\nX,0@a.example\n",
    "list-marked-as-spam.csv": "Name,Email\nX,3@a.example\n",
    "list-bounced.csv": "Name,Email\nX,2@a.example\nX,3@a.example\n",
    "others.csv": "email,state\n0@a.example,\n",
  });
  test.each([0, 1, 2, 3, 4])("beginning with file %d", async (first) => {
    await using posthorn = await workspace();
    const archive = zip(Object.fromEntries([...files.slice(first), ...files.slice(0, first)]));
    const { statuses } = await checked(posthorn, archive, { query: "?resubscribe=true" });
    await imported(posthorn, archive, { query: "?resubscribe=true" });
    expect(await states(posthorn)).toEqual({ 0: "subscribed", 1: "unsubscribed", 2: "bounce", 3: "complaint" });
    expect(statuses).toEqual({ subscribed: 1, unsubscribed: 1, pending: 0, suppressed: 2 });
  });
});

test("workbooks and CSV files of any encoding and separator are one list, and columns are found by their names", async () => {
  await using posthorn = await workspace();
  const archive = zip({
    "a.xlsx": workbookOf([
      ["Plan", "E-Mail"],
      ["pro", "ada@a.example"],
      ["free", "nobody"],
    ]),
    "b.csv": Buffer.from("email;Ort;plan\nbob@a.example;K\xf6ln;free\ncyd@a.example;Bonn;free;x\n", "latin1"),
    "c.csv": Buffer.from("\ufeffOrt\temail\nUlm\tdan@a.example\n", "utf16le"),
  });
  const check = await checked(posthorn, archive);
  expect(check.columns.map(({ name, field }: Json) => [name, field])).toEqual([
    ["Plan", "data.Plan"],
    ["E-Mail", "email"],
    ["Ort", "data.Ort"],
  ]);
  const { result } = await imported(posthorn, archive);
  expect(result.errors).toMatchObject([
    { file: "a.xlsx", row: 3 },
    { file: "b.csv", row: 3, error: "The row has more cells than the first line of its file." },
  ]);
  const data = async (email: string) => (await ask(posthorn, `GET /contacts/by-email/${email}`)).body.data;
  expect([await data("ada@a.example"), await data("bob@a.example"), await data("dan@a.example")]).toEqual([
    { Plan: "pro" },
    { Plan: "free", Ort: "Köln" },
    { Ort: "Ulm" },
  ]);
});

test("what is no list is left out, and the check and the import say so", async () => {
  await using posthorn = await workspace();
  const archive = zip({
    "readme.txt": "These are your people.\n",
    "logo.png": latin("\x89PNG\r\n\x1a\n"),
    "campaigns.csv": "title,sent\nSpring,2026-01-01\n",
    "people.csv": "email\nada@a.example\n",
    "empty.csv": "",
  });
  const { files, rows } = await checked(posthorn, archive);
  expect([rows, files.map(({ name, leftOut }: Json) => [name, leftOut])]).toEqual([
    1,
    [
      ["readme.txt", "no_addresses"],
      ["logo.png", "no_list"],
      ["campaigns.csv", "no_addresses"],
      ["people.csv", null],
      ["empty.csv", "no_list"],
    ],
  ]);
  const { result } = await imported(posthorn, archive);
  const said = result.warnings.filter(({ reason }: Json) => reason === "left_out");
  expect(said.map(({ message }: Json) => message)).toContain(
    "logo.png was left out: it is neither CSV nor a workbook.",
  );
  expect([result.totalRows, said.length]).toEqual([1, 4]);
});

test("a column may be chosen where no file has one of addresses by its name", async () => {
  await using posthorn = await workspace();
  const archive = zip({ "a.csv": "who\nada@a.example\n", "b.csv": "city,who\nUlm,bob@a.example\n" });
  expect((await checked(posthorn, archive)).error.errors[0].code).toBe("missing_column");
  const { result } = await imported(posthorn, archive, { fields: { columns: '["email", null]' } });
  expect(result.createdCount).toBe(2);
});

test("our own column in one file does not silence the columns of another", async () => {
  await using posthorn = await workspace();
  const archive = zip({
    "ours.csv": "email,subscribed,status\nada@a.example,true,unsubscribed\n",
    "theirs.csv": "email,bounced_at\nbob@a.example,2026-01-01\n",
  });
  await imported(posthorn, archive);
  expect((await states(posthorn))["bob"]).toBe("bounce");
});

describe("the name of a file", () => {
  const said = async (name: string) => {
    await using posthorn = await workspace();
    return (await checked(posthorn, "Name,Email\nAda,ada@a.example\n", { name })).standing ?? null;
  };
  test.each([
    ["spam-filter-users.csv"],
    ["opt-out-of-paper.csv"],
    ["Bounces trampoline customers.csv"],
    ["pending orders.csv"],
    ["subscribed to the printed magazine.csv"],
    ["customers without bounces.csv"],
    ["Kunden ohne Spam.csv"],
    ["contacts_cleaned.csv"],
    ["cleaned list.csv"],
    ["members-active.csv"],
  ])("%s says nothing of the people in it", async (name) => expect(await said(name)).toBeNull());

  test.each([
    ["cleaned_members_export_4f1c.csv", "bounce"],
    ["bounces (2).csv", "bounce"],
    ["unsubscribed contacts.csv", "unsubscribed"],
    ["people-not-subscribed.csv", "unsubscribed"],
    ["Opt-Outs.csv", "unsubscribed"],
    ["news-marked-as-spam.csv", "complaint"],
    ["news pending.csv", "pending"],
    ["subscribed_segment_export_4f1c.csv", "subscribed"],
  ])("%s says %s, and a check of it alone says so", async (name, standing) => expect(await said(name)).toBe(standing));
});

const PEOPLE = zip({ "people.csv": "email\nada@a.example\n" });
const encrypted = Buffer.from(PEOPLE);
encrypted[encrypted.indexOf("PK\x01\x02") + 8] = 1;
const stored = zip({ "people.csv": "email\nada@a.example\n" }, false);
stored[stored.indexOf("ada@")] = 0x62;
const MANY = Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`${at}.csv`, "email\n"]));
const REFUSED: readonly (readonly [string, Uint8Array, string, RegExp])[] = [
  ["is protected", encrypted, "protected_zip", /protected by a password/],
  ["is cut off", PEOPLE.subarray(0, PEOPLE.length - 9), "broken_zip", /damaged/],
  ["has other bytes than it says", stored, "broken_zip", /damaged/],
  ["is empty", zip({}), "empty_zip", /no CSV file/],
  ["has no lists", zip({ "logo.png": latin("\x89PNG\r\n\x1a\n") }), "empty_zip", /no CSV file/],
  ["has very many files", zip(MANY), "big_zip", /at most 100 files/],
  ["is a bomb", zip({ "people.csv": `email\n${`${"x".repeat(999)}\n`.repeat(20_000)}` }), "big_zip", /1 GB/],
  ["has an archive in it", zip({ "a.csv": "email\n", "b.zip": PEOPLE }), "zip_file", /^b\.zip: This is a ZIP archive/],
  ["has an old workbook in it", zip({ "b.xls": old("Workbook") }), "spreadsheet_file", /^b\.xls: /],
  ["has a protected workbook in it", zip({ "b.xlsx": old("EncryptedPackage") }), "protected_file", /^b\.xlsx: /],
  ["has a text of no encoding", zip({ "a.csv": latin("email,\xc3\xa4\n\xfc") }), "invalid_encoding", /^a\.csv: /],
];

test.each(REFUSED)("an archive that %s is refused, and leaves nothing", async (_, file, code, message) => {
  await using posthorn = await workspace();
  const { status, body } = await upload(posthorn, file);
  expect([status, body.error.errors[0].field, body.error.errors[0].code]).toEqual([422, "file", code]);
  expect(body.error.errors[0].message).toMatch(message);
  expect((await checked(posthorn, file)).error.errors).toEqual(body.error.errors);
  expect((await ask(posthorn, "GET /contacts")).body.data).toEqual([]);
});

test("names with paths that lead elsewhere are only names", async () => {
  await using posthorn = await workspace();
  const { files } = await checked(posthorn, zip({ "../../etc/unsubscribed.csv": "email\nada@a.example\n" }));
  expect(files).toMatchObject([{ name: "../../etc/unsubscribed.csv", standing: "unsubscribed", created: 1 }]);
});

test("files of the same name are counted each for itself", async () => {
  await using posthorn = await workspace();
  const texts = ["email\n", "email\nada@a.example\n", "email\nbob@a.example\ncyd@a.example\nnobody\n"];
  const archive = zipOf(texts.map((text) => ({ name: "people.csv", bytes: Buffer.from(text) })));
  const { files } = await checked(posthorn, archive);
  expect(files.map(({ created, failed }: Json) => [created, failed])).toEqual([
    [0, 0],
    [1, 0],
    [2, 1],
  ]);
});

test("rows that are as wide as all files together cross over a few at a time", async () => {
  const wide = `email,${Array.from({ length: 1_900 }, (_, at) => `c${at}`).join(",")}\n`;
  const archive = new Archive(zip({ "wide.csv": wide, "long.csv": `email,z\n${"a,b\n".repeat(5_000)}` }), null);
  let rows = 0;
  for await (const batch of archive.records()) {
    rows += batch.length;
    expect(batch.reduce((sum, { cells }) => sum + cells.length, 0)).toBeLessThan(70_000);
  }
  expect(rows).toBe(5_001);
});

test("the main thread does not unpack: files that say nothing cost it nothing", async () => {
  await using posthorn = await workspace();
  const empty = zip({ "a.csv": "email\nada@a.example\n", "b.csv": `email\n${"\n".repeat(2_000_000)}` });
  await expectCpuBelow(300, async () => expect((await checked(posthorn, empty)).rows).toBe(1));
});
