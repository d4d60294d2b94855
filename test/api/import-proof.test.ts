// POST /contacts/import: the date of joining and the proof of consent in exports of other products are kept.
import { describe, expect, test } from "bun:test";
import { checked, exportedFrom, imported } from "../support/files.ts";
import type { Json, Posthorn } from "../support/posthorn.ts";
import { ask } from "../support/scenario.ts";
import { workspace } from "../support/workspace.ts";

async function contactAt(posthorn: Posthorn, name: string): Promise<Json> {
  return (await ask(posthorn, `GET /contacts/by-email/${name}@a.example`)).body;
}

async function ledgerOf(posthorn: Posthorn, name: string): Promise<Json[]> {
  const { id } = await contactAt(posthorn, name);
  return (await ask(posthorn, `GET /contacts/${id}/consent`)).body.data;
}

const MAILCHIMP = "Email Address,MEMBER_RATING,OPTIN_TIME,OPTIN_IP,CONFIRM_TIME,CONFIRM_IP,LEID,EUID";

describe("what an export proves:", () => {
  test.each<[string, string, string, string | undefined, string | null]>([
    [
      "Mailchimp, double opt-in",
      MAILCHIMP,
      "a@a.example,2,2023-04-01 10:11:12,192.0.2.7,2023-04-02 08:00:00,192.0.2.8,1,x",
      "2023-04-01T10:11:12.000Z",
      "import: Mailchimp, opt-in 2023-04-01, confirmed 2023-04-02, 192.0.2.7, 192.0.2.8",
    ],
    [
      "Mailchimp, opt-in",
      MAILCHIMP,
      "a@a.example,2,2023-04-01 10:11:12,192.0.2.7,,,1,x",
      "2023-04-01T10:11:12.000Z",
      "import: Mailchimp, opt-in 2023-04-01, 192.0.2.7",
    ],
    [
      "Mailchimp, without opt-in",
      MAILCHIMP,
      "a@a.example,2,,,2023-04-02 08:00:00,2001:db8::1,1,x",
      "2023-04-02T08:00:00.000Z",
      "import: Mailchimp, confirmed 2023-04-02, 2001:db8::1",
    ],
    [
      "Brevo",
      "CONTACT ID,EMAIL,EMAIL_BLACKLISTED,OPT_IN,ADDED_TIME",
      "1,a@a.example,No,Yes,01-04-2023 10:00:00",
      "2023-04-01T10:00:00.000Z",
      "import: Brevo, added 2023-04-01",
    ],
    [
      "Klaviyo",
      "Email,Klaviyo ID,Email Marketing Consent,Email Marketing Consent Timestamp,Date Added",
      "a@a.example,1,SUBSCRIBED,2023-04-01 10:00:00,2022-01-01",
      "2023-04-01T10:00:00.000Z",
      "import: Klaviyo, opt-in 2023-04-01",
    ],
    [
      "MailerLite",
      "Email,signup_ip,signup_timestamp,optin_ip,optin_timestamp",
      "a@a.example,192.0.2.7,2023-03-31 09:00:00,192.0.2.8,2023-04-01 10:00:00",
      "2023-04-01T10:00:00.000Z",
      "import: MailerLite, opt-in 2023-04-01, 192.0.2.7, 192.0.2.8",
    ],
    [
      "SendGrid",
      "EMAIL,ALTERNATE_EMAILS,CREATED_AT",
      "a@a.example,,2023-04-01T10:00:00Z",
      "2023-04-01T10:00:00.000Z",
      "import: SendGrid, added 2023-04-01",
    ],
    [
      "listmonk",
      "uuid,email,name,attributes,status,created_at",
      "u,a@a.example,Ann,{},enabled,2023-04-01 10:00:00.123456+00:00",
      "2023-04-01T10:00:00.123Z",
      "import: listmonk, added 2023-04-01",
    ],
    [
      "a German list",
      "E-Mail,Anmeldedatum,IP-Adresse",
      "a@a.example,01.04.2023,192.0.2.7",
      "2023-04-01",
      "import: subscribed 2023-04-01, 192.0.2.7",
    ],
    [
      "MailerLite, as it is downloaded",
      "Email,Status,Subscribed,Opens count,Location",
      "a@a.example,Active,2023-04-01 10:11:12,3,Berlin",
      "2023-04-01T10:11:12.000Z",
      "import: MailerLite, subscribed 2023-04-01",
    ],
    [
      "a day of joining called Joined",
      "Email,Joined",
      "a@a.example,2023-04-01",
      "2023-04-01",
      "import: added 2023-04-01",
    ],
    [
      "a day of confirmation called Confirmed",
      "Email,Confirmed",
      "a@a.example,2023-04-01",
      "2023-04-01",
      "import: confirmed 2023-04-01",
    ],
    ["the month first", "Email,Signup Date", "a@a.example,04/13/2023", "2023-04-13", "import: subscribed 2023-04-13"],
    [
      "seconds since 1970",
      "Email,opted_in_at",
      "a@a.example,1680343872",
      "2023-04-01T10:11:12.000Z",
      "import: opt-in 2023-04-01",
    ],
    [
      "the month in letters",
      "Email,Date Joined",
      '"a@a.example","Apr 1, 2023"',
      "2023-04-01",
      "import: added 2023-04-01",
    ],
    ["nothing that can be read", "Email,Date added,IP", "a@a.example,0000-00-00 00:00:00,unknown", undefined, null],
  ])("%s", async (_, header, row, joinedAt, source) => {
    await using posthorn = await workspace();
    await imported(posthorn, `${header}\n${row}\n`);
    const { subscribed, data } = await contactAt(posthorn, "a");
    expect([subscribed, data.joinedAt]).toEqual([true, joinedAt]);
    expect(await ledgerOf(posthorn, "a")).toMatchObject([{ what: "subscribed", door: "import", source }]);
  });
});

test("a check says which columns prove something, and a segment finds people by their date of joining", async () => {
  await using posthorn = await workspace();
  const file = `${MAILCHIMP}\na@a.example,2,2023-04-01 10:11:12,192.0.2.7,,,1,x\nb@a.example,2,2021-04-01 10:11:12,,,,2,y\n`;
  const { columns } = await checked(posthorn, file);
  expect(columns.map(({ proves }: Json) => proves)).toEqual([
    null,
    null,
    "opt-in",
    "ip",
    "confirmed",
    "ip",
    null,
    null,
  ]);
  await imported(posthorn, file);
  const filters = [{ field: "joinedAt", operator: "greaterThan", value: "2023-01-01" }];
  const preview = await ask(posthorn, "POST /segments/preview", { body: { condition: { groups: [{ filters }] } } });
  expect(preview.body).toMatchObject({ matched: 1 });
  const { fields } = (await ask(posthorn, "GET /contacts/fields")).body;
  expect(fields).toContainEqual({ field: "data.joinedAt", type: "date", coverage: 100 });
});

test("the columns prove something also where they are left out, and say what somebody else said besides", async () => {
  await using posthorn = await workspace();
  const columns = JSON.stringify(["email", "", "", ""]);
  const file = "email,added_time,ip,plan\na@a.example,2023-04-01,192.0.2.7,pro\n";
  const fields = { columns, marketing: "yes", consent: "Our shop" };
  await imported(posthorn, file, { fields });
  expect((await contactAt(posthorn, "a")).data).toEqual({ joinedAt: "2023-04-01", consent: "Our shop" });
  const [row] = await ledgerOf(posthorn, "a");
  expect(row.source).toBe("Our shop; import: Brevo, added 2023-04-01, 192.0.2.7");
});

test("who is here keeps the date of joining, and gets it where there is none, until the import is undone", async () => {
  await using posthorn = await workspace();
  await ask(posthorn, "POST /contacts", { body: { email: "a@a.example", data: { joinedAt: "2020-01-01" } } });
  await ask(posthorn, "POST /contacts", { body: { email: "b@a.example", subscribed: false } });
  const { createdAt } = await contactAt(posthorn, "b");
  posthorn.clock.advance(1_000);
  const file =
    "email,OPTIN_TIME,UNSUB_TIME\na@a.example,2023-04-01,\nb@a.example,2023-04-01,\nc@a.example,2023-04-01,\n";
  const fields = { columns: JSON.stringify(["email", "", ""]) };
  expect(await checked(posthorn, file, { fields })).toMatchObject({ created: 1, updated: 1, unchanged: 1 });
  const { id } = await imported(posthorn, file, { fields, query: "?resubscribe=true" });
  expect((await contactAt(posthorn, "a")).data).toEqual({ joinedAt: "2020-01-01" });
  expect(await contactAt(posthorn, "b")).toMatchObject({
    subscribed: true,
    data: { joinedAt: "2023-04-01" },
    createdAt,
  });
  expect((await ledgerOf(posthorn, "b"))[0].source).toBe("import: opt-in 2023-04-01");
  await ask(posthorn, `POST /contacts/import/${id}/undo`);
  await posthorn.settle();
  expect(await contactAt(posthorn, "b")).toMatchObject({ subscribed: false, data: {} });
  expect((await ledgerOf(posthorn, "b")).map(({ what, door }) => `${what} ${door}`)).toEqual([
    ...["unsubscribed undo", "subscribed import"],
  ]);
  expect((await ask(posthorn, "GET /contacts/by-email/c@a.example")).status).toBe(404);
});

test("who has left has the proof of that", async () => {
  await using posthorn = await workspace();
  await ask(posthorn, "POST /contacts", { body: { email: "a@a.example" } });
  await imported(posthorn, `${MAILCHIMP},UNSUB_TIME\na@a.example,2,2021-04-01,192.0.2.7,,,1,x,2023-04-01 10:00:00\n`);
  expect((await ledgerOf(posthorn, "a"))[0]).toMatchObject({
    what: "unsubscribed",
    source: "import: Mailchimp, unsubscribed 2023-04-01",
  });
});

test("our own export comes back unchanged", async () => {
  await using posthorn = await workspace();
  const data = { created_at: "2020-01-01", ip: "192.0.2.7" };
  await ask(posthorn, "POST /contacts", { body: { email: "a@a.example", data } });
  expect(await checked(posthorn, await exportedFrom(posthorn))).toMatchObject({ updated: 0, unchanged: 1 });
});

test("Subscribed is a day where days are below it, and a yes or no elsewhere", async () => {
  await using posthorn = await workspace();
  const header = "Email,Subscribed,Unsubscribed,Opens count";
  // The first row may lack it.
  const file = `${header}\na@a.example,,,1\nb@a.example,2023-04-01,,1\nc@a.example,2023-04-01,2024-05-06,1\n`;
  const { columns } = await checked(posthorn, file);
  expect(columns.map(({ name, field, proves, isConsent }: Json) => [name, field, proves, isConsent])).toEqual([
    ["Email", "email", null, false],
    ["Subscribed", "data.Subscribed_at", "subscribed", true],
    ["Unsubscribed", "data.Unsubscribed", null, true],
    ["Opens count", "data.opensCount", null, false],
  ]);
  await imported(posthorn, file, { fields: { marketing: "no" } });
  const flags = ["a", "b", "c"].map(async (name) => (await contactAt(posthorn, name)).subscribed);
  expect(await Promise.all(flags)).toEqual([false, true, false]);
  expect((await contactAt(posthorn, "b")).data.joinedAt).toBe("2023-04-01");
  const plain = "email,Subscribed\nd@a.example,no\ne@a.example,yes\nf@a.example,2023-04-01\n";
  expect((await checked(posthorn, plain)).columns[1]).toMatchObject({ field: "subscribed", proves: null });
  expect(await imported(posthorn, plain)).toMatchObject({ result: { createdCount: 3, failureCount: 0 } });
  expect([(await contactAt(posthorn, "d")).subscribed, (await contactAt(posthorn, "f")).subscribed]).toEqual([
    false,
    true,
  ]);
});

test("who was subscribed before has the proof in the ledger, once for each, however often the file comes", async () => {
  await using posthorn = await workspace();
  await ask(posthorn, "POST /contacts", { body: { email: "a@a.example" } });
  await ask(posthorn, "POST /contacts", { body: { email: "b@a.example", subscribed: false } });
  const row = (name: string) => `${name}@a.example,2,2023-04-01 10:11:12,192.0.2.7,,,1,x\n`;
  const file = `${MAILCHIMP}\n${row("a")}${row("a")}${row("b")}${row("c")}${row("c")}`;
  const source = "import: Mailchimp, opt-in 2023-04-01, 192.0.2.7";
  const fields = { marketing: "yes", consent: "Our shop" };
  for (let time = 0; time < 2; time++) {
    await imported(posthorn, file, time === 0 ? {} : { fields });
    const rowsOf = async (name: string) =>
      (await ledgerOf(posthorn, name)).map((one) => [one.what, one.door, one.source]);
    expect(await rowsOf("a")).toEqual([
      ["subscribed", "import", source],
      ["subscribed", "key", null],
    ]);
    expect(await rowsOf("b")).toEqual([]);
    expect(await rowsOf("c")).toEqual([["subscribed", "import", source]]);
  }
  expect((await contactAt(posthorn, "a")).data.joinedAt).toBe("2023-04-01T10:11:12.000Z");
  // Another proof is another row, also without a day.
  await imported(posthorn, "email,optin_ip\na@a.example,198.51.100.4\n", { fields });
  expect((await ledgerOf(posthorn, "a"))[0].source).toBe("Our shop; import: 198.51.100.4");
});

test("who is asked to confirm has the proof of the file in the row that says so", async () => {
  await using posthorn = await workspace();
  const file = "email,added_time,optin_ip\na@a.example,2023-04-01,192.0.2.7\nb@a.example,,\n";
  await imported(posthorn, file, { fields: { marketing: "confirm", consent: "A fair" } });
  expect(await ledgerOf(posthorn, "a")).toMatchObject([
    { what: "asked", door: "import", source: "A fair; import: Brevo, added 2023-04-01, 192.0.2.7" },
  ]);
  expect(await ledgerOf(posthorn, "b")).toMatchObject([{ what: "asked", source: "A fair" }]);
});
