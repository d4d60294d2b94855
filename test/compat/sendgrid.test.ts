// SendGrid's own client for Node, unchanged but for its base address, against this server.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { HOUR_MS, threadCpuMs } from "../../src/base/clock.ts";
import { mailFrom } from "../../src/programs/compat/sendgrid/fields.ts";
import { startPosthorn, type Json, type Posthorn } from "../support/posthorn.ts";
import { ask } from "../support/scenario.ts";
import { addKeys, addWorkspace } from "../support/workspaces.ts";

// Its types are of another kind of modules.
const [MAIL, CLIENT]: readonly string[] = ["@sendgrid/mail", "@sendgrid/client"];
const { MailService } = (await import(MAIL as string)) as { readonly MailService: new () => Json };
const { Client } = (await import(CLIENT as string)) as { readonly Client: new () => Json };

let posthorn: Posthorn;
beforeAll(async () => {
  posthorn = await startPosthorn();
  const template = { name: "Bill", alias: "d-bill", subject: "Bill {{ number }}", body: "<p>{{ number }}</p>" };
  await ask(posthorn, "POST /templates", { body: { ...template, type: "TRANSACTIONAL" } });
});
afterAll(() => posthorn[Symbol.asyncDispose]());

function clientWith(key = posthorn.keys.secret): Json {
  const client = new Client();
  client.setApiKey(key);
  client.setDefaultRequest("baseUrl", `${posthorn.server.url}/compat/sendgrid`);
  return client;
}

function serviceWith(key?: string): Json {
  const service = new MailService();
  service.setClient(clientWith(key));
  return service;
}

const letter = {
  from: { email: "shop@example.test", name: "Shop" },
  to: "ada@example.com",
  subject: "Hi",
  html: "<p>Hello</p>",
};
const mailOf = async (id: string) => (await ask(posthorn, `GET /emails/${id}`)).body;

async function sent(changes: object): Promise<Json> {
  const [{ statusCode, headers, body }] = await serviceWith().send({ ...letter, ...changes });
  expect([statusCode, body]).toEqual([202, ""]);
  return mailOf(headers["x-message-id"]);
}

async function refusal(changes: object, key?: string): Promise<Json> {
  return serviceWith(key)
    .send({ ...letter, ...changes })
    .then(
      () => null,
      ({ code, response }: Json) => ({ code, errors: response.body.errors }),
    );
}

describe("a mail", () => {
  test("is sent, and answered with 202 and its id in a header", async () => {
    expect(await sent({})).toMatchObject({ to: "ada@example.com", fromName: "Shop", subject: "Hi", status: "QUEUED" });
  });

  test("to several, with cc and bcc, is one message", async () => {
    const { recipients } = await sent({
      to: ["ada@example.com", "bob@example.com"],
      cc: "cyd@example.com",
      bcc: "dan@example.com",
    });
    expect(recipients.map(({ role, to }: Json) => `${role} ${to}`)).toEqual([
      "TO ada@example.com",
      "TO bob@example.com",
      "CC cyd@example.com",
      "BCC dan@example.com",
    ]);
  });

  test("has the names that a client has put into quotes, without them", async () => {
    const { recipients } = await sent({
      to: [{ email: "ada@example.com", name: '"Ada, \\"Countess\\""' }, "bob@example.com"],
    });
    expect(recipients.map(({ toName }: Json) => toName)).toEqual(['Ada, "Countess"', null]);
  });

  test("to each of several goes alone", async () => {
    const before = (await ask(posthorn, "GET /emails")).body.total;
    await serviceWith().sendMultiple({ ...letter, to: ["eve@example.com", "fay@example.com"] });
    const { data, total } = (await ask(posthorn, "GET /emails")).body;
    expect([total - before, data.slice(0, 2).map(({ group }: Json) => group)]).toEqual([2, [null, null]]);
  });

  test("has its reply address, headers, files, categories and arguments", async () => {
    const mail = await sent({
      replyTo: { email: "help@example.test", name: "Help" },
      headers: { "X-Order": "7" },
      attachments: [{ content: btoa("text"), filename: "a.txt", type: "text/plain", disposition: "attachment" }],
      categories: ["order mail"],
      customArgs: { order: "7" },
    });
    expect(mail).toMatchObject({ tags: ["order-mail"], metadata: { order: "7" } });
    expect(mail.replyTo).toContain("help@example.test");
    await posthorn.settle();
    const raw = posthorn.transport.sent.find(({ id }) => id === mail.id)?.raw.toString() ?? "";
    expect(raw).toContain("X-Order: 7");
    expect(raw).toContain(btoa("text"));
  });

  test("is made from a template and its data", async () => {
    const { id } = await sent({
      templateId: "d-bill",
      dynamicTemplateData: { number: 7 },
      subject: undefined,
      html: undefined,
    });
    await posthorn.settle();
    expect((await mailOf(id)).subject).toBe("Bill 7");
  });

  test("has its substitutions in each personalization", async () => {
    const { subject } = await sent({
      subject: "Hello -name-",
      to: undefined,
      personalizations: [{ to: "ada@example.com", substitutions: { "-name-": "Ada" } }],
      substitutionWrappers: ["", ""],
    });
    expect(subject).toBe("Hello Ada");
  });

  test("has a dollar sign in a substitution as it is", async () => {
    const personalizations = [{ to: [{ email: "ada@example.com" }], substitutions: { "-price-": "$$5 or $&" } }];
    const content = [{ type: "text/plain", value: "Pay" }];
    const { headers } = await posted({ from: letter.from, subject: "Pay -price-", content, personalizations });
    expect((await mailOf(headers.get("x-message-id") as string)).subject).toBe("Pay $$5 or $&");
  });

  test("has the longest of several keys that begin alike, and no key within a value", async () => {
    const substitutions = { "-a-": "-b-", "-b-": "B", "-a-b": "AB", "": "nothing" };
    const personalizations = [{ to: [{ email: "ada@example.com" }], substitutions }];
    const content = [{ type: "text/plain", value: "-a-, -b-, -a-b, -a" }];
    const { headers } = await posted({ from: letter.from, subject: "Hi", content, personalizations });
    const id = headers.get("x-message-id") as string;
    await posthorn.settle();
    const raw = posthorn.transport.sent.find((one) => one.id === id)?.raw.toString() ?? "";
    expect(raw).toContain("-b-, B, AB, -a");
  });

  test("to a hundred people with thousands of substitutions each takes one look at its text (slow)", () => {
    const keys = Array.from({ length: 2_000 }, (_, at) => `-k${at}-`);
    const value = keys.map((key) => `<p style="margin-top:3px">A line - with a place ${key}</p>`).join("");
    const substitutions = Object.fromEntries(keys.map((key, at) => [key, `v${at}`]));
    const personalizations = Array.from({ length: 100 }, (_, at) => ({
      to: [{ email: `reader${at}@example.com` }],
      substitutions,
    }));
    const startMs = threadCpuMs();
    const { emails } = mailFrom({ personalizations, subject: "-k1-", content: [{ type: "text/html", value }] });
    expect(threadCpuMs() - startMs).toBeLessThan(5_000);
    expect([emails.length, emails[99]?.["subject"]]).toEqual([100, "v1"]);
    expect(emails[99]?.["body"]).toEndWith("place v1999</p>");
  });

  test("to many has its file once", async () => {
    const to = Array.from({ length: 60 }, (_, at) => `reader${at}@example.com`);
    const attachments = [{ filename: "terms.txt", content: Buffer.alloc(300_000, "terms ").toString("base64") }];
    const [{ statusCode }] = await serviceWith().sendMultiple({ ...letter, to, attachments });
    expect(statusCode).toBe(202);
  });

  test("for later waits", async () => {
    const at = Math.floor((posthorn.clock.nowMs() + HOUR_MS) / 1_000);
    expect((await sent({ sendAt: at })).scheduledFor).toBe(new Date(at * 1_000).toISOString());
  });

  test("in the sandbox is checked and goes nowhere", async () => {
    const before = (await ask(posthorn, "GET /emails")).body.total;
    const [{ statusCode }] = await serviceWith().send({ ...letter, mailSettings: { sandboxMode: { enable: true } } });
    expect([statusCode, (await ask(posthorn, "GET /emails")).body.total]).toEqual([200, before]);
  });
});

describe("what is refused looks as SendGrid's own refusals", () => {
  test.each([
    ["an address that is none", { to: "nobody" }, 400],
    ["a sender that is not verified", { from: "me@elsewhere.example" }, 403],
    [
      "another kind of content",
      { content: [{ type: "text/calendar", value: "BEGIN:VCALENDAR" }], html: undefined },
      400,
    ],
    ["a batch, which nobody could take back", { batchId: "b1" }, 400],
    ["a template that is not there", { templateId: "nothing", html: undefined }, 404],
  ])("%s", async (_, changes, code) => {
    expect(await refusal(changes)).toMatchObject({
      code,
      errors: [{ message: expect.not.stringContaining("emails."), help: null }],
    });
  });

  test("each field that is wrong, under SendGrid's name", async () => {
    const { errors } = await refusal({ html: "", text: "", replyTo: "nobody" });
    expect(errors.map(({ field }: Json) => field).toSorted()).toEqual(["content", "reply_to"]);
  });

  test("an unknown key, and one that may only read", async () => {
    expect(await refusal({}, "SG.unknown")).toMatchObject({ code: 401 });
    const { secret } = await addKeys(posthorn, { permissions: "read" });
    expect(await refusal({}, secret)).toMatchObject({ code: 403 });
  });
});

test.each([
  ["null", null],
  ["a list", []],
  ["no personalization", { ...letter }],
  ["a personalization that is none", { personalizations: [null] }],
  ["a time without end", { personalizations: [{ to: [{ email: "ada@example.com" }], send_at: 1e300 }] }],
  ["a substitution that is no text", { personalizations: [{ substitutions: { a: {} } }], subject: "a" }],
  ["an argument that is no text", { personalizations: [{}], custom_args: { a: { toString: 1 } } }],
  ["a footer that would be missed", { ...plain(), mail_settings: { footer: { enable: true, text: "Shop Ltd" } } }],
  [
    "a link to unsubscribe that would be missed",
    { ...plain(), tracking_settings: { subscription_tracking: { enable: true } } },
  ],
  ["a category that is no text", { personalizations: [{}], categories: [{ toString: 1 }] }],
])("a body with %s is refused", async (_, body) => {
  expect((await posted(body)).status).toBe(400);
});

test.each([
  [
    "a substitution that grows without end",
    { ...plain(), ...written("a".repeat(1_000), { a: "b".repeat(2_000) }) },
    "larger than 1 MB",
  ],
  ["a key that is very long", { ...plain(), ...written("a", { ["a".repeat(201)]: "b" }) }, "200 characters"],
  ["substitutions that are very long", { ...plain(), ...written("a", { a: "b".repeat(50_001) }) }, "50000 characters"],
  ["texts that are very long together", { ...plain(), ...written("b".repeat(600_000), { a: "b" }, 40) }, "15 MB"],
  [
    "keys that are looked for everywhere",
    { ...plain(), ...written("a".repeat(100_000), keysOf(100)) },
    "fewer personalizations",
  ],
])("%s is refused, and why is said", async (_, body, why) => {
  const reply = await posted(body);
  const { errors } = (await reply.json()) as Json;
  expect([reply.status, errors]).toMatchObject([
    400,
    [{ field: "substitutions", message: expect.stringContaining(why) }],
  ]);
});

function posted(body: unknown): Promise<Response> {
  return fetch(`${posthorn.server.url}/compat/sendgrid/v3/mail/send`, {
    method: "POST",
    headers: { authorization: `Bearer ${posthorn.keys.secret}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
}

function plain() {
  const content = [{ type: "text/plain", value: "Hello" }];
  return { personalizations: [{ to: [{ email: "ada@example.com" }] }], from: letter.from, subject: "Hi", content };
}

/** The same text for so many people. */
function written(value: string, substitutions: object, people = 1) {
  const personalizations = Array.from({ length: people }, (_, at) => ({
    to: [{ email: `reader${at}@example.com` }],
    substitutions,
  }));
  return { personalizations, content: [{ type: "text/plain", value }] };
}

/** Each of another length, and none of them in a text of a's. */
function keysOf(number: number) {
  return Object.fromEntries(Array.from({ length: number }, (_, at) => [`${"a".repeat(at + 1)}b`, ""]));
}

test("what bounced and what was complained about can be read (slow)", async () => {
  for (const name of ["bounced", "soft-bounced", "complained"]) await sent({ to: `${name}@simulator.test` });
  await posthorn.settle();
  const read = async (url: string) => (await clientWith().request({ url, method: "GET" }))[1] as Json;
  const bounced = { created: Date.parse("2026-03-01T09:00:00Z") / 1_000, email: "bounced@simulator.test" };
  expect(await read("/v3/suppression/bounces")).toMatchObject([{ ...bounced, status: expect.stringMatching(/^5\./) }]);
  expect(await read("/v3/suppression/bounces/bounced@simulator.test")).toMatchObject([bounced]);
  expect(await read(`/v3/suppression/bounces?end_time=${bounced.created}`)).toHaveLength(1);
  expect(await read(`/v3/suppression/bounces?start_time=${bounced.created + 1}`)).toEqual([]);
  expect(await read("/v3/suppression/bounces?limit=1&offset=1")).toEqual([]);
  expect(await read("/v3/suppression/blocks")).toMatchObject([{ email: "soft-bounced@simulator.test" }]);
  expect(await read("/v3/suppression/blocks/soft-bounced@simulator.test")).toHaveLength(1);
  expect(await read("/v3/suppression/blocks/bounced@simulator.test")).toEqual([]);
  expect(await read("/v3/suppression/spam_reports")).toMatchObject([{ email: "complained@simulator.test" }]);
  expect(await read("/v3/suppression/spam_reports/complained@simulator.test")).toHaveLength(1);
  expect(await read("/v3/suppression/spam_reports/nobody@example.com")).toEqual([]);
  expect(await read("/v3/suppression/invalid_emails")).toEqual([]);
  expect(await read("/v3/suppression/invalid_emails/nobody@example.com")).toEqual([]);
  const leaver = { email: "left@example.com", subscribed: false };
  await ask(posthorn, "POST /contacts", { body: leaver });
  expect(await read("/v3/suppression/unsubscribes?limit=1")).toMatchObject([{ email: leaver.email }]);
  expect(await read("/v3/asm/suppressions/global/left@example.com")).toEqual({ recipient_email: leaver.email });
  expect(await read("/v3/asm/suppressions/global/nobody@example.com")).toEqual({});
  // Half a character.
  await expect(read("/v3/suppression/bounces/%C3")).rejects.toMatchObject({ code: 400 });
  const other = clientWith((await addWorkspace(posthorn, { name: "other", domain: "other.example" })).secret);
  const theirs = async (url: string) => (await other.request({ url, method: "GET" }))[1] as Json;
  for (const path of ["bounces", "blocks", "spam_reports", "unsubscribes", "bounces/bounced@simulator.test"])
    expect([path, await theirs(`/v3/suppression/${path}`)]).toEqual([path, []]);
  expect(await theirs("/v3/asm/suppressions/global/left@example.com")).toEqual({});
  for (const query of ["limit=501", "offset=-1", "start_time=soon"])
    await expect(read(`/v3/suppression/bounces?${query}`)).rejects.toMatchObject({ code: 400 });
});

describe("a suppressed address", () => {
  const request = async (method: string, url: string, body?: object) => {
    const [{ statusCode }, answer] = await clientWith().request({ url, method, ...(body ? { body } : {}) });
    return [statusCode, answer] as const;
  };
  const emailsOn = async (list: string) => (await request("GET", list))[1].map(({ email }: Json) => email);
  const failed = (call: Promise<unknown>) => call.catch(({ code }: Json) => code);
  const suppress = (body: object) => ask(posthorn, "POST /suppressions", { body });

  test("is on the list of its reason, with what is known of it, and lifted there", async () => {
    await suppress({ address: "gone@example.com", reason: "bounce", note: "550 5.1.1 No such user" });
    await suppress({ address: "full@example.com", reason: "soft-bounces" });
    await suppress({ address: "angry@example.com", reason: "complaint" });
    await suppress({ domain: "whole.example", reason: "bounce" });
    expect((await emailsOn("/v3/suppression/bounces")).slice(0, 2)).toEqual(["full@example.com", "gone@example.com"]);
    expect((await request("GET", "/v3/suppression/bounces/gone@example.com"))[1]).toEqual([
      { created: expect.any(Number), email: "gone@example.com", reason: "550 5.1.1 No such user", status: "5.1.1" },
    ]);
    expect(await emailsOn("/v3/suppression/bounces/angry@example.com")).toEqual([]);
    expect(await emailsOn("/v3/suppression/spam_reports/Angry@example.com")).toEqual(["angry@example.com"]);
    expect(await request("DELETE", "/v3/suppression/bounces/Gone@example.com")).toEqual([204, ""]);
    expect(await failed(request("DELETE", "/v3/suppression/bounces/gone@example.com"))).toBe(404);
    expect(await failed(request("DELETE", "/v3/suppression/bounces/angry@example.com"))).toBe(404);
    const emails = ["full@example.com", "nobody@example.com", "angry@example.com"];
    expect(await request("DELETE", "/v3/suppression/bounces", { emails })).toEqual([204, ""]);
    expect(await emailsOn("/v3/suppression/bounces/full@example.com")).toEqual([]);
    expect(await emailsOn("/v3/suppression/spam_reports/angry@example.com")).toEqual(["angry@example.com"]);
    expect(await failed(request("DELETE", "/v3/suppression/spam_reports", { delete_all: true }))).toBe(400);
    expect(await failed(request("DELETE", "/v3/suppression/spam_reports", { emails: [] }))).toBe(400);
  });

  test("is put on the list of global unsubscribes, gets no email, and is taken off it", async () => {
    const global = "/v3/asm/suppressions/global";
    const recipient_emails = ["Off@example.com", "too@example.com"];
    expect(await request("POST", global, { recipient_emails })).toEqual([
      201,
      { recipient_emails: ["off@example.com", "too@example.com"] },
    ]);
    expect((await request("GET", `${global}/off@example.com`))[1]).toEqual({ recipient_email: "off@example.com" });
    expect(await emailsOn("/v3/suppression/unsubscribes")).toContain("off@example.com");
    const [dropped] = await serviceWith().send({ ...letter, to: "off@example.com" });
    expect((await posthorn.call(`GET /emails/${dropped.headers["x-message-id"]}`)).status).toBe(404);
    expect(await request("DELETE", `${global}/off@example.com`)).toEqual([204, ""]);
    expect((await request("GET", `${global}/off@example.com`))[1]).toEqual({});
    expect((await sent({ to: "off@example.com" })).to).toBe("off@example.com");
    await ask(posthorn, "POST /contacts", { body: { email: "back@example.com", subscribed: false } });
    expect(await request("DELETE", `${global}/back@example.com`)).toEqual([204, ""]);
    expect((await request("GET", `${global}/back@example.com`))[1]).toEqual({});
    for (const body of [{ recipient_emails: ["nobody"] }, { recipient_emails: [] }, {}])
      expect(await failed(request("POST", global, body))).toBe(400);
  });

  test("stays where it is for a key that may only read, and for another workspace", async () => {
    await suppress({ address: "stays@example.com", reason: "bounce" });
    const url = "/v3/suppression/bounces/stays@example.com";
    const reader = clientWith((await addKeys(posthorn, { permissions: "read" })).secret);
    expect((await reader.request({ url, method: "GET" }))[1]).toHaveLength(1);
    expect(await failed(reader.request({ url, method: "DELETE" }))).toBe(403);
    const stranger = clientWith((await addWorkspace(posthorn, { name: "third", domain: "third.example" })).secret);
    expect((await stranger.request({ url, method: "GET" }))[1]).toEqual([]);
    expect(await failed(stranger.request({ url, method: "DELETE" }))).toBe(404);
  });
});

test("fields that change nothing are named in the answer", async () => {
  const [{ headers }] = await serviceWith().send({ ...letter, asm: { groupId: 1 }, ipPoolName: "pool" });
  expect(headers["x-posthorn-ignored"]).toBe("asm, ip_pool_name");
});

test.each([
  ["GET", "/v3/marketing/contacts", "/contacts"],
  ["GET", "/v3/templates", "/templates"],
  ["DELETE", "/v3/suppression/blocks", "/suppressions"],
  ["DELETE", "/v3/suppression/invalid_emails/ada@example.com", "/suppressions"],
  ["GET", "/v3/asm/groups", "/topics"],
  ["POST", "/v3/mail/batch", "DELETE /emails/{id}"],
  ["GET", "/v3/nothing", "/docs"],
])("%s %s, which is not there, is refused with what to use instead", async (method, url, use) => {
  const refused = await clientWith()
    .request({ url, method })
    .catch(({ code, response }: Json) => [code, response.body.errors[0].message]);
  expect(refused).toEqual([404, expect.stringContaining(use)]);
});

test("braces in an email, and in what is substituted, are braces (slow)", async () => {
  const personalizations = [{ to: "ada@example.com", substitutions: { "-name-": "{{ email }}" } }];
  const mail = { personalizations, to: undefined, subject: "{{ email }}", html: "<p>-name- {{ email }}</p>" };
  const { id } = await sent({ ...mail, substitutionWrappers: ["", ""] });
  await posthorn.settle();
  expect((await ask(posthorn, `GET /emails/${id}/content`)).body).toMatchObject({
    subject: "{{ email }}",
    html: "<p>{{ email }} {{ email }}</p>",
  });
});

test.each([
  ["arguments that are a text", { custom_args: "abc" }, "custom_args"],
  ["headers that are a list", { headers: ["abc"] }, "headers"],
  [
    "a blind copy by a setting",
    { mail_settings: { bcc: { enable: true, email: "q@example.com" } } },
    "mail_settings.bcc",
  ],
  ["a sandbox in words", { mail_settings: { sandbox_mode: { enable: "true" } } }, "mail_settings.sandbox_mode.enable"],
])("%s is refused", async (_, changes, field) => {
  expect(await refusedBody(changes)).toMatchObject([400, [{ field }]]);
});

test("a field of a file is left out", async () => {
  const files = [{ content: "YQ==", filename: "a.txt", colour: "red" }];
  const request = { ...PLAIN, attachments: files };
  const [{ statusCode, headers }] = await clientWith().request({ url: "/v3/mail/send", method: "POST", body: request });
  expect([statusCode, headers["x-posthorn-ignored"]]).toEqual([202, "attachments.colour"]);
});

test("a filter that is not there is refused", async () => {
  expect(
    await clientWith()
      .request({ url: "/v3/suppression/unsubscribes?email=a", method: "GET" })
      .catch(({ code }: Json) => code),
  ).toBe(400);
});

const PLAIN = {
  personalizations: [{ to: [{ email: "ada@example.com" }] }],
  from: { email: "shop@example.test" },
  subject: "Hi",
  content: [{ type: "text/plain", value: "Hello" }],
};

function refusedBody(changes: object): Promise<unknown> {
  return clientWith()
    .request({ url: "/v3/mail/send", method: "POST", body: { ...PLAIN, ...changes } })
    .catch(({ code, response }: Json) => [code, response.body.errors]);
}

describe("a suppressed recipient", () => {
  beforeAll(async () => {
    await ask(posthorn, "POST /suppressions", { body: { address: "gone@ext.test", reason: "bounce" } });
  });

  test("is dropped, and the others get the email", async () => {
    const [answer] = await serviceWith().send({ ...letter, to: ["gone@ext.test", "ada@ext.test"] });
    expect([answer.statusCode, answer.headers["x-posthorn-warning"]]).toEqual([
      202,
      "Suppressed, and so not sent to: gone@ext.test.",
    ]);
    expect((await ask(posthorn, `GET /emails/${answer.headers["x-message-id"]}`)).body.to).toBe("ada@ext.test");
  });

  test("is dropped alone as well, and among personalizations", async () => {
    const [alone] = await serviceWith().send({ ...letter, to: "gone@ext.test" });
    expect([alone.statusCode, alone.headers["x-message-id"]]).toEqual([202, expect.stringMatching(/^[0-9a-f-]{36}$/)]);
    const personalizations = [{ to: "gone@ext.test" }, { to: "bob@ext.test" }];
    const [answer] = await serviceWith().send({ ...letter, to: undefined, personalizations });
    expect((await ask(posthorn, `GET /emails/${answer.headers["x-message-id"]}`)).body.to).toBe("bob@ext.test");
  });
});
