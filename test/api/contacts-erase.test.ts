// DELETE /contacts/{id}: the person is erased, at once or piece by piece.
import { returned } from "../support/suppressed.ts";
import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { deleteContactsOf } from "../../src/audience/contacts/removal-queries.ts";
import { linksFor } from "../../src/content/rendering/links.ts";
import { keptCount } from "../../src/audience/contacts/count-queries.ts";
import { ENGINE } from "../support/database.ts";
import { imported, upload } from "../support/files.ts";
import { letter } from "../support/mails.ts";
import { startPosthorn, type Json, type Posthorn } from "../support/posthorn.ts";
import { ask, countOf, everything, scenarios } from "../support/scenario.ts";
import { RecordingTransport } from "../support/transport.ts";
import { addWorkflow, track } from "../support/workflows.ts";
import { workspace } from "../support/workspace.ts";

const ada = "ada@example.com";
const bob = "bob@example.com";
const attachments = [{ filename: "a.txt", content: Buffer.from("secret file").toString("base64") }];
/** More than goes at once. */
const MANY = 120;

const post = async (posthorn: Posthorn, route: string, body: unknown) =>
  (await ask(posthorn, `POST ${route}`, { body })).body;

async function idOf(posthorn: Posthorn, email: string): Promise<string> {
  return (await post(posthorn, "/contacts", { email })).id;
}

async function erase(posthorn: Posthorn, id: string): Promise<void> {
  const { status, body } = await ask(posthorn, `DELETE /contacts/${id}`);
  expect([status, body]).toEqual([204, ""]);
}

async function eraseByJob(posthorn: Posthorn, id: string): Promise<void> {
  await post(posthorn, "/contacts/bulk-delete", { contactIds: [id, await idOf(posthorn, "other@example.com")] });
  await posthorn.settle();
}

/** All that is stored, as text. */
const stored = async (posthorn: Posthorn) => JSON.stringify(await everything(posthorn));
const rows = (posthorn: Posthorn, ...tables: string[]) => Promise.all(tables.map((table) => countOf(posthorn, table)));

test("of an erased person nothing is left, and of others everything (slow)", async () => {
  await using posthorn = await workspace();
  const labels = { tags: ["receipt"], metadata: { order: "A-4711" } };
  await post(posthorn, "/v1/send", { ...letter, ...labels, to: ada, subject: "For Ada alone", attachments });
  const both = (await post(posthorn, "/v1/send", { ...letter, to: [ada, bob], subject: "For both" })).data.emails;
  await post(posthorn, "/v1/track", { email: ada, event: "signup", data: { city: "Bonn" } });
  await post(posthorn, "/v1/track", { email: bob, event: "signup" });
  await posthorn.settle();
  await posthorn.store.write(async (tx) => {
    await tx.run`
      insert into segments (id, workspace, name, slug, type, track_membership, member_count, state, time_bound, created_at, updated_at)
      values ('s', 1, 'Some', 'some', 'STATIC', 1, 2, 'CURRENT', 0, '', '')`;
    await tx.run`insert into segment_members (segment, contact, entered_at) select 1, seq, '' from contacts`;
  });
  const id = await idOf(posthorn, ada);
  const events = (await posthorn.eventNames()).length;
  await erase(posthorn, id);

  expect(await stored(posthorn)).not.toMatch(/ada@example|For Ada alone|Bonn|a\.txt|A-4711/);
  expect(await rows(posthorn, "email_labels")).toEqual([0]);
  expect((await ask(posthorn, `GET /contacts/${id}`)).status).toBe(404);
  expect((await ask(posthorn, `DELETE /contacts/${id}`)).status).toBe(404);
  expect((await ask(posthorn, `GET /emails/${both[0].email}`)).status).toBe(404);
  expect((await ask(posthorn, `GET /emails/${both[1].email}`)).body.subject).toBe("For both");
  expect(await rows(posthorn, "contacts", "emails", "contents", "attachments", "segment_members")).toEqual([
    1, 1, 1, 0, 1,
  ]);
  expect(await posthorn.store.read((reader) => reader.get`select member_count as n from segments`)).toEqual({ n: 1 });
  expect((await posthorn.events()).map(({ name, contact }) => [name, contact])).toEqual([
    ["signup", bob],
    ["email.sent", bob],
  ]);
  expect(events).toBe(5);
});

test("a person who was erased may come again and is new", async () => {
  await using posthorn = await workspace();
  const id = await idOf(posthorn, ada);
  await erase(posthorn, id);
  const { body, status } = await ask(posthorn, "POST /contacts", { body: { email: ada } });
  expect([status, body._meta.isNew, body.id === id]).toEqual([201, true, false]);
});

test("what is queued for an erased person is not sent", async () => {
  await using posthorn = await workspace();
  await post(posthorn, "/v1/send", { ...letter, to: [ada, bob] });
  await erase(posthorn, await idOf(posthorn, ada));
  await posthorn.settle();
  expect(posthorn.transport.recipients).toEqual([bob]);
});

test("a long history goes piece by piece, and nobody finds the person from the start (slow)", async () => {
  await using posthorn = await workspace();
  await idOf(posthorn, bob);
  for (let n = 0; n < MANY; n++) await post(posthorn, "/v1/send", { ...letter, to: ada, subject: `Mail ${n}` });
  for (let n = 0; n < MANY; n++) await post(posthorn, "/v1/track", { email: ada, event: "visit" });
  const id = await idOf(posthorn, ada);
  await erase(posthorn, id);

  expect(await rows(posthorn, "erasures", "contacts")).toEqual([1, 2]);
  expect((await ask(posthorn, `GET /contacts/${id}`)).status).toBe(404);
  expect((await ask(posthorn, `PATCH /contacts/${id}`, { body: { subscribed: true } })).status).toBe(404);
  expect((await ask(posthorn, `DELETE /contacts/${id}`)).status).toBe(404);
  for (const query of ["", "?sort=email", "?subscribed=false", "?search=ada", "?search=1", "?search=2&sort=email"]) {
    const { data, total } = (await ask(posthorn, `GET /contacts${query}`)).body;
    const whom = query === "" || query === "?sort=email" ? [bob] : [];
    expect([query, data.map(({ email }: { email: string }) => email), total]).toEqual([query, whom, whom.length]);
  }
  expect((await post(posthorn, "/contacts/lookup", { emails: [ada, "2"] })).found).toEqual([]);
  const again = await idOf(posthorn, ada);
  expect(again).not.toBe(id);

  await posthorn.settle();
  expect(posthorn.transport.sent).toEqual([]);
  expect(await rows(posthorn, "erasures", "contacts", "emails", "contents", "events")).toEqual([0, 2, 0, 0, 0]);
  expect((await ask(posthorn, `GET /contacts/${again}`)).status).toBe(200);
});

test("a long history that goes piece by piece counts for no segment and no audience (slow)", async () => {
  await using posthorn = await workspace();
  for (let n = 0; n < MANY; n++) await post(posthorn, "/v1/track", { email: ada, event: "visit" });
  const gone = { groups: [{ filters: [{ field: "subscribed", value: false }] }] };
  const condition = { groups: [{ filters: [{ field: "event.bought", operator: "notTriggered" }], conditions: gone }] };
  const { id: segment } = await post(posthorn, "/segments", { name: "Gone", condition: gone, trackMembership: true });
  const { id: nested } = await post(posthorn, "/segments", { name: "Nested", condition, trackMembership: true });
  await posthorn.settle();
  await erase(posthorn, await idOf(posthorn, ada));
  expect(await countOf(posthorn, "erasures")).toBe(1);

  for (const id of [segment, nested]) {
    expect(await post(posthorn, `/segments/${id}/compute`, {})).toEqual({ added: 0, removed: 0, total: 0 });
    expect((await ask(posthorn, `GET /segments/${id}/contacts`)).body).toMatchObject({ data: [], total: 0 });
  }
  const audiences = [{ audienceType: "ALL" }, { audienceType: "FILTERED", audienceCondition: condition }];
  for (const audience of audiences)
    expect((await post(posthorn, "/campaigns/audience-preview", audience)).data.matched).toBe(0);
  expect((await posthorn.eventNames()).filter((name) => name !== "visit")).toEqual([]);
  await posthorn.settle();
  expect(await rows(posthorn, "erasures", "contacts", "events")).toEqual([0, 0, 0]);
});

test("one history that cannot be erased keeps no other from going (slow)", async () => {
  await using posthorn = await workspace();
  for (const email of [ada, bob])
    for (let n = 0; n < MANY; n++) await post(posthorn, "/v1/track", { email, event: "visit" });
  await posthorn.settle();
  await posthorn.store.write(async (tx) => {
    await tx.run`create table holding (contact bigint references contacts (seq))`;
    await tx.run`insert into holding select seq from contacts where email = ${ada}`;
  });
  for (const email of [ada, bob]) await erase(posthorn, await idOf(posthorn, email));
  await posthorn.settle();
  expect(await rows(posthorn, "erasures", "contacts")).toEqual([1, 1]);
  expect(posthorn.logLines.join("\n")).toContain("could not be erased; trying again later");
  await posthorn.store.write((tx) => tx.run`drop table holding`);
  await posthorn.settle();
  expect(await rows(posthorn, "erasures", "contacts")).toEqual([0, 0]);
});

test("a mail in hand settles without an error when its person is erased, and leaves no record (slow)", async () => {
  const transport = new RecordingTransport();
  await using posthorn = await startPosthorn({ transport });
  await post(posthorn, "/v1/send", { ...letter, to: ada });
  const id = await idOf(posthorn, ada);
  transport.answer = async () => {
    await erase(posthorn, id);
    return { kind: "bounced", reply: "550 5.1.1 nobody" };
  };
  await posthorn.settle();
  expect(transport.sent).toHaveLength(1);
  expect(posthorn.logLines.filter((line) => /error|warn/i.test(line))).toEqual([]);
  expect(await rows(posthorn, "contacts", "emails", "contents", "events", "email_attempts")).toEqual([0, 0, 0, 0, 0]);
});

test("what a campaign counts stays, and names nobody", async () => {
  await using posthorn = await workspace();
  for (const email of [ada, bob]) await post(posthorn, "/contacts", { email, data: { name: "Secret name" } });
  const news = {
    name: "News",
    subject: "Hi {{ name }}",
    body: "<p>Hi</p>",
    from: "hello@example.test",
    audienceType: "ALL",
  };
  const campaign = (await post(posthorn, "/campaigns", news)).data.id;
  await post(posthorn, `/campaigns/${campaign}/send`, {});
  await posthorn.settle();
  const stats = async () => (await ask(posthorn, `GET /campaigns/${campaign}/stats`)).body;
  const before = await stats();
  for (const email of [ada, bob]) await erase(posthorn, await idOf(posthorn, email));
  await posthorn.settle();
  expect(await stats()).toEqual(before);
  expect(await rows(posthorn, "contacts", "emails", "recipients", "events")).toEqual([0, 2, 2, 0]);
  expect(await stored(posthorn)).not.toMatch(/ada@example|bob@example|Secret name/);
});

test("requests about a person who is being erased are answered as before it or after it (slow)", async () => {
  await using posthorn = await workspace();
  for (let round = 0; round < 5; round++) {
    const id = await idOf(posthorn, ada);
    const track = { email: ada, event: "visit" };
    const replies = await Promise.all([
      ask(posthorn, "POST /v1/track", { body: track }),
      ask(posthorn, "POST /v1/send", { body: { ...letter, to: [ada, bob] } }),
      ask(posthorn, `PATCH /contacts/${id}`, { body: { subscribed: false, data: { a: 1 } } }),
      ask(posthorn, `DELETE /contacts/${id}`),
      ask(posthorn, "POST /contacts", { body: { email: ada, subscribed: true } }),
      ask(posthorn, "POST /v1/track", { body: track }),
      ask(posthorn, `DELETE /contacts/${id}`),
    ]);
    for (const { status } of replies) expect([200, 201, 204, 404]).toContain(status);
    expect(replies.filter(({ status }) => status === 204)).toHaveLength(1);
    await posthorn.settle();
  }
  expect(await countOf(posthorn, "erasures")).toBe(0);
});

test("a workspace may go while one of its contacts is being erased", async () => {
  await using posthorn = await workspace();
  for (let n = 0; n < MANY; n++) await post(posthorn, "/v1/track", { email: ada, event: "visit" });
  await idOf(posthorn, bob);
  await erase(posthorn, await idOf(posthorn, ada));
  expect(await posthorn.store.write((tx) => deleteContactsOf(tx, 1, 10))).toBe(2);
  expect(await posthorn.store.read((reader) => keptCount(reader, 1, null))).toBe(0);
  await posthorn.settle();
  expect(await countOf(posthorn, "erasures")).toBe(0);
});

scenarios("an erasure is refused", [
  {
    name: "of a contact that is not there",
    request: "DELETE /contacts/0199a3b4-0000-7000-8000-000000000000",
    status: 404,
    code: "CONTACT_NOT_FOUND",
  },
  {
    name: "with a public key",
    given: [["POST /contacts", { email: ada }]],
    request: "DELETE /contacts/$0.id",
    key: "public",
    status: 401,
    code: "INVALID_API_KEY",
  },
]);

describe("stored answers that name an erased person", () => {
  const carol = "carol@example.com";
  const underKey = (key: string) => ({ headers: { "idempotency-key": `${key} for ${carol}` } });
  const requests: readonly [route: string, body: object][] = [
    ["POST /contacts", { email: carol, data: { city: "Bonn" } }],
    ["POST /v1/track", { email: carol, event: "signup" }],
    ["POST /v1/send", { ...letter, to: [bob, carol] }],
  ];

  test("go with the person; their keys stay taken, so that a repetition brings nobody back and mails nobody twice", async () => {
    await using posthorn = await workspace();
    for (const [route, body] of requests) await ask(posthorn, route, { ...underKey("first"), body });
    const others = await ask(posthorn, "POST /contacts", { ...underKey("other"), body: { email: bob } });
    await erase(posthorn, await idOf(posthorn, carol));
    const left = (await stored(posthorn)).replaceAll(`other for ${carol}`, "");
    expect(left).not.toMatch(/carol@example|Bonn/);
    for (const [route, body] of requests) {
      const again = await ask(posthorn, route, { ...underKey("first"), body });
      expect([again.status, again.body.error?.code]).toEqual([409, "IDEMPOTENCY_KEY_REUSED"]);
      expect(again.body.error.message).toContain("has been erased since");
    }
    expect((await post(posthorn, "/contacts/lookup", { emails: [carol] })).found).toEqual([]);
    expect(await countOf(posthorn, "emails")).toBe(1);
    expect((await ask(posthorn, "POST /contacts", { ...underKey("other"), body: { email: bob } })).body).toEqual(
      others.body,
    );
    posthorn.clock.advance(24 * 60 * 60 * 1000);
    expect((await ask(posthorn, "POST /contacts", { ...underKey("first"), body: requests[0]?.[1] })).status).toBe(201);
  });

  test("go piece by piece where there are many (slow)", async () => {
    await using posthorn = await workspace();
    for (let n = 0; n < MANY; n++)
      await ask(posthorn, "POST /v1/track", { ...underKey(`${n}`), body: { email: carol, event: "visit" } });
    await erase(posthorn, await idOf(posthorn, carol));
    expect(await countOf(posthorn, "erasures")).toBe(1);
    await posthorn.settle();
    expect(await stored(posthorn)).not.toContain("carol@example");
    expect(await rows(posthorn, "erasures", "answers_about", "contacts", "idempotency_keys")).toEqual([0, 0, 0, MANY]);
  });
});

test("what imports and bulk jobs say of an erased person goes as well", async () => {
  await using posthorn = await workspace();
  const { result } = await imported(posthorn, `email,subscribed\n Ada@Example.com ,maybe\n${bob},maybe\n`);
  expect(result.errors.map(({ email }: { email: string }) => email)).toEqual([ada, bob]);
  const { jobId } = (await upload(posthorn, `email,subscribed\n${ada},maybe\n`)).body;
  await posthorn.settle();
  await erase(posthorn, await idOf(posthorn, ada));
  expect(await stored(posthorn)).not.toMatch(/ada@example/i);
  expect((await ask(posthorn, `GET /contacts/import/${jobId}`)).body.result).toMatchObject({
    failureCount: 1,
    errors: [],
  });
});

describe.each([
  ["one person alone", erase],
  ["a job, of many", eraseByJob],
])("erasing %s", (_, eraseIt) => {
  test("deletes a row that was refused for what stands beside the address, and none of another's", async () => {
    await using posthorn = await workspace();
    const file = `email\nAda L. (ADA@Example.com)\n"Ada <ada@example.com>; bob@example.com"\nGr. (grada@example.com)\n`;
    const { id, result } = await imported(posthorn, file);
    expect(result.failureCount).toBe(3);
    await eraseIt(posthorn, await idOf(posthorn, ada));
    const { errors } = (await ask(posthorn, `GET /contacts/import/${id}`)).body.result;
    expect(errors.map(({ email }: Json) => email)).toEqual(["Gr. (grada@example.com)"]);
  });

  test("deletes whom a job that is over was for", async () => {
    await using posthorn = await workspace();
    const id = await idOf(posthorn, ada);
    const { jobId } = await post(posthorn, "/contacts/bulk-unsubscribe", { filter: { search: "ADA@example.com" } });
    await posthorn.settle();
    await eraseIt(posthorn, id);
    expect(await stored(posthorn)).not.toMatch(/ada@example/i);
    const { status, result } = (await ask(posthorn, `GET /contacts/bulk/${jobId}`)).body;
    expect([status, result.successCount]).toEqual(["COMPLETED", 1]);
  });

  test("takes the address out of conditions of workflows, and out of what runs on former ones (slow)", async () => {
    await using posthorn = await workspace();
    const compared = { field: "contact.email", operator: "equals", value: "ADA@example.com" };
    const asked = { groups: [{ filters: [{ field: "email", operator: "contains", value: ada }] }] };
    const branches = [{ id: "a", name: "For ada@example.com", operator: "equals", value: ada }];
    const steps = [
      { type: "CONDITION", name: "Who", config: compared },
      { type: "CONDITION", name: "Asks", config: { condition: asked } },
      { type: "CONDITION", name: "Many", config: { mode: "multi", field: "contact.email", branches } },
      { type: "CONDITION", name: "Else", config: { ...compared, value: `gr${ada}` } },
      { type: "DELAY", name: "Wait", config: { amount: 1, unit: "days" } },
    ];
    const workflow = await addWorkflow(posthorn, steps);
    await track(posthorn, "signup", {}, bob);
    await posthorn.settle();
    const first = workflow.steps.find(({ name }: Json) => name === "Wait").id;
    await ask(posthorn, `PATCH /workflows/${workflow.id}/steps/${first}`, { body: { name: "Rest" } });
    await track(posthorn, "signup", {}, `gr${ada}`);
    await posthorn.settle();
    expect(await countOf(posthorn, "workflow_versions")).toBe(2);
    const id = await idOf(posthorn, ada);
    await eraseIt(posthorn, id);
    expect(await stored(posthorn)).not.toMatch(/(?<!gr)ada@example/i);
    const { steps: now } = (await ask(posthorn, `GET /workflows/${workflow.id}`)).body;
    const config = (name: string) => now.find((step: Json) => step.name === name).config;
    expect([config("Who").value, config("Else").value]).toEqual(["(erased)", `gr${ada}`]);
    expect([config("Many").branches[0].value, config("Many").branches[0].id]).toEqual(["(erased)", "a"]);
    expect(config("Asks").condition.groups[0].filters[0].value).toBe("(erased)");
    expect(await countOf(posthorn, "executions")).toBe(2);
  });
});

test("a condition that names an erased person matches nobody by the address, and one that names another stays", async () => {
  await using posthorn = await workspace();
  const naming = (value: string, operator = "equals") => ({
    logic: "AND",
    groups: [{ filters: [{ field: "email", operator, value }] }],
  });
  const id = await idOf(posthorn, ada);
  await idOf(posthorn, `gr${ada}`);
  const segments = [naming("ADA@example.com", "contains"), naming(`gr${ada}`)];
  const made: Json[] = [];
  for (const [index, condition] of segments.entries())
    made.push(await post(posthorn, "/segments", { name: `Segment ${index}`, condition }));
  const campaign = {
    name: "One",
    subject: "Hi",
    body: "<p>Hi</p>",
    from: "hello@example.test",
    audienceType: "FILTERED",
  };
  const nested = { logic: "OR", groups: [{ filters: [], conditions: naming(ada) }] };
  const { data } = await post(posthorn, "/campaigns", { ...campaign, audienceCondition: nested });
  await erase(posthorn, id);
  await posthorn.settle();
  const now = async (one: Json) => (await ask(posthorn, `GET /segments/${one.id}`)).body;
  expect(await now(made[0])).toMatchObject({ condition: naming("(erased)", "contains"), memberCount: 0 });
  expect(await now(made[1])).toMatchObject({ condition: naming(`gr${ada}`), memberCount: 1 });
  const { audienceCondition } = (await ask(posthorn, `GET /campaigns/${data.id}`)).body.data;
  expect(audienceCondition.groups[0].conditions).toEqual(naming("(erased)"));
});

/** How often a text is found in the files of the data directory, whatever SQLite makes of the bytes. */
function timesInFiles(dataDir: string, text: string): number {
  const files = readdirSync(dataDir).map((name) => readFileSync(join(dataDir, name)));
  return files.reduce((sum, file) => sum + file.toString("latin1").split(text).length - 1, 0);
}

test.skipIf(ENGINE !== "sqlite")("no byte of an erased person is left in the database and its log (slow)", async () => {
  await using posthorn = await startPosthorn();
  const email = "ada.lovelace@analytical.example";
  for (let n = 0; n < MANY; n++) await post(posthorn, "/v1/track", { email: `p${n}@example.com`, event: "visit" });
  for (let n = 0; n < MANY; n++) {
    await post(posthorn, "/v1/track", { email, event: "visit", data: { note: `Of ${email}: ${n}`.repeat(n) } });
    await post(posthorn, "/v1/send", { ...letter, to: [email, bob], subject: `For ${email}`, body: `<p>${email}</p>` });
  }
  await imported(posthorn, `email,note,subscribed\n${`${email},x,maybe\n`.repeat(20)}${email},y,true\n`);
  // What the ledger of consent has of her, chained and not.
  const { manageUrl } = linksFor(posthorn.secrets, "", {
    contactId: await idOf(posthorn, email),
    emailId: "0199a3b4-0000-7000-8000-00000000abcd",
  });
  const headers = { "user-agent": "A browser of lovelace", "content-type": "application/x-www-form-urlencoded" };
  for (let n = 0; n < 40; n++) {
    await ask(posthorn, `POST ${manageUrl}`, { key: "none", headers, body: `subscribed=${n % 2 === 1}` });
    if (n === 30) await posthorn.settle();
  }
  await posthorn.settle();
  expect(timesInFiles(posthorn.dataDir, "lovelace")).toBeGreaterThan(MANY);
  expect(timesInFiles(posthorn.dataDir, "browser of lovelace")).toBeGreaterThan(10);
  // The mails to both have one text, which stays for the other.
  for (const { id } of (await ask(posthorn, "GET /contacts")).body.data.filter((one: Json) =>
    /^(ada|bob)/.test(one.email),
  ))
    await erase(posthorn, id);
  await posthorn.settle();
  expect(timesInFiles(posthorn.dataDir, "lovelace")).toBe(0);
  expect(statSync(join(posthorn.dataDir, "posthorn.db-wal")).size).toBe(0);
});

describe("a person who was erased after a bounce or a complaint", () => {
  const suppress = async (posthorn: Posthorn, email: string, reason: "bounce" | "complaint") => {
    await idOf(posthorn, email);
    await returned(posthorn, reason, email);
  };
  const hashes = async (posthorn: Posthorn) =>
    (await posthorn.store.read((reader) => reader.all`select seq from suppressions where kind = 'hash'`)).length;
  const flags = (posthorn: Posthorn, email: string) =>
    posthorn.store.read((reader) => reader.get`select subscribed, suppressed from contacts where email = ${email}`);
  const start = async (reason: "bounce" | "complaint" = "complaint") => {
    const posthorn = await workspace();
    await suppress(posthorn, ada, reason);
    await erase(posthorn, await idOf(posthorn, ada));
    await posthorn.settle();
    expect(await stored(posthorn)).not.toContain("ada@example");
    return posthorn;
  };
  const row = (subscribed: string) => `email,subscribed\n${ada},${subscribed}\n${bob},\n`;
  const ways: readonly [what: string, come: (posthorn: Posthorn) => Promise<unknown>, lifts: boolean][] = [
    ["an import", (posthorn) => imported(posthorn, row("")), false],
    ["an import that subscribes", (posthorn) => imported(posthorn, row("true")), false],
    [
      "an import that subscribes again",
      (posthorn) => imported(posthorn, row("true"), { query: "?resubscribe=true" }),
      true,
    ],
    ["POST /contacts", (posthorn) => post(posthorn, "/contacts", { email: ada }), false],
    [
      "POST /contacts that subscribes",
      (posthorn) => post(posthorn, "/contacts", { email: ada, subscribed: true }),
      true,
    ],
    ["a send", (posthorn) => post(posthorn, "/v1/send", { ...letter, to: ada }), false],
    ["an event", (posthorn) => post(posthorn, "/v1/track", { email: ada, event: "e" }), false],
    [
      "a sign-up with a public key",
      (posthorn) =>
        ask(posthorn, "POST /v1/track", { key: "public", body: { email: ada, event: "e", subscribed: true } }),
      false,
    ],
    [
      "a sign-up that would have to be confirmed",
      (posthorn) =>
        ask(posthorn, "POST /v1/track", { key: "public", body: { email: ada, event: "e", doubleOptIn: true } }),
      false,
    ],
  ];

  test.each(ways)(
    "is still suppressed when the address comes again by %s, unless a secret key subscribes it",
    async (_, come, lifts) => {
      await using posthorn = await start();
      await come(posthorn);
      const known = lifts ? { subscribed: 1, suppressed: null } : { subscribed: 0, suppressed: "complaint" };
      expect(await flags(posthorn, ada)).toEqual(known);
      expect(await hashes(posthorn)).toBe(0);
      await erase(posthorn, await idOf(posthorn, ada));
      expect(await hashes(posthorn)).toBe(lifts ? 0 : 1);
    },
  );

  test("is known to nobody else, and one who was not suppressed leaves nothing", async () => {
    await using posthorn = await start("bounce");
    await idOf(posthorn, bob);
    expect(await flags(posthorn, bob)).toEqual({ subscribed: 1, suppressed: null });
    await erase(posthorn, await idOf(posthorn, bob));
    expect(await rows(posthorn, "suppressions", "import_exclusions")).toEqual([1, 0]);
  });

  test("is not forgotten over a row that is refused", async () => {
    await using posthorn = await start("bounce");
    const { result } = await imported(posthorn, `email,a\n${ada},${"x".repeat(66_000)}\n`);
    expect(result).toMatchObject({ createdCount: 0, failureCount: 1 });
    expect(await hashes(posthorn)).toBe(1);
  });
});

test("a file that was uploaded before does not bring an erased person back, and one that comes later does", async () => {
  await using posthorn = await workspace();
  const id = await idOf(posthorn, ada);
  const { jobId } = (await upload(posthorn, `email,plan,subscribed\n${ada},pro,\n${ada},pro,maybe\n${bob},pro,\n`))
    .body;
  posthorn.clock.advance(1000);
  await erase(posthorn, id);
  await posthorn.settle();
  const { result } = (await ask(posthorn, `GET /contacts/import/${jobId}`)).body;
  expect(result).toMatchObject({ totalRows: 3, createdCount: 1, failureCount: 2 });
  const error = "The person was erased after the file was accepted.";
  expect(result.errors).toEqual([
    { row: 2, email: "", error },
    { row: 3, email: "", error },
  ]);
  expect(await stored(posthorn)).not.toContain("ada@example");
  posthorn.clock.advance(60_000);
  await posthorn.settle();
  expect(await countOf(posthorn, "import_exclusions")).toBe(0);
  expect((await imported(posthorn, `email\n${ada}\n`)).result.createdCount).toBe(1);
});
