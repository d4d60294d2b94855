// What a merge does in pieces, how it is undone within seven days, and what an erasure leaves of it.
import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { linksFor } from "../../src/content/rendering/links.ts";
import { mergeStep } from "../../src/desk/people/merging/loop.ts";
import { ENGINE } from "../support/database.ts";
import { letter } from "../support/mails.ts";
import { startPosthorn, type Json, type Posthorn } from "../support/posthorn.ts";
import { somebody } from "../support/people.ts";
import { ask, countOf, everything } from "../support/scenario.ts";
import { DAY, MINUTE, track } from "../support/workflows.ts";
import { workspace } from "../support/workspace.ts";

const ADA = "ada@example.com";
const OLD = "ada@old.example";
/** More than goes at once. */
const MANY = 120;

async function person(posthorn: Posthorn, email: string, more: object = {}): Promise<string> {
  return (await ask(posthorn, "POST /contacts", { body: { email, ...more } })).body.id;
}

async function merge(posthorn: Posthorn, into: string, from: readonly string[]): Promise<Json> {
  const { status, body } = await ask(posthorn, "POST /contacts/merge", { body: { into, from } });
  expect([status, body.error]).toEqual([200, undefined]);
  return body;
}

async function undo(posthorn: Posthorn, id: string): Promise<void> {
  const { status, body } = await ask(posthorn, `POST /contacts/merges/${id}/undo`);
  expect([status, body.error]).toEqual([200, undefined]);
}

const look = async (posthorn: Posthorn, id: string) => (await ask(posthorn, `GET /contacts/${id}`)).body;

/** The names of a contact's events, oldest first. */
async function eventsOf(posthorn: Posthorn, email: string): Promise<readonly string[]> {
  return (await posthorn.events()).flatMap(({ name, contact }) => (contact === email ? name : []));
}

async function eventCount(posthorn: Posthorn, email: string): Promise<number> {
  return (await posthorn.events()).filter(({ contact }) => contact === email).length;
}

function timesInFiles(dataDir: string, text: string): number {
  const files = readdirSync(dataDir).map((name) => readFileSync(join(dataDir, name)));
  return files.reduce((times, bytes) => times + bytes.toString("latin1").split(text).length - 1, 0);
}

async function busy(posthorn: Posthorn, email: string): Promise<void> {
  for (let n = 0; n < MANY; n++) await track(posthorn, "visit", { n }, email);
  for (let n = 0; n < MANY / 2; n++)
    await ask(posthorn, "POST /v1/send", { body: { ...letter, to: email, subject: `Mail ${n}` } });
  await posthorn.settle();
}

describe("a long history", () => {
  test("comes in pieces, is shown as it comes, and a process that dies in between loses nothing", async () => {
    const first = await startPosthorn();
    const { dataDir, clock } = first;
    const [ada, old] = [await person(first, ADA), await person(first, OLD)];
    await busy(first, OLD);
    const all = await eventCount(first, OLD);
    const merged = await merge(first, ada, [old]);
    expect(merged.status).toBe("MOVING");
    const some = await eventCount(first, ADA);
    expect(some).toBeGreaterThan(0);
    expect(some).toBeLessThan(all);
    expect(
      (await ask(first, "POST /contacts/merge", { body: { into: ada, from: [await person(first, "b@b.example")] } }))
        .body.error,
    ).toMatchObject({ code: "CONFLICT", reason: "merge_under_way" });
    await mergeStep(first.store, clock);
    const secrets = first.keys;
    await first.server[Symbol.asyncDispose]();
    await using second = await startPosthorn({ dataDir, clock });
    Object.assign(second.keys, secrets);
    await second.settle();
    expect(await eventCount(second, ADA)).toBe(all + 1);
    expect((await ask(second, "GET /contacts/merges")).body.data).toMatchObject([{ id: merged.id, status: "MOVED" }]);
    expect((await ask(second, `GET /contacts/${ada}/summary`)).body.mails.total).toBe(MANY / 2);
  });

  test("goes back in pieces, and what came since stays", async () => {
    await using posthorn = await workspace();
    const [ada, old] = [await person(posthorn, ADA), await person(posthorn, OLD)];
    await track(posthorn, "own", {}, ADA);
    await busy(posthorn, OLD);
    const all = await eventCount(posthorn, OLD);
    const { id } = await merge(posthorn, ada, [old]);
    await mergeStep(posthorn.store, posthorn.clock);
    await track(posthorn, "since", {}, ADA);
    await undo(posthorn, id);
    expect((await look(posthorn, old)).email).toBe(OLD);
    await posthorn.settle();
    expect(await eventCount(posthorn, OLD)).toBe(all);
    expect(await eventsOf(posthorn, ADA)).toEqual(["own", "contact.merged", "since"]);
    expect((await ask(posthorn, `GET /contacts/${old}/summary`)).body.mails.total).toBe(MANY / 2);
    expect((await ask(posthorn, "GET /contacts/merges")).body.total).toBe(0);
    expect(await countOf(posthorn, "merged_rows")).toBe(0);
  });
});

describe("undoing", () => {
  test("brings back ids, addresses, data, segments and consent", async () => {
    await using posthorn = await workspace();
    await ask(posthorn, "POST /topics", { body: { key: "news", name: { en: "News" } } });
    const ada = await person(posthorn, ADA, { data: { plan: "free" }, topics: { news: "in" } });
    const old = await person(posthorn, OLD, {
      data: { plan: "pro", age: 36 },
      subscribed: false,
      topics: { news: "out" },
    });
    const { id: segment } = (await ask(posthorn, "POST /segments", { body: { name: "Friends", type: "STATIC" } })).body;
    await ask(posthorn, `POST /segments/${segment}/members`, { body: { emails: [OLD] } });
    const [one, other] = [await look(posthorn, ada), await look(posthorn, old)];
    const { id } = await merge(posthorn, ada, [old]);
    await ask(posthorn, `PATCH /contacts/${ada}`, { body: { data: { city: "Bonn" } } });
    await undo(posthorn, id);
    await posthorn.settle();
    const same = ({ updatedAt: _, ...contact }: Json) => contact;
    expect(same(await look(posthorn, ada))).toEqual({ ...same(one), data: { plan: "free", city: "Bonn" } });
    expect(same(await look(posthorn, old))).toEqual(same(other));
    const { data } = (await ask(posthorn, `GET /segments/${segment}/contacts`)).body;
    expect(data.map(({ email }: Json) => email)).toEqual([OLD]);
    expect((await ask(posthorn, `GET /contacts/${ada}/summary`)).body.formerEmails).toEqual([]);
    expect((await ask(posthorn, "GET /contacts")).body.total).toBe(2);
    expect(await posthorn.eventNames()).toEqual([
      ...["topic.joined", "topic.left", "segment.friends.entry"],
      ...["topic.left", "contact.unsubscribed", "contact.merged"],
    ]);
  });

  test.each([
    ["were subscribed", true],
    ["were not all subscribed", false],
  ])("does not subscribe who has unsubscribed since, where they %s", async (_, subscribed) => {
    await using posthorn = await workspace();
    const [ada, old] = [await person(posthorn, ADA), await person(posthorn, OLD)];
    const third = await person(posthorn, "third@example.com", { subscribed });
    const mail = (await ask(posthorn, "POST /v1/send", { body: { ...letter, to: OLD } })).body.data.emails[0].email;
    const { id } = await merge(posthorn, ada, [old, third]);
    const { unsubscribeUrl } = linksFor(posthorn.secrets, posthorn.server.url, { contactId: old, emailId: mail });
    await fetch(unsubscribeUrl, { method: "POST" });
    await undo(posthorn, id);
    for (const one of [ada, old, third]) expect((await look(posthorn, one)).subscribed).toBe(false);
  });

  test("takes back former addresses, and contacts that had been merged before", async () => {
    await using posthorn = await workspace();
    const [ada, old, oldest] = [
      await person(posthorn, ADA),
      await person(posthorn, OLD),
      await person(posthorn, "a@oldest.example"),
    ];
    const first = await merge(posthorn, old, [oldest]);
    const second = await merge(posthorn, ada, [old]);
    expect((await ask(posthorn, `POST /contacts/merges/${first.id}/undo`)).body.error).toMatchObject({
      code: "CONFLICT",
      reason: "merged_again",
    });
    await undo(posthorn, second.id);
    await posthorn.settle();
    expect((await ask(posthorn, `GET /contacts/${oldest}`)).body.error.values).toEqual({ mergedInto: old });
    await undo(posthorn, first.id);
    await posthorn.settle();
    for (const one of [ada, old, oldest]) expect((await look(posthorn, one)).id).toBe(one);
  });

  test("is refused once somebody else has one of the addresses, and after seven days", async () => {
    await using posthorn = await workspace();
    const [ada, old] = [await person(posthorn, ADA), await person(posthorn, OLD)];
    const { id } = await merge(posthorn, ada, [old]);
    const other = await person(posthorn, "eve@example.com");
    await ask(posthorn, `PATCH /contacts/${other}`, { body: { email: OLD } });
    const refused = await ask(posthorn, `POST /contacts/merges/${id}/undo`);
    expect(refused.body.error).toMatchObject({
      code: "CONFLICT",
      reason: "address_is_contacts",
      values: { email: OLD },
    });
    await ask(posthorn, `DELETE /contacts/${other}`);
    posthorn.clock.advance(7 * DAY);
    expect((await ask(posthorn, `POST /contacts/merges/${id}/undo`)).body.error).toMatchObject({
      reason: "merge_too_old",
    });
    await posthorn.settle();
    expect((await ask(posthorn, `POST /contacts/merges/${id}/undo`)).status).toBe(404);
    expect(
      await Promise.all(
        ["contacts", "merges", "merged_rows", "merged_contacts"].map((table) => countOf(posthorn, table)),
      ),
    ).toEqual([1, 0, 0, 1]);
  });

  test("restores who is in a workflow, and who may not enter again", async () => {
    await using posthorn = await workspace();
    const wait = { type: "WAIT_FOR_EVENT", name: "Wait", config: { eventName: "bought", timeout: 7, unit: "days" } };
    const flow = { name: "Flow", eventName: "signup", enabled: true, steps: [wait], reentry: "never" };
    const workflow = (await ask(posthorn, "POST /workflows", { body: flow })).body;
    const [ada, old] = [await person(posthorn, ADA), await person(posthorn, OLD)];
    for (const email of [ADA, OLD]) await track(posthorn, "signup", {}, email);
    await posthorn.settle();
    const { id } = await merge(posthorn, ada, [old]);
    await undo(posthorn, id);
    await posthorn.settle();
    await track(posthorn, "signup", {}, OLD);
    await posthorn.settle();
    const { data } = (await ask(posthorn, `GET /workflows/${workflow.id}/executions`)).body;
    expect(data.map(({ contactId, status }: Json) => [contactId, status])).toEqual([
      [old, "CANCELLED"],
      [ada, "WAITING"],
    ]);
  });
});

test("what came to the former contact at the moment of the merge comes after it", async () => {
  await using posthorn = await workspace();
  const [ada, old] = [await person(posthorn, ADA), await person(posthorn, OLD)];
  posthorn.transport.answer = async () => {
    await merge(posthorn, ada, [old]);
    return { kind: "accepted", reply: "250 Ok" };
  };
  await ask(posthorn, "POST /v1/send", { body: { ...letter, to: OLD } });
  await posthorn.settle();
  posthorn.clock.advance(11 * MINUTE);
  await posthorn.settle();
  expect(await eventsOf(posthorn, ADA)).toEqual(expect.arrayContaining(["contact.merged", "email.sent"]));
  expect((await ask(posthorn, "GET /emails")).body.data).toMatchObject([{ status: "SENT" }]);
});

describe("erasing the contact that stays", () => {
  test("leaves nothing of those that were merged into it, however far their history has come", async () => {
    await using posthorn = await workspace();
    const [ada, old] = [await person(posthorn, ADA), await person(posthorn, OLD, { data: { city: "Bonn" } })];
    const oldest = await person(posthorn, "a@oldest.example", { data: { pet: "Byron" } });
    await busy(posthorn, OLD);
    await ask(posthorn, "POST /suppressions", { body: { address: OLD, reason: "manual", scope: "all" } });
    await merge(posthorn, old, [oldest]);
    await posthorn.settle();
    await merge(posthorn, ada, [old]);
    expect((await ask(posthorn, `DELETE /contacts/${ada}`)).status).toBe(204);
    expect((await ask(posthorn, `GET /contacts/${old}`)).body.error.values).toBe(undefined);
    await posthorn.settle();
    const left = JSON.stringify(await everything(posthorn));
    for (const trace of [ADA, OLD, "a@oldest", "Bonn", "Byron", "Mail 1", ada, old, oldest])
      expect([trace, left.includes(trace)]).toEqual([trace, false]);
    expect(
      await Promise.all(
        ["contacts", "events", "emails", "merges", "merged_contacts", "merged_rows"].map((table) =>
          countOf(posthorn, table),
        ),
      ),
    ).toEqual([0, 0, 0, 0, 0, 0]);
    const { data } = (await ask(posthorn, "GET /suppressions")).body;
    expect(data).toMatchObject([{ reason: "erased" }]);
  });

  test.skipIf(ENGINE !== "sqlite")("leaves no byte of them in the database and its log", async () => {
    await using posthorn = await startPosthorn();
    const into = await person(posthorn, "ada@analytical.example", { data: { note: "of lovelace" } });
    const from = await person(posthorn, "a.lovelace@analytical.example", { data: { note: "lovelace, as a child" } });
    for (let n = 0; n < MANY; n++)
      await track(posthorn, "visit", { note: `lovelace ${n}`.repeat(n) }, "a.lovelace@analytical.example");
    await posthorn.settle();
    await merge(posthorn, into, [from]);
    expect(timesInFiles(posthorn.dataDir, "lovelace")).toBeGreaterThan(MANY);
    expect((await ask(posthorn, `DELETE /contacts/${into}`)).status).toBe(204);
    await posthorn.settle();
    expect(timesInFiles(posthorn.dataDir, "lovelace")).toBe(0);
  });

  test("while the merge is being undone leaves the other whole", async () => {
    await using posthorn = await workspace();
    const [ada, old] = [await person(posthorn, ADA), await person(posthorn, OLD)];
    await busy(posthorn, OLD);
    const all = await eventCount(posthorn, OLD);
    const { id } = await merge(posthorn, ada, [old]);
    await posthorn.settle();
    await undo(posthorn, id);
    await ask(posthorn, `DELETE /contacts/${ada}`);
    await posthorn.settle();
    expect([await eventCount(posthorn, OLD), await countOf(posthorn, "contacts")]).toEqual([all, 1]);
  });
});

test("people merge, and undo it, without a fresh proof: for seven days nothing is lost", async () => {
  await using posthorn = await workspace();
  const admin = await somebody(posthorn, "ADMIN");
  const [into, from] = [await person(posthorn, ADA), await person(posthorn, OLD)];
  posthorn.clock.advance(11 * MINUTE);
  const merged = await admin.ask("POST /contacts/merge", { body: { into, from: [from] } });
  expect(merged.status).toBe(200);
  expect((await admin.ask(`POST /contacts/merges/${merged.body.id}/undo`)).status).toBe(200);
  // What cannot be undone asks for one.
  expect((await admin.ask(`DELETE /contacts/${from}`)).body.error.code).toBe("PROOF_NEEDED");
});
