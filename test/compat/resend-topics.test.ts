// Topics by Resend's own client for Node, unchanged but for its base address.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Json, Posthorn } from "../support/posthorn.ts";
import { resendClient } from "../support/resend-client.ts";
import { ask } from "../support/scenario.ts";
import { addKeys, addWorkspace } from "../support/workspaces.ts";
import { workspace } from "../support/workspace.ts";

let posthorn: Posthorn;
beforeAll(async () => {
  posthorn = await workspace();
});
afterAll(() => posthorn[Symbol.asyncDispose]());

const clientWith = (key = posthorn.keys.secret) => resendClient(posthorn, key);
const NOBODY = "0199a3b4-0000-7000-8000-000000000000";

async function done(call: Promise<Json>): Promise<Json> {
  const { data, error } = await call;
  if (error) throw new Error(`${error.name}: ${error.message}`);
  return data;
}
const refused = async (call: Promise<Json>) => (await call).error;
const topicOf = async (id: string) => (await ask(posthorn, `GET /topics/${id}`)).body;

let named = 0;
/** Each test has its own. */
const made = async (changes: object = {}): Promise<string> => {
  const topic = { name: `Topic ${++named}`, defaultSubscription: "opt_in", ...changes };
  return (await done(clientWith().topics.create(topic))).id;
};

describe("a topic", () => {
  test("is made, found, listed, changed and removed", async () => {
    const { topics } = clientWith();
    const news = { name: "Weekly Newsletter", description: "What is new.", defaultSubscription: "opt_out" };
    const { id } = await done(topics.create(news));
    expect(await topicOf(id)).toMatchObject({
      key: "weekly-newsletter",
      name: { en: "Weekly Newsletter" },
      description: { en: "What is new." },
      default: "out",
      visible: false,
    });
    const shown = { id, name: "Weekly Newsletter", description: "What is new.", default_subscription: "opt_out" };
    expect(await done(topics.get(id))).toMatchObject({ object: "topic", ...shown, visibility: "private" });
    expect((await done(topics.list())).data).toContainEqual(expect.objectContaining(shown));
    await ask(posthorn, `PATCH /topics/${id}`, { body: { name: { en: "Weekly", de: "Woche" } } });
    expect(await done(topics.update({ id, name: "Every week" }))).toMatchObject({ id });
    expect(await topicOf(id)).toMatchObject({
      name: { en: "Every week", de: "Woche" },
      description: { en: "What is new." },
      default: "out",
    });
    expect(await done(topics.remove(id))).toEqual({ object: "topic", id, deleted: true });
    expect(await refused(topics.get(id))).toMatchObject({ statusCode: 404, name: "not_found" });
  });

  test("is seen by people if it is public", async () => {
    const id = await made({ visibility: "public" });
    expect((await topicOf(id)).visible).toBe(true);
    expect(await done(clientWith().topics.get(id))).toMatchObject({ visibility: "public" });
  });

  test.each([
    ["Neues für Dich!", /^neues-fur-dich$/],
    ["Новости", /^topic-[0-9a-f]{8}$/],
    ["C'est l’été", /^cest-lete$/],
    ["x ".repeat(50), /^x(-x)+-[0-9a-f]{8}$/],
  ])("called %s has a key of its own", async (name, key) => {
    expect((await topicOf(await made({ name }))).key).toMatch(key);
  });

  test("is listed in pieces", async () => {
    await using own = await workspace();
    const { topics } = resendClient(own, own.keys.secret);
    for (const name of ["A", "B", "C"]) await done(topics.create({ name, defaultSubscription: "opt_in" }));
    const [, second] = (await done(topics.list())).data;
    const reply = await fetch(`${own.server.url}/compat/resend/topics?limit=1&after=${second.id}`, {
      headers: { authorization: `Bearer ${own.keys.secret}` },
    });
    expect(await reply.json()).toMatchObject({ object: "list", has_more: false, data: [{ name: "C" }] });
  });

  test("is refused without a name or a default, with words for one, and with the name of another", async () => {
    const { topics } = clientWith();
    await done(topics.create({ name: "Offers", defaultSubscription: "opt_in" }));
    for (const [topic, statusCode] of [
      [{ defaultSubscription: "opt_in" }, 422],
      [{ name: "Tips" }, 422],
      [{ name: "Tips", defaultSubscription: "yes" }, 422],
      [{ name: "Tips", defaultSubscription: "opt_in", visibility: "secret" }, 422],
      [{ name: "Offers", defaultSubscription: "opt_in" }, 409],
    ] as const)
      expect(await refused(topics.create(topic))).toMatchObject({ statusCode, name: "validation_error" });
  });

  test("of another workspace is nobody's, and a key that may only read changes none", async () => {
    const id = await made();
    const stranger = clientWith((await addWorkspace(posthorn, { name: "other", domain: "other.example" })).secret);
    for (const call of [stranger.topics.get(id), stranger.topics.update({ id, name: "X" }), stranger.topics.remove(id)])
      expect(await refused(call)).toMatchObject({ statusCode: 404, name: "not_found" });
    expect((await done(stranger.topics.list())).data).toEqual([]);
    const own = await done(stranger.contacts.create({ email: "own@example.com" }));
    const choice = { id: own.id, topics: [{ id, subscription: "opt_out" }] };
    expect(await refused(stranger.contacts.topics.update(choice))).toMatchObject({ statusCode: 422 });
    const reader = clientWith((await addKeys(posthorn, { permissions: "read" })).secret);
    expect((await done(reader.topics.get(id))).id).toBe(id);
    expect((await refused(reader.topics.remove(id))).name).toBe("restricted_api_key");
  });
});

describe("what a contact says of topics", () => {
  test("is set, and shown as it counts", async () => {
    const { contacts } = clientWith();
    const [ins, outs] = [await made(), await made({ defaultSubscription: "opt_out", description: "Seldom." })];
    const { id } = await done(contacts.create({ email: "ada@example.com" }));
    const said = async (options: object) =>
      (await done(contacts.topics.list(options))).data
        .filter((one: Json) => [ins, outs].includes(one.id))
        .map(({ subscription }: Json) => subscription);
    expect(await said({ id })).toEqual(["opt_in", "opt_out"]);
    const [one, two] = [
      { id: ins, subscription: "opt_out" },
      { id: outs, subscription: "opt_in" },
    ];
    expect(await done(contacts.topics.update({ email: "Ada@example.com", topics: [one, two] }))).toEqual({ id });
    expect(await said({ email: "ada@example.com" })).toEqual(["opt_out", "opt_in"]);
    const shown = (await done(contacts.topics.list({ id }))).data.find((each: Json) => each.id === outs);
    expect(shown).toEqual({ id: outs, name: expect.any(String), description: "Seldom.", subscription: "opt_in" });
    expect((await ask(posthorn, `GET /contacts/${id}`)).body.topics).toMatchObject({
      [(await topicOf(ins)).key]: "out",
      [(await topicOf(outs)).key]: "in",
    });
  });

  test("comes with a new contact", async () => {
    const id = await made();
    const topics = [{ id, subscription: "opt_out" }];
    const bob = await done(clientWith().contacts.create({ email: "bob@example.com", topics }));
    expect((await ask(posthorn, `GET /contacts/${bob.id}`)).body.topics).toMatchObject({
      [(await topicOf(id)).key]: "out",
    });
  });

  test("is refused in other words, of a topic that is not there, and of nobody", async () => {
    const { contacts } = clientWith();
    const { id } = await done(contacts.create({ email: "cy@example.com" }));
    const topic = await made();
    for (const [choice, statusCode] of [
      [{ id, topics: [{ id: topic, subscription: "maybe" }] }, 422],
      [{ id, topics: [{ id: NOBODY, subscription: "opt_in" }] }, 422],
      [{ id, topics: "all" }, 422],
      [{ id: NOBODY, topics: [] }, 404],
    ] as const)
      expect(await refused(contacts.topics.update(choice))).toMatchObject({ statusCode });
  });
});

describe("mail of a topic", () => {
  test("is a broadcast with topic_id, and leaves out who is not in", async () => {
    const { broadcasts, contacts, segments } = clientWith();
    const [topicId, other] = [await made(), await made()];
    const { id: segmentId } = await done(segments.create({ name: "Readers" }));
    for (const [name, subscription] of [
      ["stays", "opt_in"],
      ["leaves", "opt_out"],
    ]) {
      const topics = [{ id: topicId, subscription }];
      await done(contacts.create({ email: `${name}@example.com`, segments: [{ id: segmentId }], topics }));
    }
    const letter = { name: "L", segmentId, from: "shop@example.test", subject: "Hi", html: "<p>Hi</p>" };
    const { id } = await done(broadcasts.create({ ...letter, topicId: other }));
    expect((await done(broadcasts.get(id))).topic_id).toBe(other);
    await done(broadcasts.update(id, { topicId: null }));
    expect((await done(broadcasts.get(id))).topic_id).toBeNull();
    await done(broadcasts.update(id, { topicId }));
    await done(broadcasts.update(id, { name: "Letter" }));
    expect((await done(broadcasts.get(id))).topic_id).toBe(topicId);
    await done(broadcasts.send(id));
    await posthorn.settle();
    expect((await ask(posthorn, `GET /emails?campaignId=${id}`)).body.data.map(({ to }: Json) => to)).toEqual([
      "stays@example.com",
    ]);
  });

  test("is an email from a marketing template, and goes to nobody who has left it", async () => {
    const { contacts, emails } = clientWith();
    const topicId = await made();
    const letter = { name: "N", subject: "News", body: "<p>News</p>", from: "news@example.test" };
    const { id } = (await ask(posthorn, "POST /templates", { body: { ...letter, type: "MARKETING" } })).body;
    const mail = { to: "dora@example.com", template: { id }, topicId };
    await done(contacts.create({ email: mail.to, unsubscribed: false }));
    const sent = await done(emails.send(mail));
    expect((await ask(posthorn, `GET /emails/${sent.id}`)).body.to).toBe(mail.to);
    await done(contacts.topics.update({ email: mail.to, topics: [{ id: topicId, subscription: "opt_out" }] }));
    expect(await refused(emails.send(mail))).toMatchObject({ name: "validation_error" });
    const plain = { from: "shop@example.test", to: mail.to, subject: "Hi", html: "<p>Hi</p>", topicId };
    expect(await refused(emails.send(plain))).toMatchObject({
      statusCode: 422,
      message: "topic_id: Only marketing email has a topic.",
    });
  });
});
