// POST /contacts/merge: several contacts become one person.
import { describe, expect, test } from "bun:test";
import { linksFor } from "../../src/content/rendering/links.ts";
import { ledger } from "../support/ledger.ts";
import { letter } from "../support/mails.ts";
import type { Json, Posthorn } from "../support/posthorn.ts";
import { ask, countOf, scenarios } from "../support/scenario.ts";
import { DAY, execution, track } from "../support/workflows.ts";
import { addWorkspace } from "../support/workspaces.ts";
import { workspace } from "../support/workspace.ts";

const ADA = "ada@example.com";
const OLD = "ada@old.example";

export async function person(posthorn: Posthorn, email: string, more: object = {}): Promise<string> {
  return (await ask(posthorn, "POST /contacts", { body: { email, ...more } })).body.id;
}

async function merge(posthorn: Posthorn, into: string, from: readonly string[], more: object = {}): Promise<Json> {
  const { status, body } = await ask(posthorn, "POST /contacts/merge", { body: { into, from, ...more } });
  expect([status, body.error]).toEqual([200, undefined]);
  return body;
}

const look = async (posthorn: Posthorn, id: string) => (await ask(posthorn, `GET /contacts/${id}`)).body;

describe("everything goes along", () => {
  test("mail, events, segments, former addresses, and the ledger; and who it was is told (slow)", async () => {
    await using posthorn = await workspace();
    const ada = await person(posthorn, ADA);
    const old = await person(posthorn, "ada@older.example");
    await ask(posthorn, `PATCH /contacts/${old}`, { body: { email: OLD } });
    const { id: segment } = (await ask(posthorn, "POST /segments", { body: { name: "Friends", type: "STATIC" } })).body;
    await ask(posthorn, `POST /segments/${segment}/members`, { body: { emails: [OLD] } });
    await ask(posthorn, "POST /v1/send", { body: { ...letter, to: OLD, subject: "To the old one" } });
    await track(posthorn, "visit", {}, OLD);
    await posthorn.settle();
    const before = (await posthorn.eventNames()).length;

    const merged = await merge(posthorn, ada, [old]);
    expect(merged).toMatchObject({ status: "MOVED", into: { id: ada, email: ADA }, from: [{ id: old, email: OLD }] });
    expect((await posthorn.events()).slice(before)).toEqual([
      { name: "contact.merged", contact: ADA, data: { formerId: old, formerEmail: OLD } },
    ]);
    expect((await posthorn.events()).every(({ contact }) => contact === ADA)).toBe(true);
    expect((await ask(posthorn, `GET /emails?contactId=${ada}`)).body.data.map(({ to }: Json) => to)).toEqual([OLD]);
    const summary = (await ask(posthorn, `GET /contacts/${ada}/summary`)).body;
    expect(summary.formerEmails.toSorted()).toEqual([OLD, "ada@older.example"]);
    expect(summary.segments).toMatchObject([{ name: "Friends" }]);
    expect((await ask(posthorn, `GET /segments/${segment}`)).body.memberCount).toBe(1);
    expect((await ask(posthorn, "GET /contacts")).body.total).toBe(1);
    const noted = await ledger(posthorn.store);
    expect(noted.at(-1)).toMatchObject({ what: "merged", former: OLD });
    const { data } = (await ask(posthorn, `GET /contacts/${ada}/consent`)).body;
    expect(data.map(({ text }: Json) => text)).toContain("Merged with ada@old.example with an API key.");
  });

  test("the former id is not found, and says who it is now, in its workspace alone", async () => {
    await using posthorn = await workspace();
    const [ada, old] = [await person(posthorn, ADA), await person(posthorn, OLD)];
    await merge(posthorn, ada, [old]);
    const { status, body } = await ask(posthorn, `GET /contacts/${old}`);
    expect([status, body.error]).toMatchObject([404, { code: "CONTACT_NOT_FOUND", values: { mergedInto: ada } }]);
    const stranger = await addWorkspace(posthorn, { name: "stranger", domain: "stranger.example" });
    const theirs = await ask(posthorn, `GET /contacts/${old}`, { key: { bearer: stranger.secret } });
    expect([theirs.status, theirs.body.error.values]).toEqual([404, undefined]);
  });

  test("what is queued goes to the address that it was queued for, and counts for the contact that stays", async () => {
    await using posthorn = await workspace();
    const [ada, old] = [await person(posthorn, ADA), await person(posthorn, OLD)];
    await ask(posthorn, "POST /v1/send", { body: { ...letter, to: OLD } });
    await merge(posthorn, ada, [old]);
    await posthorn.settle();
    expect(posthorn.transport.recipients).toEqual([OLD]);
    expect((await posthorn.events()).map(({ name, contact }) => [name, contact])).toContainEqual(["email.sent", ADA]);
  });

  test("a dynamic segment that asks for events knows those of both", async () => {
    await using posthorn = await workspace();
    const [ada, old] = [await person(posthorn, ADA), await person(posthorn, OLD)];
    const condition = { groups: [{ filters: [{ field: "event.visit", operator: "triggered" }] }] };
    const { id } = (await ask(posthorn, "POST /segments", { body: { name: "Visitors", condition } })).body;
    await track(posthorn, "visit", {}, OLD);
    await posthorn.settle();
    await merge(posthorn, ada, [old]);
    await posthorn.settle();
    const { data } = (await ask(posthorn, `GET /segments/${id}/contacts`)).body;
    expect(data.map(({ email }: Json) => email)).toEqual([ADA]);
  });
});

describe("data", () => {
  async function two(posthorn: Posthorn): Promise<readonly [string, string]> {
    const ada = await person(posthorn, ADA, { data: { name: "Ada", plan: "free", city: "" } });
    posthorn.clock.advance(1_000);
    const old = await person(posthorn, OLD, { data: { plan: "pro", city: "Bonn", age: 36 } });
    return [ada, old];
  }

  test("of the contact that stays is kept, and what it lacks comes from the others", async () => {
    await using posthorn = await workspace();
    const [ada, old] = await two(posthorn);
    await merge(posthorn, ada, [old]);
    expect((await look(posthorn, ada)).data).toEqual({ name: "Ada", plan: "free", city: "Bonn", age: 36 });
  });

  test("of who was changed last counts by another rule", async () => {
    await using posthorn = await workspace();
    const [ada, old] = await two(posthorn);
    await merge(posthorn, ada, [old], { data: "newest" });
    expect((await look(posthorn, ada)).data).toEqual({ name: "Ada", plan: "pro", city: "Bonn", age: 36 });
  });

  test("is chosen key by key, also that there is none", async () => {
    await using posthorn = await workspace();
    const [ada, old] = await two(posthorn);
    await merge(posthorn, ada, [old], { values: { plan: old, name: old, city: ada } });
    expect((await look(posthorn, ada)).data).toEqual({ plan: "pro", city: "", age: 36 });
  });
});

describe("consent is strict", () => {
  test("who has unsubscribed as one of them has unsubscribed", async () => {
    await using posthorn = await workspace();
    const [ada, old] = [await person(posthorn, ADA), await person(posthorn, OLD, { subscribed: false })];
    await merge(posthorn, ada, [old]);
    expect((await look(posthorn, ada)).subscribed).toBe(false);
    expect(await posthorn.eventNames()).toEqual(["contact.unsubscribed", "contact.merged"]);
    const [ben, other] = [
      await person(posthorn, "ben@a.example", { subscribed: false }),
      await person(posthorn, "ben@b.example"),
    ];
    await merge(posthorn, ben, [other]);
    expect((await look(posthorn, ben)).subscribed).toBe(false);
    const [cy, more] = [await person(posthorn, "cy@a.example"), await person(posthorn, "cy@b.example")];
    await merge(posthorn, cy, [more]);
    expect((await look(posthorn, cy)).subscribed).toBe(true);
  });

  test("the later pause counts, and undoing takes it back", async () => {
    await using posthorn = await workspace();
    const until = (days: number) => new Date(posthorn.clock.nowMs() + days * DAY).toISOString();
    const [ada, old] = [await person(posthorn, ADA), await person(posthorn, OLD)];
    await ask(posthorn, `PATCH /contacts/${ada}`, { body: { pausedUntil: until(10) } });
    await ask(posthorn, `PATCH /contacts/${old}`, { body: { pausedUntil: until(30) } });
    const { id } = await merge(posthorn, ada, [old]);
    expect((await look(posthorn, ada)).pausedUntil).toBe(until(30));
    await ask(posthorn, `POST /contacts/merges/${id}/undo`);
    expect([(await look(posthorn, ada)).pausedUntil, (await look(posthorn, old)).pausedUntil]).toEqual([
      until(10),
      until(30),
    ]);
  });

  test("who has left a topic as one of them has left it; a suppressed address stays so", async () => {
    await using posthorn = await workspace();
    for (const key of ["news", "tips", "fairs"])
      await ask(posthorn, "POST /topics", { body: { key, name: { en: key } } });
    const ada = await person(posthorn, ADA, { topics: { news: "in", tips: "out" } });
    const old = await person(posthorn, OLD, { topics: { news: "out", fairs: "in" } });
    await ask(posthorn, "POST /suppressions", { body: { address: OLD, reason: "manual", scope: "all" } });
    await merge(posthorn, ada, [old]);
    const now = await look(posthorn, ada);
    expect([now.topics, now.suppressed]).toEqual([{ news: "out", tips: "out", fairs: "in" }, null]);
    expect((await ask(posthorn, `GET /suppressions?address=${OLD}`)).body.total).toBe(1);
  });

  test("a link in a mail to the former address unsubscribes who it is now, for good and however often it was merged", async () => {
    await using posthorn = await workspace();
    const [ada, old] = [await person(posthorn, ADA), await person(posthorn, OLD)];
    const mail = (await ask(posthorn, "POST /v1/send", { body: { ...letter, to: OLD } })).body.data.emails[0].email;
    const { unsubscribeUrl } = linksFor(posthorn.secrets, posthorn.server.url, { contactId: old, emailId: mail });
    await merge(posthorn, ada, [old]);
    posthorn.clock.advance(8 * DAY);
    await posthorn.settle();
    const eve = await person(posthorn, "eve@example.com");
    await merge(posthorn, eve, [ada]);
    posthorn.clock.advance(8 * DAY);
    await posthorn.settle();
    expect(await countOf(posthorn, "contacts")).toBe(1);
    const { status } = await fetch(unsubscribeUrl, { method: "POST" });
    expect([status, (await look(posthorn, eve)).subscribed]).toEqual([200, false]);
    expect((await ask(posthorn, `GET /contacts/${old}`)).body.error.values).toEqual({ mergedInto: eve });
  });
});

describe("workflows", () => {
  const wait = { type: "WAIT_FOR_EVENT", name: "Wait", config: { eventName: "bought", timeout: 7, unit: "days" } };
  const flow = async (posthorn: Posthorn, changes: object) =>
    (
      await ask(posthorn, "POST /workflows", {
        body: { name: "Flow", eventName: "signup", enabled: true, steps: [wait], ...changes },
      })
    ).body;

  test("who waits in one goes on as the contact that stays", async () => {
    await using posthorn = await workspace();
    const workflow = await flow(posthorn, {});
    const [ada, old] = [await person(posthorn, ADA), await person(posthorn, OLD)];
    await track(posthorn, "signup", {}, OLD);
    await posthorn.settle();
    await merge(posthorn, ada, [old]);
    await track(posthorn, "bought", {}, ADA);
    await posthorn.settle();
    expect(await execution(posthorn, workflow)).toMatchObject({ status: "COMPLETED" });
  });

  test.each([
    ["without re-entry", { reentry: "never" }],
    ["that one enters again after the end", { reentry: "after-end" }],
  ])("of two in one %s the former contact's is cancelled, with the reason", async (_, changes) => {
    await using posthorn = await workspace();
    const workflow = await flow(posthorn, changes);
    const [ada, old] = [await person(posthorn, ADA), await person(posthorn, OLD)];
    for (const email of [ADA, OLD]) await track(posthorn, "signup", {}, email);
    await posthorn.settle();
    await merge(posthorn, ada, [old]);
    const { data } = (await ask(posthorn, `GET /workflows/${workflow.id}/executions`)).body;
    expect(data.map(({ status, reason }: Json) => [status, reason])).toEqual([
      ["CANCELLED", expect.stringContaining("merged into one that is in this workflow")],
      ["WAITING", null],
    ]);
    expect(new Set(data.map(({ contactId }: Json) => contactId))).toEqual(new Set([ada]));
  });

  test("who may enter once does not enter again as the other", async () => {
    await using posthorn = await workspace();
    const workflow = await flow(posthorn, { reentry: "never" });
    const [ada, old] = [await person(posthorn, ADA), await person(posthorn, OLD)];
    await track(posthorn, "signup", {}, OLD);
    await posthorn.settle();
    await merge(posthorn, ada, [old]);
    await track(posthorn, "signup", {}, ADA);
    await posthorn.settle();
    expect((await ask(posthorn, `GET /workflows/${workflow.id}/executions`)).body.total).toBe(1);
  });
});

const NOBODY = "0199a3b4-0000-7000-8000-000000000000";
const ada = ["POST /contacts", { email: ADA }] as const;
const old = ["POST /contacts", { email: OLD }] as const;

scenarios("what is refused", [
  {
    name: "a contact with itself, or twice",
    given: [ada, old],
    request: "POST /contacts/merge",
    body: { into: "$0.id", from: ["$0.id", "$1.id", "$1.id"] },
    status: 422,
    fields: { "from.0": "duplicate", "from.2": "duplicate" },
  },
  {
    name: "nobody, and more than ten",
    given: [ada],
    request: "POST /contacts/merge",
    body: { into: "$0.id", from: [] },
    status: 422,
    fields: { from: "too_small" },
  },
  {
    name: "who is not there",
    given: [ada],
    request: "POST /contacts/merge",
    body: { into: "$0.id", from: [NOBODY] },
    status: 404,
    code: "CONTACT_NOT_FOUND",
  },
  {
    name: "a value of somebody else",
    given: [ada, old],
    request: "POST /contacts/merge",
    body: { into: "$0.id", from: ["$1.id"], values: { plan: NOBODY } },
    status: 422,
    fields: { "values.plan": "unknown_contact" },
  },
  {
    name: "who has not confirmed",
    given: [ada, ["POST /contacts", { email: OLD, doubleOptIn: true }]],
    request: "POST /contacts/merge",
    body: { into: "$0.id", from: ["$1.id"] },
    status: 409,
    code: "CONFLICT",
  },
  {
    name: "who was merged already",
    given: [ada, old, ["POST /contacts/merge", { into: "$0.id", from: ["$1.id"] }]],
    request: "POST /contacts/merge",
    body: { into: "$0.id", from: ["$1.id"] },
    status: 404,
    code: "CONTACT_NOT_FOUND",
  },
  {
    name: "an undo of no merge",
    request: `POST /contacts/merges/${NOBODY}/undo`,
    status: 404,
    code: "MERGE_NOT_FOUND",
  },
]);
