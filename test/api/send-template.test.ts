// POST /v1/send with a stored template: what is taken from it, what wins over it, and to whom marketing mail goes.
import { describe, expect, test } from "bun:test";
import { contentOf, letter, mailSent, mailsSent } from "../support/mails.ts";
import { ask, scenarios } from "../support/scenario.ts";
import { workspace } from "../support/workspace.ts";

const template = { name: "Receipt", subject: "Receipt", body: "<p>Paid</p>", type: "TRANSACTIONAL" };
const complete = {
  ...template,
  from: "shop@example.test",
  fromName: "Shop",
  replyTo: "help@example.test",
  text: "Paid",
};

describe("a stored template", () => {
  const overrides: readonly [changes: object, mail: object][] = [
    [
      {},
      {
        subject: "Receipt",
        html: "<p>Paid</p>",
        text: "Paid",
        from: "shop@example.test",
        fromName: "Shop",
        reply: "help@example.test",
      },
    ],
    [{ subject: "Yours" }, { subject: "Yours", html: "<p>Paid</p>", text: "Paid", from: "shop@example.test" }],
    [
      { subject: "", body: null, text: null, from: null, reply: null },
      { subject: "Receipt", html: "<p>Paid</p>", text: "Paid" },
    ],
    [{ body: "<p>Thanks</p>" }, { subject: "Receipt", html: "<p>Thanks</p>", text: "Thanks" }],
    [{ text: "By hand" }, { html: "<p>Paid</p>", text: "By hand" }],
    [{ text: "" }, { html: "<p>Paid</p>", text: null }],
    [{ from: "other@example.test" }, { from: "other@example.test", fromName: "" }],
    [{ name: "Till" }, { from: "shop@example.test", fromName: "Till" }],
    [{ reply: "boss@example.test" }, { reply: "boss@example.test" }],
  ];

  test.each(overrides)("is used, and %j in the request wins over it", async (changes, expected) => {
    await using posthorn = await workspace();
    const { id } = (await ask(posthorn, "POST /templates", { body: complete })).body;
    const { body } = await ask(posthorn, "POST /v1/send", {
      body: { to: "ada@example.com", template: id, ...changes },
    });
    const record = (await ask(posthorn, `GET /emails/${body.data.emails[0].email}`)).body;
    expect(record).toMatchObject({ templateId: id, sourceType: "TRANSACTIONAL" });
    expect(contentOf(await mailSent(posthorn))).toMatchObject(expected);
  });

  scenarios("with something missing", [
    {
      name: "needs a sender in the request if it has none",
      given: [["POST /templates", template]],
      request: "POST /v1/send",
      body: { to: "ada@example.com", template: "$0.id" },
      status: 422,
      code: "VALIDATION_ERROR",
      fields: { from: "required" },
    },
    {
      name: "is sent with the request's sender if it has none",
      given: [["POST /templates", template]],
      request: "POST /v1/send",
      body: { to: "ada@example.com", template: "$0.id", from: "hello@example.test" },
      status: 200,
    },
    {
      name: "whose own sender's domain is not verified cannot be sent",
      given: [["POST /templates", { ...template, from: "shop@elsewhere.example" }]],
      request: "POST /v1/send",
      body: { to: "ada@example.com", template: "$0.id" },
      status: 403,
      code: "DOMAIN_NOT_VERIFIED",
    },
  ]);

  test("is sent as it was when the mail was accepted, whatever happens to it until then", async () => {
    await using posthorn = await workspace();
    const { id } = (await ask(posthorn, "POST /templates", { body: complete })).body;
    await ask(posthorn, "POST /v1/send", { body: { to: "ada@example.com", template: id } });
    await ask(posthorn, `PATCH /templates/${id}`, { body: { subject: "Other", body: "<p>Other</p>" } });
    await ask(posthorn, "POST /v1/send", { body: { to: "bob@example.com", template: id } });
    await ask(posthorn, `DELETE /templates/${id}`);
    expect((await mailsSent(posthorn)).map((mail) => mail.subject)).toEqual(["Receipt", "Other"]);
  });
});

describe("marketing mail", () => {
  const news = { ...complete, name: "News", type: "MARKETING" };

  scenarios("sent with a template", [
    {
      name: "reaches a subscribed contact",
      given: [
        ["POST /templates", news],
        ["POST /contacts", { email: "ada@example.com" }],
      ],
      request: "POST /v1/send",
      body: { to: "ada@example.com", template: "$0.id" },
      status: 200,
    },
    {
      name: "is refused for somebody new, who is subscribed to nothing",
      given: [["POST /templates", news]],
      request: "POST /v1/send",
      body: { to: "ada@example.com", template: "$0.id" },
      status: 400,
      code: "CONTACT_UNSUBSCRIBED",
    },
    {
      name: "is refused for all if one of them is not subscribed",
      given: [
        ["POST /templates", news],
        ["POST /contacts", { email: "ada@example.com" }],
      ],
      request: "POST /v1/send",
      body: { to: ["ada@example.com", "new@example.com"], template: "$0.id", data: { plan: "pro" } },
      status: 400,
      code: "CONTACT_UNSUBSCRIBED",
    },
    {
      name: "is sent to somebody whom the same request subscribes",
      given: [["POST /templates", news]],
      request: "POST /v1/send",
      body: { to: "ada@example.com", template: "$0.id", subscribed: true },
      status: 200,
    },
  ]);

  test("carries the way out; transactional mail does not", async () => {
    await using posthorn = await workspace();
    await ask(posthorn, "POST /contacts", { body: { email: "ada@example.com" } });
    const { id } = (await ask(posthorn, "POST /templates", { body: news })).body;
    await ask(posthorn, "POST /v1/send", { body: { to: "ada@example.com", template: id } });
    await ask(posthorn, "POST /v1/send", { body: { ...letter, to: "bob@example.com" } });
    const [marketing, transactional] = await mailsSent(posthorn);
    for (const name of ["list-unsubscribe", "list-unsubscribe-post", "list-id", "feedback-id"]) {
      expect([name, marketing?.headerLines.some(({ key }) => key === name)]).toEqual([name, true]);
      expect([name, transactional?.headerLines.some(({ key }) => key === name)]).toEqual([name, false]);
    }
    expect(marketing?.html).toMatch(/<a href="http:\/\/127\.0\.0\.1:8484\/unsubscribe\/[\w-]+"/);
    expect(transactional?.html).not.toContain("unsubscribe");
  });

  test.each<[string, Readonly<Record<string, string>>]>([
    ["without one click, which we promise for our own link alone", {}],
    ["with the one click that the request promises", { "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" }],
  ])("carries the request's own way out %s", async (_, post) => {
    await using posthorn = await workspace();
    const { id } = (await ask(posthorn, "POST /templates", { body: news })).body;
    const headers = { "list-unsubscribe": "<https://shop.example/out>", ...post };
    await ask(posthorn, "POST /v1/send", { body: { to: "ada@example.com", template: id, subscribed: true, headers } });
    const { headerLines } = await mailSent(posthorn);
    const lines = headerLines.filter(({ key }) => key.startsWith("list-unsubscribe")).map(({ line }) => line);
    const promised = Object.entries(post).map(([name, value]) => `${name}: ${value}`);
    expect(lines).toEqual(["list-unsubscribe: <https://shop.example/out>", ...promised]);
  });

  test("keeps our way out where the request's own is empty", async () => {
    await using posthorn = await workspace();
    const { id } = (await ask(posthorn, "POST /templates", { body: news })).body;
    const headers = { "List-Unsubscribe": " ", "list-unsubscribe-post": "" };
    await ask(posthorn, "POST /v1/send", { body: { to: "ada@example.com", template: id, subscribed: true, headers } });
    const { headerLines } = await mailSent(posthorn);
    const names = headerLines.map(({ key }) => key).filter((key) => key.startsWith("list-unsubscribe"));
    expect(names).toEqual(["list-unsubscribe", "list-unsubscribe-post"]);
  });
});
