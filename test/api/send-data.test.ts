// The data of POST /v1/send: what a mail is filled with, and what of it stays with the contact.
import { beforeAll, describe, expect, test } from "bun:test";
import { contentOf, letter, mailSent, mailsSent } from "../support/mails.ts";
import type { Json, Posthorn } from "../support/posthorn.ts";
import { ask, scenarios } from "../support/scenario.ts";
import { sharedPosthorn } from "../support/shared.ts";
import { workspace } from "../support/workspace.ts";

async function send(posthorn: Posthorn, changes: object): Promise<string> {
  const { status, body } = await ask(posthorn, "POST /v1/send", { body: { ...letter, ...changes } });
  expect(status).toBe(200);
  return body.data.emails[0].contact.id;
}

async function contactAfter(posthorn: Posthorn, changes: object): Promise<Json> {
  return (await ask(posthorn, `GET /contacts/${await send(posthorn, changes)}`)).body;
}

/** The rows of the tables share them, each with a contact of its own; in one, `sendData` is stored. */
const [shared, storing] = [sharedPosthorn(), sharedPosthorn()];
beforeAll(() => ask(storing(), "PATCH /workspace", { body: { sendData: "stored" } }));
let contacts = 0;

/** The data of a new contact that had some before a mail was sent to it. */
async function dataAfter(posthorn: Posthorn, before: object, changes: object): Promise<Json> {
  const email = `r${++contacts}@example.com`;
  await ask(posthorn, "POST /contacts", { body: { email, data: before } });
  return (await contactAfter(posthorn, { to: email, ...changes })).data;
}

describe("what is kept with the contact", () => {
  const cases: readonly [before: object, given: object, after: object][] = [
    [{}, { plan: "pro" }, { plan: "pro" }],
    [{ plan: "free", city: "Bonn" }, { plan: "pro" }, { plan: "pro", city: "Bonn" }],
    [{ plan: "free", city: "Bonn" }, { plan: null }, { city: "Bonn" }],
    [{}, { plan: null }, {}],
    [{ a: { b: 1, c: 2 } }, { a: { b: 3 } }, { a: { b: 3 } }],
    [
      {},
      { list: [1, "two", { three: null }], no: false, zero: 0, empty: "" },
      { list: [1, "two", { three: null }], no: false, zero: 0, empty: "" },
    ],
    [{}, { code: { value: "1234", persistent: false } }, {}],
    [{ code: "old" }, { code: { value: "1234", persistent: false } }, { code: "old" }],
    [{}, { code: { value: "1234", persistent: true } }, { code: "1234" }],
    [{ code: "old" }, { code: { value: null, persistent: true } }, {}],
    [{}, { code: { value: "1234", persistent: "yes" } }, { code: { value: "1234", persistent: "yes" } }],
    [
      {},
      { id: "x", email: "eve@example.com", subscribed: true, unsubscribeUrl: "x", subscribeUrl: "x", manageUrl: "x" },
      {},
    ],
    [
      {},
      { "key with space": 1, ключ: "значение", "a.b": 2, "7": 3, "": 4 },
      { "key with space": 1, ключ: "значение", "a.b": 2, "7": 3, "": 4 },
    ],
  ];

  test.each(cases)("of %j, after a mail with %j that is persistent, is %j", async (before, data, after) => {
    expect(await dataAfter(shared(), before, { data, persistent: true })).toEqual(after);
  });

  test.each(cases)("of %j, after a mail with %j where sendData is stored, is %j", async (before, data, after) => {
    expect(await dataAfter(storing(), before, { data })).toEqual(after);
  });

  const forTheMail: readonly [given: object, after: object][] = [
    [{ code: "1234", plan: "pro", city: null }, {}],
    [{ code: { value: "1234", persistent: false } }, {}],
    [{ code: "1234", plan: { value: "pro", persistent: true } }, { plan: "pro" }],
    [{ city: { value: null, persistent: true } }, { city: undefined }],
  ];

  test.each(forTheMail)("is, of a mail with %j, no more than %j unless somebody asks for it", async (data, after) => {
    const before = { city: "Bonn" };
    expect(await dataAfter(shared(), before, { data })).toEqual(JSON.parse(JSON.stringify({ ...before, ...after })));
  });

  test("is nothing of a mail that is not persistent, whatever the workspace has set", async () => {
    await using posthorn = await workspace();
    await ask(posthorn, "PATCH /workspace", { body: { sendData: "stored" } });
    expect((await contactAfter(posthorn, { data: { code: "1" }, persistent: false })).data).toEqual({});
  });

  test("is nothing that the next mail could print by mistake", async () => {
    await using posthorn = await workspace();
    const template = {
      name: "Reset",
      subject: "Your code",
      body: "[{{ code }}]",
      type: "TRANSACTIONAL",
      from: letter.from,
    };
    const { id } = (await ask(posthorn, "POST /templates", { body: template })).body;
    await send(posthorn, { template: id, subject: undefined, body: undefined, data: { code: "1234" } });
    await posthorn.settle();
    await send(posthorn, { template: id, subject: undefined, body: undefined });
    expect((await mailsSent(posthorn)).map((mail) => contentOf(mail).html)).toEqual(["[1234]", "[]"]);
  });

  test("is the name of a recipient, but not one that is in the data", async () => {
    await using posthorn = await workspace();
    const contact = await contactAfter(posthorn, { to: "Ada <ada@example.com>", data: { name: "Augusta" } });
    expect(contact.data).toEqual({ name: "Ada" });
  });

  test("is what a repetition under an Idempotency-Key stored the first time", async () => {
    await using posthorn = await workspace();
    const body = { ...letter, data: { code: "1", plan: { value: "pro", persistent: true } } };
    const headers = { "idempotency-key": "k" };
    const first = await ask(posthorn, "POST /v1/send", { body, headers });
    await ask(posthorn, "PATCH /workspace", { body: { sendData: "stored" } });
    expect((await ask(posthorn, "POST /v1/send", { body, headers })).body).toEqual(first.body);
    const { id } = first.body.data.emails[0].contact;
    expect((await ask(posthorn, `GET /contacts/${id}`)).body.data).toEqual({ plan: "pro" });
  });

  test("is set for the workspace, and no other word is taken", async () => {
    await using posthorn = await workspace();
    const setting = async () => (await ask(posthorn, "GET /workspace")).body.sendData;
    expect(await setting()).toBe("mail");
    expect((await ask(posthorn, "PATCH /workspace", { body: { sendData: "contact" } })).status).toBe(422);
    await ask(posthorn, "PATCH /workspace", { body: { sendData: "stored" } });
    await ask(posthorn, "PATCH /workspace", { body: { sendData: null, name: "Other" } });
    expect(await setting()).toBe("stored");
  });

  test("never are the keys that reach an object's prototype, at any depth", async () => {
    await using posthorn = await workspace();
    const data =
      '{"__proto__":{"a":1},"constructor":{"b":2},"prototype":3,"plan":{"__proto__":{"c":1},"ok":[{"constructor":1,"x":1}]}}';
    await ask(posthorn, "POST /contacts", { body: `{"email":"ada@example.com","data":${data}}` });
    const contact = await contactAfter(posthorn, { data: JSON.parse(data) });
    expect(contact.data).toEqual({ plan: { ok: [{ x: 1 }] } });
    expect(Object.keys({})).toEqual([]);
    expect(({} as Json).a).toBeUndefined();
  });

  test("is what the last one said if a key is given twice", async () => {
    await using posthorn = await workspace();
    const { body } = await ask(posthorn, "POST /contacts", {
      body: '{"email":"ada@example.com","data":{"a":1,"a":2},"data":{"b":1,"b":2}}',
    });
    expect(body.data).toEqual({ b: 2 });
  });
});

describe("the name of a recipient", () => {
  const cases: readonly [before: object, changes: object, name: unknown][] = [
    [{}, { to: "Ada <ada@example.com>" }, "Ada"],
    [{ name: "" }, { to: "Ada <ada@example.com>" }, "Ada"],
    [{ name: "Augusta" }, { to: "Ada <ada@example.com>" }, "Augusta"],
    [{}, { to: "Ada <ada@example.com>", data: { name: "Augusta" }, persistent: true }, "Augusta"],
    [{}, { to: "ada@example.com" }, undefined],
  ];

  test.each(cases)("of a contact with %j, after %j, is %j", async (data, changes, name) => {
    await using posthorn = await workspace();
    await ask(posthorn, "POST /contacts", { body: { email: "ada@example.com", data } });
    expect((await contactAfter(posthorn, changes)).data.name).toEqual(name);
  });
});

describe("what a mail is filled with", () => {
  const shared = sharedPosthorn();
  const cases: readonly [source: string, data: object, shown: string][] = [
    ["{{ plan }}", { plan: "pro" }, "pro"],
    ["{{plan}} {{ data.plan }}", { plan: "pro" }, "pro pro"],
    ["{{ city }}", {}, "Bonn"],
    ["{{ city }}", { city: "Köln" }, "Köln"],
    ["{{ city }}", { city: { value: "Rom", persistent: false } }, "Rom"],
    ["[{{ city }}]", { city: null }, "[]"],
    ["{{ email }} {{ subscribed }}", { email: "eve@example.com", subscribed: "x" }, "eve@example.com x"],
    ["{{ nobody ?? 'there' }}", {}, "there"],
    ["[{{ nobody }}]", {}, "[]"],
    ["{{ a.b.c }} {{ list[1] }}", { a: { b: { c: 7 } }, list: [1, 2] }, "7 2"],
    ["{% if plan == 'pro' %}yes{% else %}no{% endif %}", { plan: "pro" }, "yes"],
    ["{{ html }}", { html: "<b>&" }, "&lt;b&gt;&amp;"],
    ["{{{ html }}}", { html: "<b>x</b>" }, "<b>x</b>"],
    ["{{ twice }}", { twice: "{{ city }}" }, "{{ city }}"],
    ["[{{ __proto__ }}{{ constructor }}{{ plan.constructor.name }}]", { plan: "pro" }, "[]"],
  ];

  test.each(cases)("%s with %j is %s", async (body, data, shown) => {
    const posthorn = shared();
    await ask(posthorn, "POST /contacts", { body: { email: "ada@example.com", data: { city: "Bonn" } } });
    await send(posthorn, { body, data });
    expect(contentOf(await mailSent(posthorn)).html).toBe(shown);
  });

  test("is each recipient's own, under the request's (slow)", async () => {
    await using posthorn = await workspace();
    await ask(posthorn, "POST /contacts", { body: { email: "ada@example.com", data: { city: "Bonn", plan: "free" } } });
    await ask(posthorn, "POST /contacts", { body: { email: "bob@example.com", data: { city: "Rom" } } });
    const to = ["ada@example.com", "bob@example.com", "cy@example.com"];
    await send(posthorn, {
      to,
      subject: "{{ city ?? nowhere }}",
      body: "{{ plan }} for {{ email }}",
      data: { plan: "pro" },
    });
    expect((await mailsSent(posthorn)).map(contentOf)).toMatchObject([
      { subject: "Bonn", html: "pro for ada@example.com" },
      { subject: "Rom", html: "pro for bob@example.com" },
      { subject: "nowhere", html: "pro for cy@example.com" },
    ]);
  });

  test("is what the contact was when the mail was accepted", async () => {
    await using posthorn = await workspace();
    await send(posthorn, { body: "{{ plan }}", data: { plan: "pro" } });
    await ask(posthorn, "POST /contacts", { body: { email: "ada@example.com", data: { plan: "free" } } });
    expect(contentOf(await mailSent(posthorn)).html).toBe("pro");
  });

  test("never ends the line of a header", async () => {
    await using posthorn = await workspace();
    await send(posthorn, { subject: "For {{ name }}", data: { name: "Ada\r\nBcc: eve@example.com" } });
    const mail = await mailSent(posthorn);
    expect([mail.subject, mail.bcc]).toEqual(["For Ada Bcc: eve@example.com", undefined]);
  });
});

scenarios("the subscription flag", [
  {
    name: "of somebody new is off",
    given: [["POST /v1/send", letter]],
    request: "GET /contacts/$0.data.emails.0.contact.id",
    status: 200,
    answer: { subscribed: false, status: "ACTIVE", expiresAt: null },
  },
  {
    name: "of somebody new is on if the request says so",
    given: [["POST /v1/send", { ...letter, subscribed: true }]],
    request: "GET /contacts/$0.data.emails.0.contact.id",
    status: 200,
    answer: { subscribed: true },
  },
  {
    name: "of somebody known stays as it is",
    given: [
      ["POST /contacts", { email: letter.to }],
      ["POST /v1/send", letter],
    ],
    request: "GET /contacts/$0.id",
    status: 200,
    answer: { subscribed: true },
  },
  {
    name: "is switched on by a mail that says so, and that is an event",
    given: [["POST /contacts", { email: letter.to, subscribed: false }]],
    request: "POST /v1/send",
    body: { ...letter, subscribed: true },
    status: 200,
    events: ["contact.subscribed"],
  },
  {
    name: "is switched off by a mail that says so, and that is an event",
    given: [["POST /contacts", { email: letter.to }]],
    request: "POST /v1/send",
    body: { ...letter, subscribed: false },
    status: 200,
    events: ["contact.unsubscribed"],
  },
  {
    name: "is no event for somebody new",
    request: "POST /v1/send",
    body: { ...letter, to: ["a@example.com", "b@example.com"], subscribed: true },
    status: 200,
  },
]);
