// The texts of a request to send: what cannot be read, what is literal, and what it may cost.
import { describe, expect, test } from "bun:test";
import { contentOf, letter, mailSent, mailsSent } from "../support/mails.ts";
import type { Json, Posthorn } from "../support/posthorn.ts";
import { ask, scenarios } from "../support/scenario.ts";
import { sharedPosthorn } from "../support/shared.ts";
import { workspace } from "../support/workspace.ts";

const BROKEN: readonly [what: string, source: string, line: number, column: number][] = [
  ["a tag that is not closed", "<p>{% if a %}x</p>", 1, 4],
  ["a variable that is not closed", "Hi\n{{ name", 2, 1],
  ["an unknown filter", "{{ a | currency }}", 1, 1],
  ["an unknown tag", "{% what is this %}", 1, 1],
  ["Handlebars", "{{#if a}}x{{/if}}", 1, 3],
  ["two values without an operator", "{% if a b %}x{% endif %}", 1, 9],
];

describe("a text that cannot be read", () => {
  const shared = sharedPosthorn();
  const mails = BROKEN.flatMap(([what, source, line, column]) =>
    (["subject", "preheader", "body", "text"] as const).map((field) => ({
      what,
      field,
      source: field === "subject" ? source.replace("\n", " ") : source,
      place: field === "subject" && line === 2 ? { line: 1, column: 4 } : { line, column },
    })),
  );

  test.each(mails)("with data is refused with line and column: $what in $field", async ({ field, source, place }) => {
    const mail = { ...letter, text: "t", [field]: source };
    for (const data of [{ name: "Ada" }, {}]) {
      const { status, body } = await ask(shared(), "POST /v1/send", { body: { ...mail, data } });
      expect([status, body.error.errors]).toEqual([
        422,
        [{ field, code: "template_syntax", message: expect.any(String), ...place }],
      ]);
    }
  });

  test.each(mails)("without data is left as it stands, and named: $what in $field", async ({ field, source }) => {
    const { status, body } = await ask(shared(), "POST /v1/send", { body: { ...letter, text: "t", [field]: source } });
    expect([status, body.warnings]).toEqual([
      200,
      [{ field, message: expect.stringMatching(/line \d+, column \d+.*as it stands/s) }],
    ]);
  });

  test("is named as it was spelt", async () => {
    const body = { ...letter, body: undefined, html: "{% if %}" };
    expect((await ask(shared(), "POST /v1/send", { body })).body.warnings).toMatchObject([{ field: "html" }]);
    expect((await ask(shared(), "POST /v1/send", { body: { ...body, data: {} } })).body.error.errors).toMatchObject([
      { field: "html", code: "template_syntax" },
    ]);
  });

  test("keeps its plain variables when it is left as it stands (slow)", async () => {
    await using posthorn = await workspace();
    await ask(posthorn, "POST /v1/send", { body: { ...letter, body: "{{#if a}} {{ email }}" } });
    expect(contentOf(await mailSent(posthorn)).html).toBe("{{#if a}} ada@example.com");
  });

  test("beside a template is refused as well; what the template says was read when it was saved", async () => {
    const template = { name: "Bill", alias: "bill", subject: "Bill", body: "<p>{{ nr }}</p>", type: "TRANSACTIONAL" };
    await ask(shared(), "POST /templates", { body: template });
    const body = { to: letter.to, from: letter.from, template: "bill", subject: "{{ nr", data: { nr: 7 } };
    expect((await ask(shared(), "POST /v1/send", { body })).body.error.errors).toMatchObject([{ field: "subject" }]);
  });

  test("of a batch is refused with the place of its email", async () => {
    const emails = [letter, { ...letter, subject: "{{ a", data: { a: 1 } }];
    const all = await ask(shared(), "POST /v1/send/batch", { body: { emails } });
    expect([all.status, all.body.error.errors]).toMatchObject([
      422,
      [{ field: "emails.1.subject", line: 1, column: 1 }],
    ]);
    const each = await ask(shared(), "POST /v1/send/batch", { body: { emails, mode: "each" } });
    expect(each.body.data.results).toMatchObject([
      { ok: true },
      { ok: false, error: { errors: [{ field: "subject" }] } },
    ]);
  });

  test("of a batch without data is named with the place of its email", async () => {
    const emails = [letter, { ...letter, subject: "{{ a" }];
    const { status, body } = await ask(shared(), "POST /v1/send/batch", { body: { emails } });
    expect([status, body.warnings]).toMatchObject([200, [{ field: "emails.1.subject" }]]);
  });
});

test("a text of nothing but variables is read, however many they are", async () => {
  await using posthorn = await workspace();
  const body = { ...letter, body: "{{ nr }} ".repeat(5_000), data: { nr: 7 } };
  const { status, body: answer } = await ask(posthorn, "POST /v1/send", { body });
  expect([status, answer.warnings]).toEqual([200, undefined]);
  expect(contentOf(await mailSent(posthorn)).html).toBe("7 ".repeat(5_000).trim());
});

describe("a literal text", () => {
  const written = {
    subject: "{{ email }} {% if",
    body: '<p>{{{ email }}} {% raw %} {% endraw %} {%- endraw -%} {{</p><a href="https://a.example/{{ id }}">a</a>',
    text: "{% endraw %}{{ name }}",
  };

  test("is sent as it is written, with data and without, and nothing is said of it", async () => {
    for (const data of [undefined, { name: "Ada" }]) {
      await using posthorn = await workspace();
      const { status, body } = await ask(posthorn, "POST /v1/send", {
        body: { ...letter, ...written, literal: true, data },
      });
      expect([status, body.warnings]).toEqual([200, undefined]);
      const [mail] = (await ask(posthorn, "GET /emails")).body.data as Json[];
      expect(mail?.["subject"]).toBe(written.subject);
      expect(contentOf(await mailSent(posthorn))).toMatchObject({
        subject: written.subject,
        html: written.body,
        text: written.text,
      });
    }
  });

  test("without HTML has HTML that says the same", async () => {
    await using posthorn = await workspace();
    const text = "{{ name }} & https://a.example/{{ id }} {% endraw %}";
    await ask(posthorn, "POST /v1/send", { body: { ...letter, body: undefined, text, literal: true } });
    const { html } = contentOf(await mailSent(posthorn));
    expect(html).toContain("{{ name }} &amp;");
    expect(html).toContain("{% endraw %}");
  });

  test("may be as long as one without braces", async () => {
    await using posthorn = await workspace();
    const body = { ...letter, body: `{{ ${"x".repeat(1_000_000)}`, literal: true };
    expect((await ask(posthorn, "POST /v1/send", { body })).status).toBe(200);
    expect(contentOf(await mailSent(posthorn)).html).toBe(body.body);
  });
});

scenarios("a text that is too much to be literal", [
  {
    name: "because it would end a block too often",
    request: "POST /v1/send",
    body: { ...letter, body: "{% endraw %}".repeat(2_000), literal: true },
    status: 422,
    fields: { body: "too_big" },
  },
  {
    name: "because it is too long",
    request: "POST /v1/send",
    body: { ...letter, body: "{{ ".repeat(400_000), literal: true },
    status: 422,
    fields: { body: "too_big" },
  },
]);

async function sendTo(posthorn: Posthorn, mail: object): Promise<Json> {
  return (await ask(posthorn, "POST /v1/send", { body: { ...letter, ...mail } })).body;
}

describe("data with the names of variables that each mail has", () => {
  const data = { id: 42, email: "customer@shop.test", subscribed: "yes", nr: 7 };
  const shown = "42 customer@shop.test yes 7 42 customer@shop.test";
  const source = "{{ id }} {{ email }} {{ subscribed }} {{ nr }} {{ data.id }} {{ data.email }}";

  test("is what the mail says, and none of it is stored", async () => {
    await using posthorn = await workspace();
    const { data: answer, warnings } = await sendTo(posthorn, {
      subject: `Order ${source}`,
      body: source,
      data,
      persistent: true,
    });
    expect(warnings).toBeUndefined();
    const { email, contact } = answer.emails[0];
    await posthorn.settle();
    expect(contentOf(await mailSent(posthorn))).toMatchObject({ subject: `Order ${shown}`, html: shown });
    expect((await ask(posthorn, `GET /emails/${email}`)).body.subject).toBe(`Order ${shown}`);
    expect((await ask(posthorn, `GET /contacts/${contact.id}`)).body).toMatchObject({
      email: letter.to,
      subscribed: false,
      data: { nr: 7 },
    });
  });

  test("does not count where it is not given", async () => {
    await using posthorn = await workspace();
    await sendTo(posthorn, { subject: "Order {{ id }}!", body: "{{ email }} {{ subscribed }}", data: { nr: 7 } });
    expect(contentOf(await mailSent(posthorn))).toMatchObject({ subject: "Order !", html: "ada@example.com false" });
  });

  test("may say what stands under `data`", async () => {
    await using posthorn = await workspace();
    await sendTo(posthorn, {
      body: "{{ data.nr }} {{ data.city }} {{ data.data.nr }}",
      data: { data: { nr: 8 }, city: "Bonn" },
    });
    expect(contentOf(await mailSent(posthorn)).html).toBe("8 Bonn 8");
  });

  test("counts in a template, for a group, and in each email of a batch", async () => {
    await using posthorn = await workspace();
    const template = { name: "Bill", alias: "bill", subject: "{{ id }}", body: source, type: "TRANSACTIONAL" };
    await ask(posthorn, "POST /templates", { body: template });
    const mail = { from: letter.from, template: "bill", data };
    await ask(posthorn, "POST /v1/send", { body: { ...mail, to: "ada@example.com" } });
    await ask(posthorn, "POST /v1/send", { body: { ...mail, to: "bob@example.com", cc: "cyd@example.com" } });
    await ask(posthorn, "POST /v1/send/batch", { body: { emails: [{ ...mail, to: "dan@example.com" }] } });
    expect((await mailsSent(posthorn)).map((one) => contentOf(one).html)).toEqual([shown, shown, shown, shown]);
  });

  test("cannot say where our links lead, and is told so", async () => {
    await using posthorn = await workspace();
    const links = { unsubscribeUrl: "https://evil.example/", subscribeUrl: "x", manageUrl: "y" };
    const body = "{{ unsubscribeUrl }} {{ subscribeUrl }} {{ manageUrl }}";
    const { warnings } = await sendTo(posthorn, { body, data: links });
    expect(warnings.map(({ field }: Json) => field)).toEqual([
      "data.unsubscribeUrl",
      "data.subscribeUrl",
      "data.manageUrl",
    ]);
    const { html } = contentOf(await mailSent(posthorn));
    expect(html).toMatch(/^\S+\/unsubscribe\/\S+ \S+\/subscribe\/\S+ \S+\/manage\/\S+$/);
    expect(html).not.toContain("evil");
  });
});

describe("the doors of other services", () => {
  const shared = sharedPosthorn();
  const DATA = { id: "42", email: "customer@shop.test", subscribed: "yes", manageUrl: "x" };
  const [from, to] = [letter.from, "ada@example.com"];
  const doors: readonly [path: string, body: unknown][] = [
    ["resend/emails", { from, to, template: { id: "order", variables: DATA } }],
    ["resend/emails/batch", [{ from, to, template: { id: "order", variables: DATA } }]],
    ["postmark/email/withTemplate", { From: from, To: to, TemplateAlias: "order", TemplateModel: DATA }],
    [
      "postmark/email/batchWithTemplates",
      { Messages: [{ From: from, To: to, TemplateAlias: "order", TemplateModel: DATA }] },
    ],
    [
      "sendgrid/v3/mail/send",
      {
        from: { email: from },
        personalizations: [{ to: [{ email: to }], dynamic_template_data: DATA }],
        template_id: "order",
      },
    ],
  ];

  async function post(posthorn: Posthorn, path: string, body: unknown): Promise<Response> {
    const { secret } = posthorn.keys;
    const headers = {
      authorization: `Bearer ${secret}`,
      "x-postmark-server-token": secret,
      "content-type": "application/json",
    };
    return fetch(`${posthorn.server.url}/compat/${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  }

  test.each(doors)("%s: the request's own values win, and our links are named in a header", async (path, body) => {
    await using posthorn = await workspace();
    const template = { name: "Order", alias: "order", subject: "Order {{ id }}", body: "{{ email }} {{ subscribed }}" };
    await ask(posthorn, "POST /templates", { body: { ...template, type: "TRANSACTIONAL" } });
    const reply = await post(posthorn, path, body);
    expect([reply.ok, reply.headers.get("x-posthorn-warning")]).toEqual([true, expect.stringContaining("manageUrl")]);
    expect(contentOf(await mailSent(posthorn))).toMatchObject({ subject: "Order 42", html: "customer@shop.test yes" });
  });

  const value = "{% if a %} {{ name";
  test.each<[path: string, body: unknown]>([
    ["resend/emails", { from, to, subject: value, html: value, text: value }],
    ["postmark/email", { From: from, To: to, Subject: value, HtmlBody: value, TextBody: value }],
    [
      "sendgrid/v3/mail/send",
      {
        from: { email: from },
        subject: value,
        personalizations: [{ to: [{ email: to }], dynamic_template_data: { a: 1 } }],
        content: [
          { type: "text/plain", value },
          { type: "text/html", value },
        ],
      },
    ],
  ])("%s: braces without a template are braces, and nothing is said of them", async (path, body) => {
    await using posthorn = await workspace();
    const reply = await post(posthorn, path, body);
    expect([reply.ok, reply.headers.get("x-posthorn-warning")]).toEqual([true, null]);
    expect(contentOf(await mailSent(posthorn))).toMatchObject({ subject: value, html: value, text: value });
  });

  test.each([500_000, 3_000_000, 14_000_000])(
    "SendGrid's, for a hundred with %d characters of braces, costs little (slow)",
    async (chars) => {
      const personalizations = Array.from({ length: 100 }, (_, at) => ({ to: [{ email: `a${at}@x.example` }] }));
      const content = [{ type: "text/html", value: "{{ ".repeat(chars / 3) }];
      const before = process.threadCpuUsage();
      await post(shared(), "sendgrid/v3/mail/send", { personalizations, from: { email: from }, subject: "s", content });
      const { user, system } = process.threadCpuUsage(before);
      // The call itself is made on this thread too.
      expect((user + system) / 1_000).toBeLessThan(1_000);
    },
  );
});
