// What people say between a merge and its undo holds afterwards, and what is erased then leaves nothing with the other.
import { describe, expect, test } from "bun:test";
import { linksFor } from "../../src/content/rendering/links.ts";
import { findLeftMail, markComplained, markReturned } from "../../src/mail/emails/feedback/feedback.ts";
import { cliBeside } from "../support/cli.ts";
import { letter } from "../support/mails.ts";
import type { Json, Posthorn } from "../support/posthorn.ts";
import { ask, everything } from "../support/scenario.ts";
import { workspace } from "../support/workspace.ts";

const ADA = "ada@example.com";
const OLD = "ada@old.example";
const EVE = "eve@example.com";

async function person(posthorn: Posthorn, email: string, more: object = {}): Promise<string> {
  return (await ask(posthorn, "POST /contacts", { body: { email, ...more } })).body.id;
}

async function merge(posthorn: Posthorn, into: string, from: readonly string[]): Promise<string> {
  const { status, body } = await ask(posthorn, "POST /contacts/merge", { body: { into, from } });
  expect([status, body.error]).toEqual([200, undefined]);
  await posthorn.settle();
  return body.id;
}

async function undo(posthorn: Posthorn, id: string): Promise<void> {
  const { status, body } = await ask(posthorn, `POST /contacts/merges/${id}/undo`);
  expect([status, body.error]).toEqual([200, undefined]);
  await posthorn.settle();
}

const look = async (posthorn: Posthorn, id: string): Promise<Json> => (await ask(posthorn, `GET /contacts/${id}`)).body;

/** The one-click of a mail that went out before. */
async function leave(posthorn: Posthorn, contactId: string, emailId: string): Promise<void> {
  const { unsubscribeUrl } = linksFor(posthorn.secrets, posthorn.server.url, { contactId, emailId });
  expect((await fetch(unsubscribeUrl, { method: "POST" })).status).toBe(200);
}

async function mailTo(posthorn: Posthorn, to: string, more: object = {}): Promise<string> {
  const { body } = await ask(posthorn, "POST /v1/send", { body: { ...letter, to, ...more } });
  await posthorn.settle();
  return body.data.emails[0].email;
}

describe("undoing subscribes nobody", () => {
  test("who has subscribed since, and left again", async () => {
    await using posthorn = await workspace();
    const [ada, old] = [await person(posthorn, ADA), await person(posthorn, OLD, { subscribed: false })];
    const third = await person(posthorn, "third@example.com");
    const mail = await mailTo(posthorn, ADA);
    const id = await merge(posthorn, ada, [old, third]);
    posthorn.clock.advance(1_000);
    await ask(posthorn, `PATCH /contacts/${ada}`, { body: { subscribed: true } });
    await leave(posthorn, ada, mail);
    await undo(posthorn, id);
    for (const one of [ada, old, third]) expect((await look(posthorn, one)).subscribed).toBe(false);
  });

  test("who has left as the contact that it was merged into later", async () => {
    await using posthorn = await workspace();
    const [ada, old] = [await person(posthorn, ADA), await person(posthorn, OLD, { subscribed: false })];
    const eve = await person(posthorn, EVE);
    const mail = await mailTo(posthorn, ADA);
    const first = await merge(posthorn, ada, [old]);
    const second = await merge(posthorn, eve, [ada]);
    await leave(posthorn, ada, mail);
    await undo(posthorn, second);
    await undo(posthorn, first);
    for (const one of [ada, old, eve]) expect((await look(posthorn, one)).subscribed).toBe(false);
  });

  test.each([
    ["the other", "out", "in"],
    ["this one", "in", "out"],
  ])("who has left a topic since, which %s had left before", async (_, into, from) => {
    await using posthorn = await workspace();
    await ask(posthorn, "POST /topics", { body: { key: "news", name: { en: "News" } } });
    const ada = await person(posthorn, ADA, { topics: { news: into } });
    const old = await person(posthorn, OLD, { topics: { news: from } });
    const [of, at] = into === "in" ? [ada, ADA] : [old, OLD];
    await ask(posthorn, `PATCH /contacts/${of}`, { body: { topics: { news: "in" } } });
    const template = { ...letter, name: "News", type: "MARKETING", topic: "news" };
    const { id: news } = (await ask(posthorn, "POST /templates", { body: template })).body;
    const { body } = await ask(posthorn, "POST /v1/send", { body: { to: at, template: news } });
    const mail = body.data.emails[0].email;
    await posthorn.settle();
    const id = await merge(posthorn, ada, [old]);
    await leave(posthorn, of, mail);
    expect((await look(posthorn, ada)).subscribed).toBe(true);
    await undo(posthorn, id);
    for (const one of [ada, old]) expect((await look(posthorn, one)).topics).toEqual({ news: "out" });
  });

  test("who has taken a break since: it counts for all of them", async () => {
    await using posthorn = await workspace();
    const [ada, old] = [await person(posthorn, ADA), await person(posthorn, OLD)];
    const id = await merge(posthorn, ada, [old]);
    const pausedUntil = new Date(posthorn.clock.nowMs() + 30 * 86_400_000).toISOString();
    await ask(posthorn, `PATCH /contacts/${ada}`, { body: { pausedUntil } });
    await undo(posthorn, id);
    for (const one of [ada, old]) expect((await look(posthorn, one)).pausedUntil).toBe(pausedUntil);
  });
});

test("data may have any name", async () => {
  await using posthorn = await workspace();
  const ada = await person(posthorn, ADA, { data: { plan: "pro" } });
  const data = { valueOf: "Babbage", toString: "yes" };
  const old = await person(posthorn, OLD, { data });
  const id = await merge(posthorn, ada, [old]);
  const said = async (one: string) => JSON.stringify(Object.entries((await look(posthorn, one)).data).toSorted());
  expect(await said(ada)).toBe('[["plan","pro"],["toString","yes"],["valueOf","Babbage"]]');
  await undo(posthorn, id);
  expect([await said(ada), await said(old)]).toEqual([
    '[["plan","pro"]]',
    '[["toString","yes"],["valueOf","Babbage"]]',
  ]);
});

test.each([
  ["the one that was merged", 1, OLD],
  ["the one that stayed", 0, ADA],
])("who was two in one and is erased after the undo leaves nothing with the other: %s", async (_, which, address) => {
  await using posthorn = await workspace();
  await ask(posthorn, "POST /webhooks", { body: { url: "https://hooks.example/in", events: ["contact.merged"] } });
  const both = [await person(posthorn, ADA), await person(posthorn, OLD)] as const;
  const merged = await merge(posthorn, both[0], [both[1]]);
  expect(JSON.stringify((await everything(posthorn))["webhook_events"])).toContain(OLD);
  await undo(posthorn, merged);
  expect((await ask(posthorn, `DELETE /contacts/${both[which]}`)).status).toBe(204);
  await posthorn.settle();
  const tables = { ...(await everything(posthorn)), told: await posthorn.events() };
  const naming = Object.entries(tables).filter(([, rows]) => JSON.stringify(rows).includes(address));
  expect(naming.map(([name]) => name)).toEqual([]);
});

describe("a report about a mail to the former address", () => {
  test.each([
    ["bounce", true],
    ["complaint", false],
  ] as const)("as a %s suppresses that address alone, also after the undo", async (reason, subscribed) => {
    await using posthorn = await workspace();
    const [ada, old] = [await person(posthorn, ADA), await person(posthorn, OLD)];
    const mail = await mailTo(posthorn, OLD);
    const id = await merge(posthorn, ada, [old]);
    await posthorn.store.write(async (tx) => {
      const left = await findLeftMail(tx, mail);
      if (left === null || left === "early") throw new Error("The mail has not left.");
      await (reason === "bounce"
        ? markReturned(tx, left, { reason: "550 Gone", byCarrier: false }, "Permanent")
        : markComplained(tx, left));
    });
    expect(await look(posthorn, ada)).toMatchObject({ subscribed, suppressed: null });
    expect((await ask(posthorn, "GET /suppressions")).body.data).toMatchObject([{ address: OLD, reason }]);
    await undo(posthorn, id);
    expect(await look(posthorn, old)).toMatchObject({ subscribed, suppressed: reason });
    expect((await look(posthorn, ada)).suppressed).toBe(null);
  });
});

test("what somebody has entered in a form waits for the address again at which it was entered", async () => {
  await using posthorn = await workspace();
  const { body: form } = await ask(posthorn, "POST /forms", { body: { name: "News", key: "news" } });
  expect(form.error).toBe(undefined);
  const [ada, old] = [await person(posthorn, ADA), await person(posthorn, OLD)];
  await posthorn.store.write(
    (tx) => tx.run`
      insert into form_answers (form, workspace, address, answer, created_at, contact)
      select f.seq, f.workspace, ${OLD}, '{}', ${tx.now}, c.seq from forms f, contacts c where c.email = ${OLD}`,
  );
  const at = async () =>
    (await posthorn.store.read((reader) => reader.all<{ address: string }>`select address from form_answers`))[0]
      ?.address;
  const id = await merge(posthorn, ada, [old]);
  expect(await at()).toBe(ADA);
  await undo(posthorn, id);
  expect(await at()).toBe(OLD);
});

test("the ledger is whole after a merge, its undo, and the erasure of both", async () => {
  await using posthorn = await workspace();
  const [ada, old] = [await person(posthorn, ADA), await person(posthorn, OLD, { subscribed: false })];
  const isWhole = async () => {
    const { code, out } = await cliBeside(posthorn, ["consent", "verify"]);
    expect([code, out]).toEqual([0, expect.any(String)]);
  };
  const id = await merge(posthorn, ada, [old]);
  await isWhole();
  await undo(posthorn, id);
  await isWhole();
  for (const one of [old, ada]) {
    expect((await ask(posthorn, `DELETE /contacts/${one}`)).status).toBe(204);
    await posthorn.settle();
    await isWhole();
  }
});
