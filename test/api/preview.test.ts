// What is being written, as it would read: not saved, for somebody, with what is wrong in it.
import { describe, expect, test } from "bun:test";
import { contentOf, mailSent } from "../support/mails.ts";
import { somebody } from "../support/people.ts";
import type { Json, Posthorn } from "../support/posthorn.ts";
import { ask, scenarios } from "../support/scenario.ts";
import { addWorkspace } from "../support/workspaces.ts";
import { workspace } from "../support/workspace.ts";

const nobody = "0199a3b4-0000-7000-8000-000000000000";

scenarios("POST /preview", [
  {
    name: "takes what is hardly begun",
    request: "POST /preview",
    body: { kind: "TRANSACTIONAL" },
    status: 200,
    answer: { subject: "", html: "", text: "", missing: [], bytes: 0, isClipped: false, links: [], images: [] },
  },
  {
    name: "renders for a contact, below what the request says",
    given: [["POST /contacts", { email: "ada@example.com", data: { name: "Ada", plan: "free" } }]],
    request: "POST /preview",
    body: {
      kind: "TRANSACTIONAL",
      subject: "{{ name }} {{ last }}",
      preheader: "{{ plan }} & more",
      body: "<p>{{ email }}</p>",
      text: "{{ plan }}",
      contactId: "$0.id",
      data: { plan: "<pro>" },
    },
    status: 200,
    answer: { subject: "Ada ", text: "<pro>", missing: ["last"] },
  },
  {
    name: "says where in each field something does not parse",
    request: "POST /preview",
    body: {
      kind: "MARKETING",
      subject: "{{ name",
      preheader: "{% x %}",
      body: "<p>\n  {% if %}</p>",
      text: "{{ a b: }}",
    },
    status: 422,
    fields: {
      subject: "template_syntax",
      preheader: "template_syntax",
      body: "template_syntax",
      text: "template_syntax",
    },
  },
  {
    name: "knows neither contacts nor events that are not there",
    request: "POST /preview",
    body: { kind: "MARKETING", eventId: nobody },
    status: 404,
    code: "EVENT_NOT_FOUND",
  },
  {
    name: "takes no id that is none",
    request: "POST /preview",
    body: { kind: "MARKETING", eventId: "zzz" },
    status: 404,
    code: "EVENT_NOT_FOUND",
  },
  {
    name: "does not know a contact that is not there",
    request: "POST /preview",
    body: { kind: "MARKETING", contactId: nobody },
    status: 404,
    code: "CONTACT_NOT_FOUND",
  },
  {
    name: "refuses other kinds and what is too long",
    request: "POST /preview",
    body: { kind: "SPAM", preheader: "x".repeat(501), subject: "two\nlines" },
    status: 422,
    fields: { kind: "invalid", preheader: "too_big", subject: "invalid" },
  },
]);

const preview = async (posthorn: Posthorn, said: object): Promise<Json> =>
  (await ask(posthorn, "POST /preview", { body: { kind: "TRANSACTIONAL", ...said } })).body;

test("A fault has its line and column, for an editor to underline", async () => {
  await using posthorn = await workspace();
  const { error } = await preview(posthorn, { body: "<p>Hello</p>\n<p>{{ name | shout }}</p>" });
  expect(error.errors).toEqual([
    { field: "body", message: expect.stringContaining("line 2, column"), code: "template_syntax", line: 2, column: 4 },
  ]);
});

test("What Gmail would cut, links that lead nowhere and pictures without words are named", async () => {
  await using posthorn = await workspace();
  const body = `<a name="top"></a><a href="https://example.com/?a=1&amp;b={{ x }}">Go <b>on</b></a>
    <a href="">button</a><a href="#">top</a><a href=" javascript:go()">x</a><a>none</a><a href="#top">up</a>
    <a href="example.com">bare</a><a href="http://example.com">old</a><a href="mailto:a@example.com">write</a>
    <a href="https://">no host</a><a href="{{ unsubscribeUrl }}">leave</a>
    <img src="https://example.com/a.png" alt=""><img src="http://example.com/b.png"><img alt="x"><img src="c.png" alt="c">
    <img src="data:image/png;base64,AAAA" alt="d"><img src="https://example.com/e.png" alt="&#160; ">`;
  const found = await preview(posthorn, { body, data: { x: "7&8" } });
  expect(found.links.map(({ text, faults }: Json) => [text, ...faults])).toEqual([
    ["Go on"],
    ["button", "NO_TARGET"],
    ["top", "NO_TARGET"],
    ["x", "NO_TARGET"],
    ["none", "NO_TARGET"],
    ["up"],
    ["bare", "NOT_A_URL"],
    ["old", "HTTP"],
    ["write"],
    ["no host", "NOT_A_URL"],
    ["leave"],
  ]);
  expect(found.links[0].href).toBe("https://example.com/?a=1&b=7%268");
  expect(found.images.map(({ alt, faults }: Json) => [alt, ...faults])).toEqual([
    [""],
    [null, "HTTP", "NO_ALT"],
    ["x", "NO_SOURCE"],
    ["c", "NOT_A_URL"],
    ["d", "DATA_URL"],
    ["", "NO_ALT"],
  ]);
  expect([found.bytes, found.isClipped]).toEqual([Buffer.byteLength(found.html), false]);
  const long = await preview(posthorn, { body: `<p>${"ü".repeat(53_000)}</p>` });
  expect([long.bytes, long.clippedAtBytes, long.isClipped]).toEqual([106_007, 104_448, true]);
});

test("A thousand links, and five hundred long ones, are answered in bounds (slow)", async () => {
  await using posthorn = await workspace();
  const many = await preview(posthorn, { body: `<a href="https://example.com/x">x</a><img src="x">`.repeat(1_000) });
  expect([many.links.length, many.images.length]).toEqual([500, 500]);
  const body = `<a href="https://example.com/{{ long }}">{{ long }}</a>`;
  const wide = await preview(posthorn, {
    body: `{% for i in (1..500) %}${body}{% endfor %}`,
    data: { long: "x".repeat(900) },
  });
  expect(Math.max(...wide.links.flatMap(({ href, text }: Json) => [href.length, text.length]))).toBe(500);
});

describe("an event", () => {
  test("is the variable `event`, and its contact the recipient", async () => {
    await using posthorn = await workspace();
    const track = async (email: string, plan: string) => {
      posthorn.clock.advance(1_000);
      return (await ask(posthorn, "POST /v1/track", { body: { email, event: "bought", data: { plan } } })).body.data
        .event;
    };
    const events = [];
    for (const name of ["ada", "bob", "cyd", "dan", "eve"]) events.push(await track(`${name}@example.com`, name));
    const said = { subject: "{{ event.plan }} {{ email }} {{ event.price }}" };
    for (const [at, name] of [
      [0, "ada"],
      [2, "cyd"],
      [4, "eve"],
    ] as const) {
      const { subject, missing } = await preview(posthorn, { ...said, eventId: events[at].toUpperCase() });
      expect([subject, missing]).toEqual([`${name} ${name}@example.com `, ["event.price"]]);
    }
    const other = (await ask(posthorn, "POST /contacts", { body: { email: "fay@example.com" } })).body.id;
    expect((await preview(posthorn, { ...said, eventId: events[1], contactId: other })).subject).toBe(
      "bob fay@example.com ",
    );
    const key = { bearer: (await addWorkspace(posthorn, { name: "stranger", domain: "stranger.example" })).secret };
    const body = { kind: "MARKETING", eventId: events[1] };
    expect((await ask(posthorn, "POST /preview", { key, body })).body.error.code).toBe("EVENT_NOT_FOUND");
  });
});

describe("a preheader", () => {
  const said = {
    subject: "Hi",
    preheader: "For {{ name }} & <you>",
    body: "<html><head><title>x</title></head><BODY class='a>b'><p>Hello</p></body></html>",
  };

  test("stands hidden at the start of the HTML, and not in the text part", async () => {
    await using posthorn = await workspace();
    const { html, text } = await preview(posthorn, { ...said, data: { name: "<Ada>" } });
    expect(html).toMatch(
      /<BODY class='a>b'><div style="display:none;[^"]*">For &lt;Ada&gt; &amp; &lt;you&gt;(&#847;&zwnj;&nbsp;)+<\/div><p>Hello/,
    );
    expect(text).toBe("Hello");
    const start = (body: string) =>
      preview(posthorn, { preheader: "x", body }).then((answer) => answer.html.split("<div")[0]);
    expect(await start("<p>Hello</p>")).toBe("");
    expect(await start("<!doctype html>\n<html lang=de><p>Hello</p>")).toBe("<!doctype html>\n<html lang=de>");
    expect(await start("<html><head></head ><p>Hello</p>")).toBe("<html><head></head >");
    expect((await preview(posthorn, { preheader: "{{ nothing }} ", body: "<p>x</p>" })).html).toBe("<p>x</p>");
    expect((await preview(posthorn, { preheader: "x", body: "" })).html).toBe("");
    const wide = await preview(posthorn, {
      preheader: "{{ long }}",
      body: "<p>x</p>",
      data: { long: "😀".repeat(10_000) },
    });
    expect(wide.html.match(/😀/gu)).toHaveLength(250);
  });

  test("leaves with mails of templates, campaigns, workflows and requests, as the preview shows it (slow)", async () => {
    await using posthorn = await workspace();
    const contact = { email: "ada@example.com", subscribed: true, data: { name: "Ada" } };
    const contactId = (await ask(posthorn, "POST /contacts", { body: contact })).body.id;
    const fields = { ...said, name: "News", from: "news@example.test" };
    const template = (await ask(posthorn, "POST /templates", { body: { ...fields, type: "TRANSACTIONAL" } })).body;
    expect(template.preheader).toBe(said.preheader);
    const shown = (await preview(posthorn, { ...said, data: { name: "Ada" } })).html;
    const expectSent = async (act: Promise<unknown>) => {
      await act;
      expect(contentOf(await mailSent(posthorn)).html).toContain(shown.slice(0, shown.indexOf("<p>")));
      posthorn.transport.sent.length = 0;
    };
    const tracking = false;
    await expectSent(ask(posthorn, "POST /v1/send", { body: { to: contact.email, template: template.id, tracking } }));
    const inline = { to: contact.email, from: fields.from, subject: "Hi", preheader: said.preheader, body: said.body };
    await expectSent(ask(posthorn, "POST /v1/send", { body: { ...inline, tracking } }));
    const campaign = (await ask(posthorn, "POST /campaigns", { body: { ...fields, audienceType: "ALL" } })).body.data;
    expect(campaign.preheader).toBe(said.preheader);
    await expectSent(ask(posthorn, `POST /campaigns/${campaign.id}/send`, { body: {} }));
    const steps = [{ type: "SEND_EMAIL", name: "Tell", config: { templateId: template.id } }];
    const workflow = { name: "Greet", eventName: "seen", enabled: true, steps };
    const { id } = (await ask(posthorn, "POST /workflows", { body: workflow })).body;
    await expectSent(ask(posthorn, `POST /workflows/${id}/executions`, { body: { contactId } }));
  });

  test("is emptied by null and by nothing, and not taken with another body", async () => {
    await using posthorn = await workspace();
    const fields = { ...said, name: "News", type: "TRANSACTIONAL", from: "news@example.test" };
    const { id } = (await ask(posthorn, "POST /templates", { body: fields })).body;
    const mail = { to: "ada@example.com", template: id, body: "<p>Other</p>" };
    await ask(posthorn, "POST /v1/send", { body: mail });
    expect(contentOf(await mailSent(posthorn)).html).not.toContain("display:none;mso");
    for (const preheader of [null, ""])
      expect((await ask(posthorn, `PATCH /templates/${id}`, { body: { preheader } })).body.preheader).toBeNull();
    const refused = await ask(posthorn, `PATCH /templates/${id}`, { body: { preheader: "{{" } });
    expect(refused.body.error.errors[0].field).toBe("preheader");
  });
});

test("A form posts what is written into a frame, in which nothing runs", async () => {
  await using posthorn = await workspace();
  const eva = await somebody(posthorn, "EDITOR");
  const post = (fields: Record<string, string>, headers: Record<string, string> = {}) =>
    fetch(`${posthorn.server.url}/app/-/draft`, {
      method: "POST",
      headers: { cookie: eva.cookie, "sec-fetch-site": "same-origin", ...headers },
      body: new URLSearchParams(fields),
    });
  const html = `<p>Zażółć & 日本 + %41</p><script>1</script>${"x".repeat(300_000)}`;
  const page = await post({ html });
  expect([page.status, await page.text()]).toEqual([200, html]);
  const policy = (reply: Response) => reply.headers.get("content-security-policy");
  expect(policy(page)).toStartWith(
    "sandbox allow-same-origin; default-src 'none'; style-src 'unsafe-inline'; img-src data: http",
  );
  expect(policy(page)).toContain("/i/; form-action 'none'");
  expect(policy(await post({ html, images: "1" }))).toContain("img-src data: https: http:;");
  const text = await post({ text: "<b>" });
  expect([text.headers.get("content-type"), await text.text()]).toEqual(["text/plain; charset=utf-8", "<b>"]);
  expect((await post({ html }, { "sec-fetch-site": "cross-site" })).status).toBe(403);
  expect((await post({ html }, { cookie: "" })).status).toBe(401);
});
