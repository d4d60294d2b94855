// SendGrid's own client for Node, unchanged but for its base address, against this server.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { HOUR_MS } from "../../src/clock.ts";
import { startPosthorn, type Json, type Posthorn } from "../support/posthorn.ts";
import { ask } from "../support/scenario.ts";
import { addKeys } from "../support/workspaces.ts";

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
  ["a substitution that grows without end", { personalizations: [growing()], subject: "aaaaaaaa" }],
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

function growing() {
  const letters = "abcdefghijklmnop".split("");
  return { substitutions: Object.fromEntries(letters.map((one, at) => [one, (letters[at + 1] ?? "z").repeat(16)])) };
}

test("what bounced and what was complained about can be read", async () => {
  for (const name of ["bounced", "complained"]) await sent({ to: `${name}@simulator.test` });
  await posthorn.settle();
  const read = async (url: string) => (await clientWith().request({ url, method: "GET" }))[1] as Json;
  expect(await read("/v3/suppression/bounces")).toMatchObject([{ email: "bounced@simulator.test" }]);
  expect(await read("/v3/suppression/spam_reports")).toMatchObject([{ email: "complained@simulator.test" }]);
});

test("fields that change nothing are named in the answer", async () => {
  const [{ headers }] = await serviceWith().send({ ...letter, asm: { groupId: 1 }, ipPoolName: "pool" });
  expect(headers["x-posthorn-ignored"]).toBe("asm, ip_pool_name");
});
