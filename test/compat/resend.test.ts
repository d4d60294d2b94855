// Resend's own client for Node, unchanged but for its base address, against this server.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { HOUR_MS } from "../../src/base/clock.ts";
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
const letter = { from: "Shop <shop@example.test>", to: "ada@example.com", subject: "Hi", html: "<p>Hello</p>" };
const NOBODY = "0199a3b4-0000-7000-8000-000000000000";
const inAnHour = () => new Date(posthorn.clock.nowMs() + HOUR_MS).toISOString();

async function sent(email: object, options?: object): Promise<string> {
  const { data, error } = await clientWith().emails.send({ ...letter, ...email }, options);
  if (error) throw new Error(error.message);
  return data?.id ?? "";
}

const mailOf = async (id: string) => (await ask(posthorn, `GET /emails/${id}`)).body;

describe("an email", () => {
  test("is sent, and answered with its id alone", async () => {
    const { data, error } = await clientWith().emails.send(letter);
    expect(error).toBeNull();
    expect(data).toEqual({ id: expect.stringMatching(/^[0-9a-f-]{36}$/) });
    expect(await mailOf(data?.id ?? "")).toMatchObject({
      to: "ada@example.com",
      from: "shop@example.test",
      subject: "Hi",
    });
  });

  test("to several is one message to all of them, with cc and bcc", async () => {
    const id = await sent({
      to: ["ada@example.com", "bob@example.com"],
      cc: "cyd@example.com",
      bcc: ["dan@example.com"],
    });
    const { recipients } = await mailOf(id);
    expect(recipients.map(({ role, to }: { role: string; to: string }) => `${role} ${to}`)).toEqual([
      "TO ada@example.com",
      "TO bob@example.com",
      "CC cyd@example.com",
      "BCC dan@example.com",
    ]);
    const { data } = await clientWith().emails.get(id);
    expect(data).toMatchObject({
      to: ["ada@example.com", "bob@example.com"],
      cc: ["cyd@example.com"],
      bcc: ["dan@example.com"],
    });
  });

  test("has its reply address, headers, files and tags", async () => {
    const id = await sent({
      replyTo: "help@example.test",
      headers: { "X-Order": "7" },
      attachments: [{ filename: "a.txt", content: Buffer.from("text"), contentType: "text/plain" }],
      tags: [{ name: "kind", value: "receipt" }],
    });
    expect(await mailOf(id)).toMatchObject({ replyTo: "help@example.test", tags: ["kind:receipt"] });
    await posthorn.settle();
    const raw = posthorn.transport.sent.find((message) => message.id === id)?.raw.toString() ?? "";
    expect(raw).toContain("X-Order: 7");
    expect(raw).toContain(btoa("text"));
  });

  test("is made from a template and its variables", async () => {
    await ask(posthorn, "POST /templates", {
      body: {
        name: "Bill",
        alias: "bill",
        subject: "Bill {{ number }}",
        body: "<p>{{ number }}</p>",
        type: "TRANSACTIONAL",
      },
    });
    const { data, error } = await clientWith().emails.send({
      from: letter.from,
      to: letter.to,
      template: { id: "bill", variables: { number: 7 } },
    });
    expect(error).toBeNull();
    await posthorn.settle();
    expect((await mailOf(data?.id ?? "")).subject).toBe("Bill 7");
    // The source of the template is not what anybody got.
    expect((await clientWith().emails.get(data?.id ?? "")).data).toMatchObject({ subject: "Bill 7", html: null });
  });

  test("under an Idempotency-Key is sent once, and not for another email", async () => {
    const once = { idempotencyKey: "order-7" };
    expect(await sent({}, once)).toBe(await sent({}, once));
    const { error } = await clientWith().emails.send({ ...letter, subject: "Other" }, once);
    expect(error).toMatchObject({ name: "invalid_idempotent_request", statusCode: 409 });
  });

  test("for later waits, is moved and taken back", async () => {
    const id = await sent({ scheduledAt: inAnHour() });
    expect((await clientWith().emails.get(id)).data).toMatchObject({
      last_event: "scheduled",
      scheduled_at: inAnHour(),
    });
    const later = new Date(posthorn.clock.nowMs() + 2 * HOUR_MS).toISOString();
    expect((await clientWith().emails.update({ id, scheduledAt: later })).data).toEqual({ object: "email", id });
    expect((await mailOf(id)).scheduledFor).toBe(later);
    expect((await clientWith().emails.cancel(id)).data).toEqual({ object: "email", id });
    expect((await clientWith().emails.get(id)).data?.last_event).toBe("canceled");
    expect((await clientWith().emails.cancel(id)).error).toMatchObject({ name: "validation_error", statusCode: 400 });
  });

  test("to a group for later is taken back for all of it", async () => {
    const id = await sent({ to: ["ada@example.com", "bob@example.com"], scheduledAt: inAnHour() });
    await clientWith().emails.cancel(id);
    const { recipients } = await mailOf(id);
    expect(recipients.map(({ status }: { status: string }) => status)).toEqual(["CANCELLED", "CANCELLED"]);
  });

  test("is shown with what became of it", async () => {
    const id = await sent({ to: "bounced@simulator.test", text: "Hello" });
    await posthorn.settle();
    expect((await clientWith().emails.get(id)).data).toMatchObject({
      object: "email",
      id,
      from: "Shop <shop@example.test>",
      to: ["bounced@simulator.test"],
      html: letter.html,
      text: "Hello",
      last_event: "bounced",
    });
  });
});

describe("a batch", () => {
  test("sends all, or none of it", async () => {
    const emails = ["eve", "fay"].map((name) => ({ ...letter, to: `${name}@example.com` }));
    const { data } = await clientWith().batch.send(emails);
    expect(data?.data).toHaveLength(2);
    const [first] = data?.data ?? [];
    expect((await mailOf(first?.id ?? "")).to).toBe("eve@example.com");
    const { error } = await clientWith().batch.send([...emails, { ...letter, to: "nobody" }]);
    expect(error).toMatchObject({
      name: "validation_error",
      statusCode: 422,
      message: expect.stringContaining("2.to"),
    });
  });

  test("that is permissive sends what it can, and says what it cannot", async () => {
    const emails = [letter, { ...letter, to: "nobody" }, { ...letter, topicId: "news" }];
    const { data, error } = await clientWith().batch.send(emails, { batchValidation: "permissive" });
    expect(error).toBeNull();
    expect(data?.data).toHaveLength(1);
    expect(data?.errors?.map(({ index }: Json) => index)).toEqual([1, 2]);
  });
});

test("the list goes on behind an email, newest first", async () => {
  await using own = await workspace();
  const client = resendClient(own, own.keys.secret);
  for (const to of ["a@example.com", "b@example.com", "c@example.com"]) await client.emails.send({ ...letter, to });
  const first = (await client.emails.list({ limit: 2 })).data;
  expect(first?.data.map(({ to }: Json) => to[0])).toEqual(["c@example.com", "b@example.com"]);
  expect(first?.has_more).toBe(true);
  const rest = (await client.emails.list({ limit: 2, after: first?.data.at(-1)?.id ?? "" })).data;
  expect(rest?.data.map(({ to }: Json) => to[0])).toEqual(["a@example.com"]);
});

describe("what is refused looks as Resend's own refusals", () => {
  test.each([
    ["a field that is missing", { subject: undefined, html: undefined, text: undefined }, 422, "validation_error"],
    ["an address that is none", { to: "nobody" }, 422, "validation_error"],
    ["a sender that is not verified", { from: "me@elsewhere.example" }, 403, "validation_error"],
    ["a topic that is not there", { topicId: "news" }, 422, "validation_error"],
    [
      "a file to be fetched",
      { attachments: [{ filename: "a.txt", path: "https://shop.example/a.txt" }] },
      422,
      "validation_error",
    ],
  ])("%s", async (_, changes, statusCode, name) => {
    const { data, error } = await clientWith().emails.send({ ...letter, ...changes });
    expect(data).toBeNull();
    expect(error).toMatchObject({ statusCode, name, message: expect.not.stringContaining("emails.") });
  });

  test("an unknown key, one that may only read or only send, and an email of nobody", async () => {
    const wrong = await clientWith("re_123").emails.send(letter);
    expect(wrong.error).toMatchObject({ statusCode: 403, name: "invalid_api_key" });
    const reader = clientWith((await addKeys(posthorn, { permissions: "read" })).secret);
    expect((await reader.emails.send(letter)).error).toMatchObject({ statusCode: 401, name: "restricted_api_key" });
    const sender = clientWith((await addKeys(posthorn, { permissions: "send" })).secret);
    expect((await sender.emails.send(letter)).error).toBeNull();
    expect((await sender.emails.list()).error).toMatchObject({ statusCode: 401, name: "restricted_api_key" });
    expect((await clientWith().emails.get(NOBODY)).error).toMatchObject({ statusCode: 404, name: "not_found" });
  });

  test("another workspace's email is nobody's", async () => {
    const id = await sent({ scheduledAt: inAnHour() });
    const other = clientWith((await addWorkspace(posthorn, { name: "other", domain: "other.example" })).secret);
    expect((await other.emails.get(id)).error?.name).toBe("not_found");
    expect((await other.emails.cancel(id)).error?.name).toBe("not_found");
    expect((await other.emails.update({ id, scheduledAt: inAnHour() })).error?.name).toBe("not_found");
    expect((await other.emails.list({ after: id })).error?.name).toBe("not_found");
    expect((await other.emails.list()).data?.data).toEqual([]);
  });
});

test("each field that is wrong is named as Resend names it", async () => {
  const { error } = await clientWith().emails.send({ ...letter, html: "", replyTo: "nobody" });
  expect(error.message).toMatch(/html: .+ reply_to: .+|reply_to: .+ html: .+/);
});

test.each([
  ["null", null],
  ["a list", []],
  ["a tag that is no text", { ...letter, tags: [{ name: { toString: 1 }, value: "x" }] }],
  ["a tag without a name", { ...letter, tags: [{ value: "x" }] }],
  ["a file that is none", { ...letter, attachments: [null] }],
])("a body with %s is refused", async (_, body) => {
  const reply = await fetch(`${posthorn.server.url}/compat/resend/emails`, {
    method: "POST",
    headers: { authorization: `Bearer ${posthorn.keys.secret}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  expect(reply.status).toBe(422);
});

test("a field that changes nothing is named in the answer", async () => {
  const reply = await fetch(`${posthorn.server.url}/compat/resend/emails`, {
    method: "POST",
    headers: { authorization: `Bearer ${posthorn.keys.secret}`, "content-type": "application/json" },
    body: JSON.stringify({ ...letter, colour: "red", constructor: 1 }),
  });
  expect([reply.status, reply.headers.get("x-posthorn-ignored")]).toEqual([200, "colour, constructor"]);
});

test("braces in an email are braces", async () => {
  const written = {
    subject: "{{ email }} {%",
    html: '<p>{{{ email }}} {% endraw %}</p><a href="https://a.example/{{id}}">a</a>',
  };
  const id = await sent({ ...letter, ...written, text: "{{ email }}" });
  expect((await clientWith().emails.get(id)).data.subject).toBe(written.subject);
  await posthorn.settle();
  expect((await mailOf(id)).subject).toBe(written.subject);
  const { html, text } = (await ask(posthorn, `GET /emails/${id}/content`)).body;
  expect([html, text]).toEqual([written.html, "{{ email }}"]);
  expect((await clientWith().emails.get(id)).data).toMatchObject({ ...written, text: "{{ email }}" });
});

test("a path that does not exist is refused in the same form", async () => {
  const reply = await fetch(`${posthorn.server.url}/compat/resend/nothing`);
  expect([reply.status, await reply.json()]).toEqual([
    404,
    {
      statusCode: 404,
      name: "not_found",
      message: "Posthorn does not have this call of Resend. Its own API is described at /docs.",
    },
  ]);
});

test("calls that are not there are refused with what to use instead", async () => {
  const client = clientWith();
  for (const [use, call] of [
    ["keys of a contact's data", client.contactProperties.create({ key: "plan", type: "string" })],
    ["POST /contacts/import", client.contacts.imports.list()],
    ["POST /v1/track", client.events.send({ event: "signed.up", email: "ada@example.com" })],
    ["GET /emails?status=RECEIVED", client.emails.receiving.list()],
    ["Add the domain", client.domains.claims.create({ name: "shop.example" })],
  ] as const) {
    const { error } = (await call) as Json;
    expect(error).toEqual({ statusCode: 404, name: "not_found", message: expect.stringContaining(use) });
  }
  const { error } = await client.contacts.get(NOBODY);
  expect(error.message).not.toContain("this call");
});

describe("a suppressed recipient", () => {
  beforeAll(async () => {
    await ask(posthorn, "POST /suppressions", { body: { address: "gone@ext.test", reason: "bounce" } });
  });

  test("is left out of an email to several, and refuses one to nobody else", async () => {
    const id = await sent({ to: ["gone@ext.test", "ada@ext.test"] });
    expect((await mailOf(id)).to).toBe("ada@ext.test");
    expect((await clientWith().emails.send({ ...letter, to: "gone@ext.test" })).error?.message).toContain("suppressed");
  });

  test("is dropped from a batch, in which each other email keeps its place", async () => {
    const emails = [
      { ...letter, to: "gone@ext.test" },
      { ...letter, to: "ada@ext.test" },
    ];
    const { data } = await clientWith().batch.send(emails);
    const [dropped, other] = data?.data.map(({ id }: Json) => id) ?? [];
    expect((await mailOf(other ?? "")).to).toBe("ada@ext.test");
    expect((await posthorn.call(`GET /emails/${dropped}`)).status).toBe(404);
    const answer = await fetch(`${posthorn.server.url}/compat/resend/emails/batch`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${posthorn.keys.secret}` },
      body: JSON.stringify(emails),
    });
    expect(answer.headers.get("x-posthorn-warning")).toBe("Suppressed, and so not sent to: gone@ext.test.");
  });

  test("is among the errors of a permissive batch", async () => {
    const emails = [
      { ...letter, to: "gone@ext.test" },
      { ...letter, to: ["ada@ext.test", "gone@ext.test"] },
    ];
    const { data } = await clientWith().batch.send(emails, { batchValidation: "permissive" });
    expect([data?.data.length, data?.errors.map(({ index }: Json) => index)]).toEqual([1, [0]]);
  });
});
