// What a template would say: the same as the mail itself, without one.
import { describe, expect, test } from "bun:test";
import { contentOf, mailSent } from "../support/mails.ts";
import { ask, everything, scenarios } from "../support/scenario.ts";
import { addWorkspace } from "../support/workspaces.ts";
import { workspace } from "../support/workspace.ts";

const receipt = {
  name: "Receipt",
  subject: "Order {{ order.number }} for {{ name }}",
  body: '<p>Hello {{ name ?? "there" }}, {{ greeting }}</p>',
  type: "TRANSACTIONAL",
  from: "shop@example.test",
};
const news = {
  ...receipt,
  type: "MARKETING",
  subject: "News",
  body: "<p>News for {{ name }}</p>",
  text: "News, {{ name }}",
};
const nobody = "0199a3b4-0000-7000-8000-000000000000";

scenarios("POST /templates/{id}/preview", [
  {
    name: "says what is missing, and what has another value in its place is not",
    given: [["POST /templates", receipt]],
    request: "POST /templates/$0.id/preview",
    body: {},
    status: 200,
    answer: {
      subject: "Order  for ",
      html: "<p>Hello there, </p>",
      text: "Hello there,",
      missing: ["order.number", "name", "greeting"],
    },
  },
  {
    name: "fills in what the request says above what the contact has",
    given: [
      ["POST /templates", receipt],
      ["POST /contacts", { email: "ada@example.com", data: { name: "Ada", greeting: "welcome" } }],
    ],
    request: "POST /templates/$0.id/preview",
    body: { contactId: "$1.id", data: { order: { number: 7 }, greeting: { value: "<hi>", persistent: false } } },
    status: 200,
    answer: { subject: "Order 7 for Ada", html: "<p>Hello Ada, &lt;hi&gt;</p>", text: "Hello Ada, <hi>", missing: [] },
  },
  {
    name: "takes nothing for nothing",
    given: [["POST /templates", { ...receipt, subject: "Hi", body: "<p>{{ email }}</p>", text: "" }]],
    request: "POST /templates/$0.id/preview",
    body: { data: null, contactId: null },
    status: 200,
    answer: { subject: "Hi", html: "<p>somebody@example.com</p>", text: "", missing: [] },
  },
  {
    name: "does not know a template that is not there",
    request: `POST /templates/${nobody}/preview`,
    body: {},
    status: 404,
    code: "TEMPLATE_NOT_FOUND",
  },
  {
    name: "does not know a contact that is not there",
    given: [["POST /templates", receipt]],
    request: "POST /templates/$0.id/preview",
    body: { contactId: nobody },
    status: 404,
    code: "CONTACT_NOT_FOUND",
  },
  {
    name: "refuses what is no data and no id",
    request: `POST /templates/${nobody}/preview`,
    body: { data: ["x"], contactId: 7 },
    status: 422,
    fields: { data: "invalid_type", contactId: "invalid_type" },
  },
]);

describe("a preview", () => {
  test("of marketing mail reads like the mail that a subscriber gets", async () => {
    await using posthorn = await workspace();
    const template = (await ask(posthorn, "POST /templates", { body: news })).body.id;
    const contact = { email: "ada@example.com", data: { name: "Ada" } };
    const contactId = (await ask(posthorn, "POST /contacts", { body: contact })).body.id;
    const preview = (await ask(posthorn, `POST /templates/${template}/preview`, { body: { contactId } })).body;
    await ask(posthorn, "POST /v1/send", { body: { to: contact.email, template, tracking: false } });
    const mail = contentOf(await mailSent(posthorn));
    const withoutToken = (text: string | null | undefined) =>
      text?.replace(/unsubscribe\/[\w-]+/g, "unsubscribe/…").trim();
    expect(withoutToken(preview.html)).toContain("unsubscribe/…");
    expect([preview.subject, withoutToken(preview.html), withoutToken(preview.text)]).toEqual([
      mail.subject,
      withoutToken(mail.html),
      withoutToken(mail.text),
    ]);
  });

  test("has links that change nothing when they are opened", async () => {
    await using posthorn = await workspace();
    const body = { ...news, body: "<a href='{{ manageUrl }}'>Manage</a> <a href='{{ unsubscribeUrl }}'>Out</a>" };
    const template = (await ask(posthorn, "POST /templates", { body })).body.id;
    const contactId = (await ask(posthorn, "POST /contacts", { body: { email: "ada@example.com" } })).body.id;
    const { html } = (await ask(posthorn, `POST /templates/${template}/preview`, { body: { contactId } })).body;
    const paths = [...html.matchAll(/127\.0\.0\.1:8484(\/\w+\/[\w-]+)/g)].map((match) => match[1]);
    expect(paths).toHaveLength(2);
    const before = await everything(posthorn);
    for (const path of paths) {
      expect((await ask(posthorn, `GET ${path}`, { key: "none" })).status).toBe(404);
      expect((await ask(posthorn, `POST ${path}`, { key: "none", body: "subscribed=false" })).status).toBe(200);
    }
    expect(await everything(posthorn)).toEqual(before);
  });

  test("leaves no trace", async () => {
    await using posthorn = await workspace();
    const template = (await ask(posthorn, "POST /templates", { body: news })).body.id;
    // When the key was used last is noted by then.
    await posthorn.settle();
    const before = await everything(posthorn);
    await ask(posthorn, `POST /templates/${template}/preview`, { body: { data: { name: "Ada" } } });
    await posthorn.settle();
    expect(await everything(posthorn)).toEqual(before);
    expect(posthorn.transport.sent).toEqual([]);
  });

  test("does not show a stranger's contact", async () => {
    await using posthorn = await workspace();
    const contactId = (await ask(posthorn, "POST /contacts", { body: { email: "ada@example.com" } })).body.id;
    const key = { bearer: (await addWorkspace(posthorn, { name: "stranger", domain: "stranger.example" })).secret };
    const template = (await ask(posthorn, "POST /templates", { body: receipt, key })).body.id;
    const { status, body } = await ask(posthorn, `POST /templates/${template}/preview`, { body: { contactId }, key });
    expect([status, body.error.code]).toEqual([404, "CONTACT_NOT_FOUND"]);
  });
});

test.each(["subject", "body", "text"])(
  "a template that takes too long to render in its %s is refused there",
  async (field) => {
    await using posthorn = await workspace();
    const busy = "{% for i in (1..900) %}{% for j in (1..900) %}x{% endfor %}{% endfor %}";
    const { id } = (await ask(posthorn, "POST /templates", { body: { ...news, [field]: busy } })).body;
    const refusal = await ask(posthorn, `POST /templates/${id}/preview`, { body: {} });
    expect(refusal.status).toBe(422);
    const message = "Rendering takes more than 100 ms of processor time.";
    expect(refusal.body.error.errors).toEqual([{ field, message, code: "over_budget" }]);
    await ask(posthorn, `PATCH /templates/${id}`, { body: { [field]: "x" } });
    expect((await ask(posthorn, `POST /templates/${id}/preview`, { body: {} })).status).toBe(200);
  },
);
