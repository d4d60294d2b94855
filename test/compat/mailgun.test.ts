// Mailgun's own client for Node, unchanged but for its address, against this server.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import FormData from "form-data";
import { HOUR_MS } from "../../src/base/clock.ts";
import { startPosthorn, type Json, type Posthorn } from "../support/posthorn.ts";
import { ask } from "../support/scenario.ts";
import { addKeys, addWorkspace } from "../support/workspaces.ts";

// Its types are of another kind of modules.
const MAILGUN: string = "mailgun.js";
const { default: Mailgun } = (await import(MAILGUN)) as { readonly default: new (form: unknown) => Json };

/** The one name beside 127.0.0.1 that leads here on every machine. */
const NAME = "localhost";
const DOMAIN = "example.test";

let posthorn: Posthorn;
beforeAll(async () => {
  posthorn = await startPosthorn({ config: { compat: { mailgunHost: NAME } }, tracking: true });
  const template = { name: "Bill", alias: "bill", subject: "Bill {{ number }}", body: "<p>{{ number }}</p>" };
  await ask(posthorn, "POST /templates", { body: { ...template, type: "TRANSACTIONAL", from: `shop@${DOMAIN}` } });
});
afterAll(() => posthorn[Symbol.asyncDispose]());

const origin = () => `http://${NAME}:${new URL(posthorn.server.url).port}`;

function clientWith(key = posthorn.keys.secret): Json {
  return new Mailgun(FormData).client({ username: "api", key, url: origin(), timeout: 60_000 });
}

const letter = { from: `Shop <shop@${DOMAIN}>`, to: ["ada@example.com"], subject: "Hi", html: "<p>Hello</p>" };
const idIn = (answer: Json) => /^<([^@]+)@/.exec(answer.id)?.[1] ?? "";
const mailOf = async (id: string) => (await ask(posthorn, `GET /emails/${id}`)).body;

async function sent(changes: object): Promise<Json> {
  const answer = await clientWith().messages.create(DOMAIN, { ...letter, ...changes });
  expect(answer).toMatchObject({ status: 200, message: "Queued. Thank you." });
  return mailOf(idIn(answer));
}

async function bytesOf(id: string): Promise<string> {
  await posthorn.settle();
  return posthorn.transport.sent.find((one) => one.id === id)?.raw.toString() ?? "";
}

async function refusal(changes: object, key?: string): Promise<Json> {
  return clientWith(key)
    .messages.create(DOMAIN, { ...letter, ...changes })
    .then(
      () => null,
      ({ status, details }: Json) => ({ status, message: details }),
    );
}

async function posted(
  path: string,
  fields: string | FormData | URLSearchParams | object,
  headers = {},
): Promise<Response> {
  return fetch(origin() + path, {
    method: "POST",
    headers: { authorization: `Basic ${btoa(`api:${posthorn.keys.secret}`)}`, ...headers },
    body: fields as string,
  });
}

describe("a message", () => {
  test("is sent, and answered with its Message-ID", async () => {
    const mail = await sent({});
    expect(mail).toMatchObject({ to: "ada@example.com", fromName: "Shop", subject: "Hi", status: "QUEUED" });
    expect(await bytesOf(mail.id)).toContain(`Message-ID: <${mail.id}@${DOMAIN}>`);
  });

  test("goes as a plain form, too", async () => {
    const fields = new URLSearchParams({
      from: letter.from,
      to: "ada@example.com, bob@example.com",
      subject: "Form",
      text: "Hi",
    });
    const reply = await posted(`/v3/${DOMAIN}/messages`, fields);
    expect([reply.status, (await reply.json()) as Json]).toMatchObject([200, { message: "Queued. Thank you." }]);
    const { data } = (await ask(posthorn, "GET /emails?search=Form")).body;
    expect(data.map(({ to }: Json) => to).toSorted()).toEqual(["ada@example.com", "bob@example.com"]);
    await posthorn.settle();
  });

  test("to several is one message that all of them see", async () => {
    const to = ["Ada <ada@example.com>", "bob@example.com"];
    const answer = await clientWith().messages.create(DOMAIN, {
      ...letter,
      to,
      cc: "cyd@example.com",
      bcc: "dan@example.com",
    });
    const { data } = (await ask(posthorn, `GET /emails?group=${idIn(answer)}`)).body;
    expect(data.map(({ role, to: one }: Json) => `${role} ${one}`).toSorted()).toEqual([
      "BCC dan@example.com",
      "CC cyd@example.com",
      "TO ada@example.com",
      "TO bob@example.com",
    ]);
    expect(data.map(({ messageId }: Json) => messageId)).toEqual(Array(4).fill(answer.id));
  });

  test("has its headers, files, tags and variables", async () => {
    const mail = await sent({
      "h:X-Order": "7",
      "h:Reply-To": "Help <help@example.test>",
      "h:Sender": letter.from,
      "v:order": "7",
      "o:tag": ["order mail", "spring"],
      attachment: { data: Buffer.from("text"), filename: "a.txt" },
      inline: { data: Buffer.from("GIF89a"), filename: "logo.gif" },
      html: '<img src="cid:logo.gif">',
    });
    expect(mail).toMatchObject({ tags: ["order-mail", "spring"], metadata: { order: "7" } });
    const raw = await bytesOf(mail.id);
    for (const part of ["X-Order: 7", "help@example.test", btoa("text"), "Content-ID: <logo.gif>"])
      expect(raw).toContain(part);
    expect(raw).not.toContain("Sender:");
  });

  test("has braces as braces", async () => {
    const mail = await sent({ subject: "{{ name }}", html: "<style>p{margin:0}</style><p>{% if %} {{ x }}</p>" });
    expect(mail.subject).toBe("{{ name }}");
    expect(await bytesOf(mail.id)).toContain("{% if %} {{ x }}");
  });

  test("is made from a template and its variables", async () => {
    const mail = await sent({
      template: "bill",
      "t:variables": JSON.stringify({ number: 7 }),
      subject: undefined,
      html: undefined,
    });
    await posthorn.settle();
    expect((await mailOf(mail.id)).subject).toBe("Bill 7");
  });

  test("for later waits", async () => {
    const at = new Date(posthorn.clock.nowMs() + HOUR_MS);
    const { scheduledFor } = await sent({ "o:deliverytime": at.toUTCString() });
    expect(Date.parse(scheduledFor)).toBe(Math.floor(at.getTime() / 1_000) * 1_000);
  });

  test("in the test mode is checked and goes nowhere", async () => {
    const before = (await ask(posthorn, "GET /emails")).body.total;
    await clientWith().messages.create(DOMAIN, { ...letter, "o:testmode": true });
    expect((await ask(posthorn, "GET /emails")).body.total).toBe(before);
    expect(await refusal({ "o:testmode": true, to: "nobody" })).toMatchObject({ status: 400 });
  });

  test("is not tracked where all tracking is switched off", async () => {
    const html = '<p><a href="https://example.com/">Go</a></p>';
    expect(await bytesOf((await sent({ html })).id)).not.toContain('href="https://example.com/"');
    for (const off of [{ "o:tracking": "no" }, { "o:tracking-opens": false, "o:tracking-clicks": false }])
      expect(await bytesOf((await sent({ html, ...off })).id)).toContain("https://example.com/");
  });

  test("that comes twice under one Idempotency-Key is sent once", async () => {
    const fields = { from: letter.from, to: "ada@example.com", subject: "Once", text: "Hi" };
    const twice = [1, 2].map(() =>
      posted(`/v3/${DOMAIN}/messages`, new URLSearchParams(fields), { "idempotency-key": "k1" }),
    );
    const ids = await Promise.all(twice.map(async (one) => ((await (await one).json()) as Json).id));
    expect(ids[0]).toBe(ids[1]);
    expect((await ask(posthorn, "GET /emails?search=Once")).body.data).toHaveLength(1);
  });
});

describe("with recipient-variables", () => {
  const people = {
    "ada@example.com": { name: "Ada", url: "https://x.test/?a=1&b=2", "first-name": "A" },
    "bob@example.com": { name: "Bob" },
  };
  const filled = (changes: object = {}) => ({
    to: Object.keys(people),
    "recipient-variables": JSON.stringify(people),
    subject: "Hello %recipient.name%",
    html: '<p>{{ as it is }}</p><a href="%recipient.url%">{%recipient.first-name%}</a> %recipient%',
    text: "For %recipient.name%: %recipient.url%",
    ...changes,
  });

  test("each gets a message of their own, under one id, with one content", async () => {
    const answer = await clientWith().messages.create(DOMAIN, { ...letter, ...filled(), "o:tracking": false });
    const { data } = (await ask(posthorn, "GET /emails?search=Hello")).body;
    expect(data.map(({ to, subject, group }: Json) => [to, subject, group]).toSorted()).toEqual([
      ["ada@example.com", "Hello Ada", null],
      ["bob@example.com", "Hello Bob", null],
    ]);
    const first = await bytesOf(idIn(answer));
    for (const part of [
      "To: ada@example.com",
      "<p>{{ as it is }}</p>",
      '<a href="https://x.test/?a=1&b=2">{A}</a> ada@example.com',
    ])
      expect(first).toContain(part);
    const bob = data.find(({ to }: Json) => to === "bob@example.com");
    expect(await bytesOf(bob.id)).toContain("%recipient.url%");
  });

  test("headers are filled in, and what only Mailgun reads is left out of them", async () => {
    const changes = {
      "h:List-Unsubscribe": "<%recipient.url%>, <%tag_unsubscribe_email%>",
      "h:X-Name": "%recipient.name%",
    };
    const answer = await clientWith().messages.create(DOMAIN, { ...letter, ...filled(changes) });
    const raw = await bytesOf(idIn(answer));
    expect(raw).toContain("List-Unsubscribe: <https://x.test/?a=1&b=2>\r\n");
    expect(raw).toContain("X-Name: Ada\r\n");
  });

  test("an empty list stands for none, as PHP writes it", async () => {
    const changes = filled({ "recipient-variables": "[]", subject: "Empty %recipient.name%" });
    await clientWith().messages.create(DOMAIN, { ...letter, ...changes });
    const { data } = (await ask(posthorn, "GET /emails?search=Empty")).body;
    expect(data.map(({ to, group }: Json) => [to, group])).toEqual(
      Object.keys(people).map(() => [expect.anything(), null]),
    );
  });

  test("without them a place stays as it is, but for the address", async () => {
    const mail = await sent({ html: "<p>%recipient.name% at %recipient%</p>" });
    expect(await bytesOf(mail.id)).toContain("<p>%recipient.name% at ada@example.com</p>");
  });

  test("a template names them as recipient", async () => {
    await ask(posthorn, "POST /templates", {
      body: {
        name: "Card",
        alias: "card",
        subject: "Card",
        body: "<p>{{ recipient.name }}, {{ season }}</p>",
        type: "TRANSACTIONAL",
        from: `shop@${DOMAIN}`,
      },
    });
    const changes = {
      template: "card",
      "t:variables": '{"season":"May"}',
      subject: undefined,
      html: undefined,
      text: undefined,
    };
    const answer = await clientWith().messages.create(DOMAIN, { ...letter, ...filled(changes) });
    expect(await bytesOf(idIn(answer))).toContain("Ada, May");
  });

  test.each([
    ["that are no JSON", { "recipient-variables": "{" }],
    ["beside cc", { cc: "cyd@example.com" }],
    ["with a name that is none", { "recipient-variables": '{"ada@example.com":{"a b":1}}' }],
    ["beside a link that only Mailgun has", { html: "<a href='%unsubscribe_url%'>no more</a>" }],
    ["beside a name that only Mailgun knows", { html: "%recipient_fname%" }],
  ])("%s, the message is refused", async (_, changes) => {
    expect(await refusal(filled(changes))).toMatchObject({ status: 400 });
  });
});

describe("a complete message", () => {
  const mime = `From: shop@${DOMAIN}\nTo: ada@example.com\nSubject: Whole\nMessage-ID: <whole@${DOMAIN}>\n\nAs it is.\n`;

  test("leaves as it is, with tags and variables", async () => {
    const message = { to: ["ada@example.com", "bob@example.com"], message: mime, "o:tag": "whole", "v:n": "1" };
    const answer = await clientWith().messages.create(DOMAIN, message);
    expect(answer).toMatchObject({ id: `<whole@${DOMAIN}>`, message: "Queued. Thank you." });
    const { data } = (await ask(posthorn, "GET /emails?search=Whole")).body;
    expect(data.map(({ tags, metadata }: Json) => [tags, metadata])).toEqual([
      [["whole"], { n: "1" }],
      [["whole"], { n: "1" }],
    ]);
    expect(await bytesOf(data[0].id)).toContain("As it is.\r\n");
  });

  test.each([
    ["without a header", { message: "no header" }],
    ["with a field that it cannot have", { message: mime, subject: "Other" }],
    ["from a domain of others", { message: mime.replace(DOMAIN, "elsewhere.example") }],
  ])("%s is refused", async (_, changes) => {
    const refused = await clientWith()
      .messages.create(DOMAIN, { to: ["ada@example.com"], ...changes })
      .catch((error: Json) => error.status);
    expect(refused).toBe(400);
  });
});

describe("what is refused looks as Mailgun's own refusals", () => {
  test.each([
    ["an address that is none", { to: "nobody" }, 400],
    ["no text", { html: undefined }, 400],
    ["a sender of another domain than the path's", { from: "me@elsewhere.example" }, 400],
    ["a template that is not there", { template: "nothing", html: undefined }, 400],
    ["an option that is unknown", { "o:later": "yes" }, 400],
    ["an option that would be missed", { "o:require-tls": "yes" }, 400],
    ["a time that is none", { "o:deliverytime": "soon" }, 400],
    ["51 recipients of one message", { to: Array.from({ length: 51 }, (_, at) => `r${at}@example.com`) }, 400],
  ])("%s", async (_, changes, status) => {
    expect(await refusal(changes)).toMatchObject({ status, message: expect.not.stringContaining("emails.") });
  });

  test("an option is named, and one that changes nothing is named in a header", async () => {
    const refused = await refusal({ "o:later": "yes" });
    expect(refused["message"]).toContain("o:later");
    const fields = {
      from: letter.from,
      to: "ada@example.com",
      subject: "Hi",
      text: "Hi",
      "amp-html": "<html>",
      other: "1",
    };
    const reply = await posted(`/v3/${DOMAIN}/messages`, new URLSearchParams(fields));
    expect([reply.status, reply.headers.get("x-posthorn-ignored")]).toEqual([200, "amp-html, other"]);
  });

  test("a text in place of a file", async () => {
    const fields = { from: letter.from, to: "ada@example.com", subject: "Hi", text: "Hi", attachment: "text" };
    const reply = await posted(`/v3/${DOMAIN}/messages`, new URLSearchParams(fields));
    expect([reply.status, ((await reply.json()) as Json)["message"]]).toEqual([
      400,
      expect.stringContaining("attachment"),
    ]);
  });

  test("a message that comes as JSON", async () => {
    const reply = await posted(`/v3/${DOMAIN}/messages`, JSON.stringify(letter), {
      "content-type": "application/json",
    });
    expect([reply.status, ((await reply.json()) as Json)["message"]]).toEqual([
      400,
      expect.stringContaining("as a form"),
    ]);
  });

  test("an unknown key, no key, and one that may only read", async () => {
    expect(await refusal({}, "key-unknown")).toEqual({ status: 401, message: "Forbidden" });
    const bare = await fetch(`${origin()}/v3/${DOMAIN}/messages`, { method: "POST" });
    expect([bare.status, await bare.json()]).toEqual([401, { message: "Forbidden" }]);
    const { secret } = await addKeys(posthorn, { permissions: "read" });
    expect(await refusal({}, secret)).toMatchObject({ status: 403 });
  });

  test("a domain of another workspace is not there, and neither is one outside the key's scope", async () => {
    const other = await addWorkspace(posthorn, { name: "other", domain: "other.example" });
    const scoped = await addKeys(posthorn, { domains: ["elsewhere.example"] });
    const asked = [
      (client: Json) => client.messages.create(DOMAIN, letter),
      (client: Json) => client.events.get(DOMAIN),
      (client: Json) => client.suppressions.list(DOMAIN, "bounces"),
      (client: Json) => client.suppressions.destroy(DOMAIN, "bounces", "ada@example.com"),
      (client: Json) => client.suppressions.create(DOMAIN, "bounces", { address: "ada@example.com" }),
      (client: Json) => client.stats.getDomain(DOMAIN, { event: "accepted" }),
      (client: Json) => client.domains.get(DOMAIN),
    ];
    for (const call of asked)
      await expect(call(clientWith(other.secret))).rejects.toMatchObject({
        status: 404,
        details: `Domain not found: ${DOMAIN}`,
      });
    for (const call of asked.slice(0, 2))
      await expect(call(clientWith(scoped.secret))).rejects.toMatchObject({ status: 404 });
  });

  test("a call that is not there says what to use", async () => {
    const reply = await posted("/v1/analytics/logs", "{}", { "content-type": "application/json" });
    expect([reply.status, ((await reply.json()) as Json)["message"]]).toEqual([
      404,
      "Posthorn does not have this call of Mailgun. Use GET /v3/{domain}/events.",
    ]);
    await expect(clientWith().suppressions.destroy(DOMAIN, "bounces", "")).rejects.toMatchObject({ status: 404 });
  });
});

describe("events", () => {
  const eventsOf = async (query: object) => (await clientWith().events.get(DOMAIN, query)).items as Json[];

  test("tell what became of each mail", async () => {
    const tag = { "o:tag": "told", "v:order": "9" };
    for (const to of ["bounced@simulator.test", "complained@simulator.test", "delivered@simulator.test"])
      await sent({ ...tag, to, subject: `To ${to}` });
    await posthorn.settle();
    const found = await eventsOf({ tags: "told", ascending: "yes", event: "delivered OR failed OR complained" });
    const told = found.map(({ event, recipient, severity }: Json) => [event, recipient, severity ?? null]);
    expect(told.toSorted()).toEqual([
      ["complained", "complained@simulator.test", null],
      ["delivered", "complained@simulator.test", null],
      ["delivered", "delivered@simulator.test", null],
      ["failed", "bounced@simulator.test", "permanent"],
    ]);
    const failed = found.find(({ event }: Json) => event === "failed");
    expect(failed).toMatchObject({
      "log-level": "error",
      reason: "bounce",
      "recipient-domain": "simulator.test",
      tags: ["told"],
      "user-variables": { order: "9" },
      "delivery-status": { code: 550, "enhanced-code": expect.stringMatching(/^5\./), message: expect.any(String) },
      message: { headers: { to: "bounced@simulator.test", subject: "To bounced@simulator.test" } },
    });
    expect(found[0].timestamp).toBe(posthorn.clock.nowMs() / 1_000);
    // To an address that is suppressed now.
    await sent({ ...tag, to: "bounced@simulator.test" });
    await clientWith().suppressions.create(DOMAIN, "complaints", { address: "delivered@simulator.test" });
    await sent({ ...tag, to: "delivered@simulator.test" });
    await posthorn.settle();
    const suppressed = await eventsOf({ tags: "told", event: "failed", severity: "permanent" });
    expect(suppressed.map((one: Json) => [one.recipient, one.reason, one["delivery-status"].code]).toSorted()).toEqual([
      ["bounced@simulator.test", "bounce", 550],
      ["bounced@simulator.test", "suppress-bounce", 605],
      ["delivered@simulator.test", "suppress-complaint", 607],
    ]);
  });

  test("tell who unsubscribed by a link of ours", async () => {
    await ask(posthorn, "PATCH /workspace", { body: { postalAddress: "1 Road, Town" } });
    await ask(posthorn, "POST /contacts", { body: { email: "reader@example.com", subscribed: true } });
    const news = { name: "News", alias: "news", subject: "News", body: "<p>News</p>", from: `shop@${DOMAIN}` };
    await ask(posthorn, "POST /templates", { body: { ...news, type: "MARKETING" } });
    const mail = await sent({ template: "news", to: "reader@example.com", subject: undefined, html: undefined });
    const raw = (await bytesOf(mail.id)).replace(/\r\n[ \t]+/g, " ");
    const path = new URL(/List-Unsubscribe: <([^>]+)>/.exec(raw)?.[1] ?? "").pathname;
    await fetch(posthorn.server.url + path, {
      method: "POST",
      body: new URLSearchParams("List-Unsubscribe=One-Click"),
    });
    expect(await eventsOf({ event: "unsubscribed" })).toMatchObject([
      { recipient: "reader@example.com", message: { headers: { "message-id": `${mail.id}@${DOMAIN}` } } },
    ]);
    // The next one is refused, as it would be by our own call.
    expect(
      await refusal({ template: "news", to: "reader@example.com", subject: undefined, html: undefined }),
    ).toMatchObject({ status: 400 });
  });

  test("those of one call have the id that it was answered with", async () => {
    for (const several of [{ "recipient-variables": "{}" }, { cc: "fay@example.com" }]) {
      const to = ["dee@example.com", "eve@example.com"];
      const { id } = await clientWith().messages.create(DOMAIN, { ...letter, ...several, to });
      const told = await eventsOf({ "message-id": id, event: "accepted" });
      const ids = told.map((one: Json) => `<${one.message.headers["message-id"]}>`);
      expect(ids).toEqual(Array(several.cc ? 3 : 2).fill(id));
      await posthorn.settle();
    }
  });

  test("are filtered", async () => {
    const { id } = await sent({ "o:tag": ["filtered", "second"], to: "filter@example.com" });
    await posthorn.settle();
    const messageId = `${id}@${DOMAIN}`;
    for (const query of [
      { tags: "filtered AND second" },
      { tags: "filtered OR nothing" },
      { recipient: "filter@example.com" },
      { recipient: "filter@example.com OR nobody@example.com", from: `shop@${DOMAIN}` },
      { "message-id": messageId },
      { "message-id": `<${messageId}>`, event: "accepted OR opened" },
    ])
      expect([query, (await eventsOf(query)).map(({ recipient }: Json) => recipient)]).toEqual([
        query,
        expect.arrayContaining(["filter@example.com"]),
      ]);
    for (const query of [
      { tags: "filtered AND nothing" },
      { recipient: "nobody@example.com" },
      { "message-id": `nothing@${DOMAIN}` },
      { tags: "filtered", event: "rejected OR stored" },
      { tags: "filtered", begin: posthorn.clock.nowMs() / 1_000 + 1, ascending: "yes" },
      { tags: "filtered", begin: posthorn.clock.nowMs() / 1_000 - 1, ascending: "no" },
    ])
      expect([query, await eventsOf(query)]).toEqual([query, []]);
    for (const query of [
      { subject: "Hi" },
      { to: "ada@example.com" },
      { event: "sent" },
      { tags: "NOT a" },
      { begin: "soon" },
      { limit: 0 },
    ])
      await expect(eventsOf(query)).rejects.toMatchObject({ status: 400 });
  });

  test("come in pages that a client follows by their address alone, until one is empty", async () => {
    for (let count = 0; count < 5; count++) await sent({ "o:tag": "paged", subject: `Page ${count}` });
    await posthorn.settle();
    const authorization = `Basic ${btoa(`api:${posthorn.keys.secret}`)}`;
    const subjects: string[] = [];
    let url = `${origin()}/v3/${DOMAIN}/events?tags=paged&event=accepted&ascending=yes&limit=2`;
    for (;;) {
      const page = (await (await fetch(url, { headers: { authorization } })).json()) as Json;
      if (page.items.length === 0) break;
      subjects.push(...page.items.map((one: Json) => one.message.headers.subject));
      expect(new URL(page.paging.next).hostname).toBe(NAME);
      url = origin() + new URL(page.paging.next).pathname;
    }
    expect(subjects).toEqual([0, 1, 2, 3, 4].map((count) => `Page ${count}`));
    // A page that was empty goes on with what has come since.
    await sent({ "o:tag": "paged", subject: "Page 5" });
    const later = (await (await fetch(url, { headers: { authorization } })).json()) as Json;
    expect(later.items.map((one: Json) => one.message.headers.subject)).toEqual(["Page 5"]);
    // The newest first, unless a span is named.
    const client = clientWith().events;
    const newest = await client.get(DOMAIN, { tags: "paged", event: "accepted", limit: 4 });
    const oldest = await client.get(DOMAIN, { tags: "paged", page: newest.pages.next.page });
    const told = [...newest.items, ...oldest.items].map((one: Json) => one.message.headers.subject);
    expect(told).toEqual([5, 4, 3, 2, 1, 0].map((count) => `Page ${count}`));
    const forged = Buffer.from('["",{"log":["x"]}]').toString("base64url");
    expect((await fetch(`${origin()}/v3/${DOMAIN}/events/${forged}`, { headers: { authorization } })).status).toBe(400);
  });
});

describe("suppressions", () => {
  test("are added, listed by pages, found and taken off (slow)", async () => {
    const client = clientWith().suppressions;
    for (const [list, reason] of [
      ["bounces", "bounce"],
      ["complaints", "complaint"],
      ["unsubscribes", "manual"],
    ] as const) {
      const addresses = ["a", "b", "c"].map((name) => `${name}.${list}@ext.test`);
      await client.create(DOMAIN, list, { address: addresses[0] });
      await client.create(
        DOMAIN,
        list,
        addresses.slice(1).map((address) => ({ address })),
      );
      const { data } = (await ask(posthorn, "GET /suppressions?search=ext.test")).body;
      expect(data.filter((one: Json) => one.reason === reason)).toHaveLength(3);
      const seen: string[] = [];
      for (
        let page = await client.list(DOMAIN, list, { limit: 2 });
        page.items.length > 0;
        page = await client.list(DOMAIN, list, { page: page.pages.next.page })
      )
        seen.push(...page.items.map((one: Json) => one.address));
      expect(seen.filter((one) => one.endsWith("@ext.test")).toSorted()).toEqual(addresses);
      expect((await client.get(DOMAIN, list, addresses[0])).address).toBe(addresses[0]);
      expect(await client.destroy(DOMAIN, list, addresses[0])).toMatchObject({ address: addresses[0], status: 200 });
      await expect(client.get(DOMAIN, list, addresses[0])).rejects.toMatchObject({
        status: 404,
        details: `Address not found in ${list} table`,
      });
      await expect(client.destroy(DOMAIN, list, addresses[0])).rejects.toMatchObject({ status: 404 });
    }
  });

  test("an erased person's address stays suppressed, whoever sends to it", async () => {
    const erased = "erased@ext.test";
    const { id } = (await ask(posthorn, "POST /contacts", { body: { email: erased } })).body;
    await ask(posthorn, "POST /suppressions", { body: { address: erased } });
    await ask(posthorn, `DELETE /contacts/${id}`);
    await posthorn.settle();
    const mail = await sent({ to: erased });
    await posthorn.settle();
    expect((await mailOf(mail.id)).status).toBe("SKIPPED");
  });
});

test("sums of the domain are counted", async () => {
  await posthorn.settle();
  const { stats, resolution } = await clientWith().stats.getDomain(DOMAIN, {
    event: ["accepted", "delivered", "failed"],
    duration: "1d",
  });
  const accepted = stats.reduce((sum: number, one: Json) => sum + one.accepted.total, 0);
  expect([resolution, accepted > 0]).toEqual(["day", true]);
  await expect(clientWith().stats.getDomain(DOMAIN, { event: "sent" })).rejects.toMatchObject({ status: 400 });
});

test("domains are shown", async () => {
  expect(await clientWith().domains.list()).toMatchObject([{ name: DOMAIN, state: "active" }]);
  const found = await clientWith().domains.get(DOMAIN);
  expect(found).toMatchObject({ name: DOMAIN, state: "active" });
  expect(found.sending_dns_records.length).toBeGreaterThan(1);
});
