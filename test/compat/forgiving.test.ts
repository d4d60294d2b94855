// What programs send to Resend, Postmark and SendGrid that is not as their documents have it, and that those take.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Json, Posthorn } from "../support/posthorn.ts";
import { ask } from "../support/scenario.ts";
import { workspace } from "../support/workspace.ts";

let posthorn: Posthorn;
beforeAll(async () => {
  posthorn = await workspace();
  const template = { name: "Bill", alias: "d-bill", subject: "Bill", body: "<p>{{ nr }}</p>", tags: ["a", "b", "c"] };
  await ask(posthorn, "POST /templates", { body: { ...template, type: "TRANSACTIONAL", metadata: { shop: "1" } } });
});
afterAll(() => posthorn[Symbol.asyncDispose]());

type Asked = { readonly path: string; readonly headers?: Record<string, string> };

async function posted({ path, headers = {} }: Asked, body: unknown) {
  const key = posthorn.keys.secret;
  const reply = await fetch(`${posthorn.server.url}/compat/${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "x-postmark-server-token": key, ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  const text = await reply.text();
  const answer = (text === "" ? {} : JSON.parse(text)) as Json;
  return {
    status: reply.status,
    answer,
    id: answer.id ?? answer.MessageID ?? reply.headers.get("x-message-id"),
    warning: reply.headers.get("x-posthorn-warning"),
  };
}

const from = "Shop <shop@example.test>";
const resend = { from, to: ["ada@example.com"], subject: "s", html: "<p>x</p>" };
const postmark = { From: from, To: "ada@example.com", Subject: "s", HtmlBody: "<p>x</p>" };
const sendgrid = {
  personalizations: [{ to: [{ email: "ada@example.com" }] }],
  from: { email: "shop@example.test" },
  subject: "s",
  content: [{ type: "text/html", value: "<p>x</p>" }],
};
const RESEND: Asked = { path: "resend/emails" };
const POSTMARK: Asked = { path: "postmark/email" };
const SENDGRID: Asked = { path: "sendgrid/v3/mail/send" };
const mailOf = async (id: string) => (await ask(posthorn, `GET /emails/${id}`)).body;

test.each([RESEND, POSTMARK, SENDGRID])("a body that cannot be read is in no field of it: $path", async (asked) => {
  const { status, answer } = await posted(asked, '{"a":\n }');
  const said: string = answer.message ?? answer.Message ?? answer.errors[0].message;
  expect(status).toBeGreaterThanOrEqual(400);
  expect(said).toStartWith("The body is not JSON: in line 2, column 2, ");
  expect(answer.errors?.[0].field ?? null).toBeNull();
});

describe("empty texts are absent", () => {
  const person = (changes: object) => ({
    ...sendgrid,
    personalizations: [{ ...sendgrid.personalizations[0], ...changes }],
  });
  test.each<[string, Asked, object]>([
    // As Payload's adapter writes an email.
    [
      "Resend's",
      RESEND,
      { ...resend, to: "ada@example.com", bcc: "", cc: "", reply_to: "", attachments: [], text: "" },
    ],
    ["Resend's in lists", RESEND, { ...resend, cc: [""], bcc: ["", ""], reply_to: [""], tags: "", headers: "" }],
    ["Resend's other fields", RESEND, { ...resend, scheduled_at: "", topic_id: "", template: "" }],
    [
      "those of Resend's files",
      RESEND,
      { ...resend, attachments: [{ filename: "a.txt", content: "YQ==", content_id: "", content_type: "", path: "" }] },
    ],
    ["Postmark's", POSTMARK, { ...postmark, Cc: "", Bcc: "", ReplyTo: "", Tag: "", Metadata: "", Headers: "" }],
    ["SendGrid's", SENDGRID, { ...sendgrid, template_id: "", reply_to: "", categories: "", custom_args: [] }],
    [
      "SendGrid's addresses",
      SENDGRID,
      { ...person({ cc: [{ email: "" }], bcc: [""], subject: "" }), reply_to: { email: "" } },
    ],
  ])("%s", async (_, asked, body) => {
    const { status, id } = await posted(asked, body);
    expect(status).toBeLessThan(300);
    expect(await mailOf(id)).toMatchObject({ to: "ada@example.com", subject: "s", replyTo: null });
  });

  test("but nobody to send to is nobody", async () => {
    expect((await posted(RESEND, { ...resend, to: "" })).status).toBe(422);
    expect((await posted(POSTMARK, { ...postmark, To: "" })).status).toBe(422);
    expect((await posted(SENDGRID, person({ to: [{ email: "" }] }))).status).toBe(400);
  });
});

const raw = async (id: string) => {
  await posthorn.settle();
  return posthorn.transport.sent.find((one) => one.id === id)?.raw.toString() ?? "";
};

describe("a file of Resend's", () => {
  const PDF = Buffer.from("%PDF-1.4 test");
  const withFile = (file: object) => ({ ...resend, attachments: [{ filename: "a.pdf", ...file }] });

  test.each<[string, unknown]>([
    ["a list of numbers", withFile({ content: [...PDF] })],
    ["a Buffer as JSON", withFile({ content: PDF })],
    ["a list over several lines", JSON.stringify(withFile({ content: [...PDF] }), null, 2)],
    [
      "a Buffer over several lines, its numbers first",
      `${JSON.stringify(withFile({ content: { data: [...PDF], type: "Buffer" } }), null, 1)}\n`,
    ],
  ])("may be %s", async (_, body) => {
    const { status, id } = await posted(RESEND, body);
    expect(status).toBe(200);
    expect(await raw(id)).toContain(PDF.toString("base64"));
    const batch = typeof body === "string" ? `[${body}, ${body}]` : [body, body];
    const { answer } = await posted({ path: "resend/emails/batch" }, batch);
    expect(await raw(answer.data[1].id)).toContain(PDF.toString("base64"));
  });

  test.each([[[1, 256]], [[-1]], [[1.5]], [["a"]], [[null]]])("is no list of %p", async (content) => {
    const { status, answer } = await posted(RESEND, withFile({ content }));
    expect([status, answer.message]).toEqual([
      422,
      "attachments.0.content: A list of bytes has whole numbers from 0 to 255.",
    ]);
  });

  test("leaves the lists of a template's values as they are", async () => {
    const list = {
      name: "List",
      alias: "list",
      subject: "s",
      body: "<p>{{ content | join: '+' }}</p>",
      type: "TRANSACTIONAL",
    };
    await ask(posthorn, "POST /templates", { body: list });
    const variables = { content: [1, 2, 3], attachments: [{ content: [1] }] };
    const { id } = await posted(RESEND, { from, to: "ada@example.com", template: { id: "list", variables } });
    expect(await raw(id)).toContain("<p>1+2+3</p>");
  });

  test.each(["content_id", "inline_content_id"])("stands inside with a %s", async (field) => {
    const { id } = await posted(RESEND, withFile({ content: [1], [field]: "logo" }));
    expect(await raw(id)).toContain("<logo>");
  });
});

describe("faults of a file name the field", () => {
  test.each<[string, Asked, object, string]>([
    ["Resend's", RESEND, { ...resend, attachments: [{ filename: "a" }] }, "attachments.0.content"],
    ["Resend's name", RESEND, { ...resend, attachments: [{ content: "YQ==" }] }, "attachments.0.filename"],
    ["Resend's, of nothing", RESEND, { ...resend, attachments: [{}] }, "attachments.0.filename"],
    [
      "Resend's type",
      RESEND,
      { ...resend, attachments: [{ filename: "a", content: "YQ==", content_type: 7 }] },
      "attachments.0.content_type",
    ],
    ["Postmark's", POSTMARK, { ...postmark, Attachments: [{ Name: "a" }] }, "Attachments.0.Content"],
    [
      "Postmark's type",
      POSTMARK,
      { ...postmark, Attachments: [{ Name: "a", Content: "YQ==", ContentType: 7 }] },
      "Attachments.0.ContentType",
    ],
    ["SendGrid's", SENDGRID, { ...sendgrid, attachments: [{ filename: "a" }] }, "attachments.0.content"],
    [
      "SendGrid's type",
      SENDGRID,
      { ...sendgrid, attachments: [{ filename: "a", content: "YQ==", type: 7 }] },
      "attachments.0.type",
    ],
  ])("%s", async (_, asked, body, field) => {
    const { answer } = await posted(asked, body);
    const said = JSON.stringify(answer);
    expect(said).toContain(field);
    expect(said).not.toContain("sameAs");
  });
});

test("a key of Resend's has up to 256 characters, one of ours 255", async () => {
  const keyed = (length: number) => ({ ...RESEND, headers: { "idempotency-key": "x".repeat(length) } });
  const first = await posted(keyed(256), resend);
  expect([first.status, (await posted(keyed(256), resend)).id]).toEqual([200, first.id]);
  expect((await posted({ ...keyed(256), path: "resend/emails/batch" }, [resend])).status).toBe(200);
  expect((await posted(keyed(257), resend)).answer).toMatchObject({ statusCode: 400, name: "invalid_idempotency_key" });
  const own = { to: "ada@example.com", from, subject: "s", text: "t" };
  const reply = await ask(posthorn, "POST /v1/send", { body: own, headers: { "idempotency-key": "x".repeat(256) } });
  expect(reply.status).toBe(400);
});

describe("labels that do not fit", () => {
  test.each<[string, Asked, object, object, string]>([
    [
      "Resend's",
      RESEND,
      { ...resend, tags: [{ name: "Größe", value: "très grand" }] },
      { tags: ["Grosse:tres-grand"] },
      "Grosse:tres-grand",
    ],
    [
      "Postmark's tag",
      POSTMARK,
      { ...postmark, Tag: "Order: shipped!" },
      { tags: ["Order:shipped-"] },
      "Order:shipped-",
    ],
    [
      "SendGrid's categories",
      SENDGRID,
      { ...sendgrid, categories: ["a:b:c", "заказ"] },
      { tags: ["a:b-c"] },
      "left out",
    ],
    [
      "Postmark's metadata",
      POSTMARK,
      { ...postmark, Metadata: { "order no": "7", n: 7, none: null } },
      { metadata: { "order-no": "7", n: "7" } },
      "order-no",
    ],
    [
      "SendGrid's arguments",
      SENDGRID,
      { ...sendgrid, custom_args: { long: "x".repeat(600) } },
      { metadata: { long: "x".repeat(500) } },
      "first 500",
    ],
  ])("%s are changed, and said", async (_, asked, body, shown, said) => {
    const { status, id, warning } = await posted(asked, body);
    expect(status).toBeLessThan(300);
    expect(await mailOf(id)).toMatchObject(shown);
    expect(warning).toContain(said);
  });

  test("by their number are left out", async () => {
    const categories = Array.from({ length: 12 }, (_, at) => `c${at}`);
    const custom_args = Object.fromEntries(Array.from({ length: 25 }, (_, at) => [`k${at}`, "x".repeat(300)]));
    const { id, warning } = await posted(SENDGRID, { ...sendgrid, categories, custom_args });
    const { tags, metadata } = await mailOf(id);
    expect([tags, Object.keys(metadata).length]).toEqual([categories.slice(0, 10), 13]);
    expect(warning).toContain("c10");
    const { content: _, ...templated } = sendgrid;
    const second = await posted(SENDGRID, {
      ...templated,
      categories: categories.slice(0, 9),
      custom_args,
      template_id: "d-bill",
    });
    const mail = await mailOf(second.id);
    expect([mail.tags, Object.keys(mail.metadata).length]).toEqual([["c", ...categories.slice(0, 9)], 14]);
    expect(second.warning).toContain("Labels of the template were left out");
  });

  test("refuse nothing in a batch either", async () => {
    const { status, answer } = await posted({ path: "postmark/email/batch" }, [
      { ...postmark, Tag: "x".repeat(1_500) },
    ]);
    expect([status, answer[0].ErrorCode]).toEqual([200, 0]);
    expect((await mailOf(answer[0].MessageID)).tags).toEqual(["x".repeat(64)]);
  });
});

test("substitutions beside a template are refused, as they would go nowhere", async () => {
  const { content: _, ...templated } = { ...sendgrid, template_id: "d-bill" };
  const [to] = sendgrid.personalizations;
  const { status, answer } = await posted(SENDGRID, {
    ...templated,
    personalizations: [{ ...to, substitutions: { "-nr-": "7" } }],
  });
  expect([status, answer.errors[0].field]).toEqual([400, "substitutions"]);
  expect((await posted(SENDGRID, { ...templated, personalizations: [{ ...to, substitutions: {} }] })).status).toBe(202);
});

test("an address of SendGrid's may have its name before it", async () => {
  // As the provider of Auth.js writes it.
  const body = {
    ...sendgrid,
    from: { email: "Auth.js <no-reply@example.test>" },
    reply_to: { email: "Help <help@example.test>" },
  };
  const { status, id } = await posted(SENDGRID, {
    ...body,
    personalizations: [{ to: [{ email: "Ada L <ada@example.com>" }] }],
  });
  expect(status).toBe(202);
  expect(await mailOf(id)).toMatchObject({ from: "no-reply@example.test", fromName: "Auth.js", to: "ada@example.com" });
});

test.each([
  "resend//emails",
  "/resend/emails",
  "postmark///email",
  "sendgrid//v3//mail/send?x=//",
  "//sendgrid/v3/mail/send",
])("doubled slashes are one: %s", async (path) => {
  const body = path.includes("resend") ? resend : path.includes("postmark") ? postmark : sendgrid;
  expect((await posted({ path }, body)).status).toBeLessThan(300);
});

test("doubled slashes lead nowhere else", async () => {
  const reply = await fetch(`${posthorn.server.url}/v1//send`, { method: "POST", body: "{}" });
  expect(reply.status).toBe(405);
  expect((await posted({ path: "resend//nothing" }, {})).answer).toMatchObject({ statusCode: 404, name: "not_found" });
});

test("an address that was returned is inactive, and can be activated", async () => {
  await posted(POSTMARK, { ...postmark, To: "bounced@simulator.test" });
  await posthorn.settle();
  const bounces = async () =>
    (await fetch(`${posthorn.server.url}/compat/postmark/bounces?count=5&offset=0`, {
      headers: { "x-postmark-server-token": posthorn.keys.secret },
    }).then((reply) => reply.json())) as Json;
  const [bounce] = (await bounces()).Bounces;
  expect(bounce).toMatchObject({
    Email: "bounced@simulator.test",
    Type: "HardBounce",
    Inactive: true,
    CanActivate: true,
  });
  const { body } = await ask(posthorn, "GET /suppressions?address=bounced@simulator.test");
  await ask(posthorn, `DELETE /suppressions/${body.data[0].id}`);
  expect((await bounces()).Bounces[0]).toMatchObject({ Inactive: false, CanActivate: false });
});
