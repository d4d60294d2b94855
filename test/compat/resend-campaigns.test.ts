// Templates, broadcasts, domains and webhooks by Resend's own client for Node, unchanged but for its base address.
import { afterAll, beforeAll, describe, expect, setSystemTime, test } from "bun:test";
import { HOUR_MS } from "../../src/base/clock.ts";
import { FORMATS } from "../../src/programs/webhooks/formats/table.ts";
import type { Json, Posthorn } from "../support/posthorn.ts";
import { Receiver } from "../support/receiver.ts";
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
/** Those of Resend's types that have another name than ours. */
const NAMED: Readonly<Record<string, string>> = {
  "topic.joined": "contact.topics.updated",
  "topic.left": "contact.topics.updated",
  "email.deferred": "email.delivery_delayed",
  "email.delivery": "email.delivered",
  "email.bounce": "email.bounced",
  "email.complaint": "email.complained",
  "email.open": "email.opened",
  "email.click": "email.clicked",
};
const NOBODY = "0199a3b4-0000-7000-8000-000000000000";
const inAnHour = () => new Date(posthorn.clock.nowMs() + HOUR_MS).toISOString();

async function done(call: PromiseLike<Json>): Promise<Json> {
  const { data, error } = await call;
  if (error) throw new Error(`${error.name}: ${error.message}`);
  return data;
}
const refused = async (call: PromiseLike<Json>) => (await call).error;
const other = async (name: string) =>
  clientWith((await addWorkspace(posthorn, { name, domain: `${name}.example` })).secret);
const rawTo = (to: string) =>
  posthorn.transport.sent.findLast(({ envelope }) => envelope.recipient === to)?.raw.toString() ?? "";

describe("a template", () => {
  test("is made with its placeholders, read, sent, and removed", async () => {
    const { templates, emails } = clientWith();
    const made = await done(
      templates.create({
        name: "Order",
        alias: "order",
        from: "Shop <shop@example.test>",
        replyTo: ["help@example.test"],
        subject: "Order of {{{FIRST_NAME|you}}}",
        html: '<p>{{{PRODUCT}}} for {{{PRICE}}}, {{{NOTE|say "hi"}}}</p>',
        variables: [
          { key: "PRODUCT", type: "string", fallbackValue: "an item" },
          { key: "PRICE", type: "number", fallbackValue: 25 },
        ],
      }),
    );
    expect(made).toEqual({ object: "template", id: expect.any(String) });
    const shown = await done(templates.get("order"));
    expect(shown).toMatchObject({
      object: "template",
      id: made.id,
      alias: "order",
      status: "published",
      from: "Shop <shop@example.test>",
      reply_to: ["help@example.test"],
      has_unpublished_versions: false,
    });
    expect(shown.variables).toMatchObject([
      { key: "NOTE", type: "string", fallback_value: 'say "hi"' },
      { key: "PRICE", type: "number", fallback_value: 25 },
      { key: "PRODUCT", type: "string", fallback_value: "an item" },
      { key: "first_name", type: "string", fallback_value: "you" },
    ]);
    await done(emails.send({ to: "t1@example.com", template: { id: "order", variables: { PRODUCT: "<b>Tea</b>" } } }));
    await posthorn.settle();
    expect(rawTo("t1@example.com")).toContain('<p><b>Tea</b> for 25, say "hi"</p>');
    expect(rawTo("t1@example.com")).toContain("Subject: Order of you");
    expect(await done(templates.remove("order"))).toEqual({ object: "template", id: made.id, deleted: true });
    expect(await refused(templates.get("order"))).toMatchObject({ statusCode: 404, name: "not_found" });
  });

  test("sends another text once it is published, and its fallbacks stay", async () => {
    const { templates, emails } = clientWith();
    const { id } = await done(
      templates
        .create({
          name: "News",
          from: "shop@example.test",
          subject: "News",
          html: "<p>{{{WHAT}}}</p>",
          variables: [{ key: "WHAT", type: "string", fallbackValue: "nothing" }],
        })
        .publish(),
    );
    const text = async (to: string) => {
      await done(emails.send({ to, template: { id } }));
      await posthorn.settle();
      return /<p>.*<\/p>/.exec(rawTo(to))?.[0];
    };
    expect(await done(templates.update(id, { html: "<p>New: {{{WHAT}}}</p>" }))).toEqual({ object: "template", id });
    expect((await done(templates.get(id))).has_unpublished_versions).toBe(true);
    expect(await text("t2@example.com")).toBe("<p>nothing</p>");
    expect(await done(templates.publish(id))).toEqual({ object: "template", id });
    expect(await text("t3@example.com")).toBe("<p>New: nothing</p>");
    await done(templates.update(id, { variables: [{ key: "WHAT", type: "string", fallbackValue: "all" }] }));
    await done(templates.publish(id));
    expect(await text("t4@example.com")).toBe("<p>New: all</p>");
    const copy = await done(templates.duplicate(id));
    expect(await done(templates.get(copy.id))).toMatchObject({
      name: "News (Copy)",
      html: expect.stringContaining("all"),
    });
  });

  test("is found in a list, from both sides", async () => {
    const own = await other("lists");
    for (const name of ["a", "b", "c"]) await done(own.templates.create({ name, subject: "S", html: "<p>x</p>" }));
    const names = ({ data, has_more }: Json) => [data.map(({ name }: Json) => name).join(""), has_more];
    const first = await done(own.templates.list({ limit: 2 }));
    expect(names(first)).toEqual(["cb", true]);
    const rest = await done(own.templates.list({ limit: 2, after: first.data[1].id }));
    expect(names(rest)).toEqual(["a", false]);
    expect(names(await done(own.templates.list({ limit: 1, before: rest.data[0].id })))).toEqual(["b", true]);
    expect((await done(clientWith().templates.list())).data.map(({ name }: Json) => name)).not.toContain("a");
    expect((await refused(clientWith().templates.get(rest.data[0].id))).name).toBe("not_found");
  });

  test("may have variables of any name", async () => {
    const { templates } = clientWith();
    const html = "<p>{{{constructor}}} {{{toString|x}}}</p>";
    const { id } = await done(templates.create({ name: "Odd", subject: "S", html }));
    expect((await done(templates.get(id))).html).toBe('<p>{{{ constructor }}} {{{ toString ?? "x" }}}</p>');
  });

  test.each([
    ["without a subject", { subject: undefined }],
    [
      "with a fallback that is no plain number",
      { html: "{{{A}}}", variables: [{ key: "A", type: "number", fallbackValue: 1e21 }] },
    ],
    ["whose placeholder cannot be written in Liquid", { html: '<p>{{{A|it\'s "so"}}}</p>' }],
    ["with two addresses for replies", { replyTo: ["a@example.test", "b@example.test"] }],
    ["with an alias that is none", { alias: "No Alias" }],
  ])("%s is refused", async (_, changes) => {
    const { templates } = clientWith();
    const template = { name: "Refused", subject: "S", html: "<p>x</p>", ...changes };
    expect(await refused(templates.create(template))).toMatchObject({ statusCode: 422, name: "validation_error" });
  });
});

describe("a broadcast", () => {
  let segmentId: string;
  beforeAll(async () => {
    const { segments, contacts } = clientWith();
    segmentId = (await done(segments.create({ name: "Readers" }))).id;
    for (const [email, firstName] of [
      ["ada@example.com", "Ada"],
      ["bob@example.com", undefined],
    ])
      await done(contacts.create({ email, firstName, segments: [{ id: segmentId }] }));
  });
  const letter = () => ({
    segmentId,
    from: "Shop <shop@example.test>",
    subject: "Hi {{{contact.first_name|there}}}",
    html: '<p>Hi {{{FIRST_NAME|there}}}</p><a href="{{{RESEND_UNSUBSCRIBE_URL}}}">leave</a>',
    previewText: "Spring",
    replyTo: "help@example.test",
  });

  test("is a draft, is changed and sent to the people of the segment", async () => {
    const { broadcasts } = clientWith();
    const { id } = await done(broadcasts.create({ ...letter(), name: "First" }));
    expect(await done(broadcasts.get(id))).toMatchObject({
      ...{ object: "broadcast", id, name: "First", segment_id: segmentId, status: "draft" },
      ...{ from: "Shop <shop@example.test>", reply_to: ["help@example.test"], preview_text: "Spring", sent_at: null },
    });
    expect(await done(broadcasts.update(id, { name: "Renamed", text: "Hi" }))).toEqual({ id });
    const { data, headers } = await broadcasts.send(id);
    expect([data, headers["x-posthorn-warning"]]).toEqual([{ id }, expect.stringContaining("no postal address")]);
    await posthorn.settle();
    expect(await done(broadcasts.get(id))).toMatchObject({
      name: "Renamed",
      status: "sent",
      sent_at: expect.any(String),
    });
    expect(rawTo("ada@example.com")).toContain("Subject: Hi Ada");
    expect(rawTo("bob@example.com")).toContain("<p>Hi there</p>");
    expect(rawTo("ada@example.com")).toMatch(/href=3D"http[^"]+">leave|href="http[^"]+">leave/);
    expect(await refused(broadcasts.send(id))).toMatchObject({ statusCode: 400, name: "validation_error" });
    expect(await refused(broadcasts.remove(id))).toMatchObject({ statusCode: 400, name: "validation_error" });
  });

  test("for later waits, is a draft again when it is cancelled, and is removed", async () => {
    const { broadcasts } = clientWith();
    const { id } = await done(broadcasts.create(letter()));
    await done(broadcasts.send(id, { scheduledAt: inAnHour() }));
    expect(await done(broadcasts.get(id))).toMatchObject({ status: "scheduled", scheduled_at: inAnHour() });
    expect(await done(broadcasts.cancel(id))).toEqual({ object: "broadcast", id });
    expect(await done(broadcasts.get(id))).toMatchObject({ status: "draft", scheduled_at: null });
    await done(broadcasts.send(id, { scheduledAt: inAnHour() }));
    expect(await done(broadcasts.remove(id))).toEqual({ object: "broadcast", id, deleted: true });
    expect((await refused(broadcasts.get(id))).name).toBe("not_found");
  });

  test("is made and sent in one call, once under a key; what cannot be sent is not made", async () => {
    const { broadcasts, segments } = clientWith();
    const count = async () => (await done(broadcasts.list({ limit: 100 }))).data.length;
    const before = await count();
    const key = { headers: { "Idempotency-Key": "spring" } };
    const once = { ...letter(), send: true, scheduledAt: inAnHour() };
    const { data: first, headers } = await broadcasts.create(once, key);
    expect(headers["x-posthorn-warning"]).toContain("Settings > General");
    expect(await done(broadcasts.create(once, key))).toEqual(first);
    expect(await count()).toBe(before + 1);
    expect((await done(broadcasts.get(first.id))).status).toBe("scheduled");
    const empty = (await done(segments.create({ name: "Nobody" }))).id;
    for (const changes of [{ segmentId: empty }, { from: "me@elsewhere.example" }])
      expect(await refused(broadcasts.create({ ...letter(), ...changes, send: true }))).not.toBeNull();
    expect(await count()).toBe(before + 1);
    const now = await done(broadcasts.create({ ...letter(), send: true }));
    await posthorn.settle();
    expect((await done(broadcasts.get(now.id))).status).toBe("sent");
  });

  test("is stopped while it is sent, and copied", async () => {
    const { broadcasts } = clientWith();
    const { id } = await done(broadcasts.create({ ...letter(), send: true }));
    expect(await done(broadcasts.cancel(id))).toEqual({ object: "broadcast", id });
    expect((await done(broadcasts.get(id))).status).toBe("canceled");
    const copy = await done(broadcasts.duplicate(id));
    expect(await done(broadcasts.get(copy.id))).toMatchObject({ status: "draft", segment_id: segmentId });
    const page = await done(broadcasts.list({ limit: 1 }));
    expect([page.data[0].id, page.has_more]).toEqual([copy.id, true]);
    expect((await done(broadcasts.list({ limit: 1, after: copy.id }))).data[0].id).toBe(id);
    expect((await done(broadcasts.list({ before: id }))).data.map((one: Json) => one.id)).toEqual([copy.id]);
  });

  test.each([
    ["to nobody", { segmentId: undefined }, 422],
    ["of text alone", { html: undefined, text: "Hi" }, 422],
    ["that is perhaps sent", { send: "yes" }, 422],
    ["about a topic that is not there", { topicId: NOBODY }, 422],
    ["in an hour's words", { send: true, scheduledAt: "in 1 hour" }, 422],
    ["for a segment that is not there", { segmentId: NOBODY }, 404],
  ])("%s is refused", async (_, changes, statusCode) => {
    expect(await refused(clientWith().broadcasts.create({ ...letter(), ...changes }))).toMatchObject({ statusCode });
  });

  test("of another workspace is nobody's, and a key that may only read sends none", async () => {
    const { id } = await done(clientWith().broadcasts.create(letter()));
    const stranger = await other("strangers");
    for (const call of [
      stranger.broadcasts.get(id),
      stranger.broadcasts.update(id, { name: "Mine" }),
      stranger.broadcasts.send(id),
      stranger.broadcasts.cancel(id),
      stranger.broadcasts.duplicate(id),
      stranger.broadcasts.remove(id),
    ])
      expect(await refused(call)).toMatchObject({ statusCode: 404, name: "not_found" });
    const reader = clientWith((await addKeys(posthorn, { permissions: "read" })).secret);
    expect((await done(reader.broadcasts.get(id))).id).toBe(id);
    expect((await refused(reader.broadcasts.send(id))).name).toBe("restricted_api_key");
  });
});

describe("a domain", () => {
  test("is added with its records, checked and removed", async () => {
    const { domains } = clientWith();
    const { data: made, headers } = await domains.create({
      ...{ name: "news.example.com", region: "eu-west-1", openTracking: false, clickTracking: false },
    });
    expect(headers["x-posthorn-ignored"]).toBe("region");
    expect(made).toMatchObject({ name: "news.example.com", status: "not_started", open_tracking: false });
    expect(made.records).toContainEqual({
      record: "DKIM",
      name: expect.stringMatching(/\._domainkey\.news\.example\.com$/),
      type: "TXT",
      ttl: "Auto",
      status: "not_started",
      value: expect.stringContaining("p="),
    });
    expect(await done(domains.verify(made.id))).toEqual({ object: "domain", id: made.id });
    const checked = await done(domains.get(made.id));
    expect(checked).toMatchObject({ object: "domain", id: made.id, status: "pending" });
    expect(checked.records.map(({ status }: Json) => status)).toContain("pending");
    const { data } = await done(domains.list());
    expect(data.map(({ name, status }: Json) => `${name} ${status}`)).toEqual([
      "news.example.com pending",
      "example.test verified",
    ]);
    expect(await done(domains.update({ id: made.id, openTracking: false, tls: "opportunistic" }))).toEqual({
      object: "domain",
      id: made.id,
    });
    expect(await done(domains.remove(made.id))).toEqual({ object: "domain", id: made.id, deleted: true });
    expect(await refused(domains.get(made.id))).toMatchObject({ statusCode: 404, name: "not_found" });
  });

  test("with a tracking that only marketing email has is refused", async () => {
    const client = await other("marketers");
    const own = { authorization: `Bearer ${client.key}` };
    await posthorn.call("PATCH /workspace", { tracking: "MARKETING_ONLY" }, own);
    for (const openTracking of [true, false])
      expect((await refused(client.domains.create({ name: "z.example.com", openTracking }))).statusCode).toBe(422);
    expect((await done(client.domains.list())).data[0]).toMatchObject({
      open_tracking: true,
      capabilities: { sending: "enabled", receiving: "disabled" },
    });
  });

  test.each([
    ["tracking that the workspace does not have", { openTracking: true }],
    ["TLS or nothing", { tls: "enforced" }],
    ["a name that is none", { name: "no domain" }],
  ])("with %s is refused", async (_, changes) => {
    expect(await refused(clientWith().domains.create({ name: "x.example.com", ...changes }))).toMatchObject({
      statusCode: 422,
      name: "validation_error",
    });
  });

  test("of another workspace is nobody's, and a key of one domain manages none", async () => {
    const { id } = (await done(clientWith().domains.list())).data[0];
    const stranger = await other("neighbours");
    for (const call of [
      stranger.domains.get(id),
      stranger.domains.verify(id),
      stranger.domains.update({ id, openTracking: false }),
      stranger.domains.remove(id),
    ])
      expect(await refused(call)).toMatchObject({ statusCode: 404, name: "not_found" });
    const scoped = clientWith((await addKeys(posthorn, { domains: ["example.test"] })).secret);
    expect((await refused(scoped.domains.create({ name: "y.example.com" }))).name).toBe("restricted_api_key");
    expect((await refused(scoped.webhooks.create({ endpoint: "https://a.example", events: [] }))).name).toBe(
      "restricted_api_key",
    );
  });

  test("that is added and removed is in the audit log, as by our own call", async () => {
    const { domains } = clientWith();
    const { id } = await done(domains.create({ name: "audited.example.com" }));
    await done(domains.remove(id));
    const rows = await posthorn.store.read(
      (reader) => reader.all<Json>`select action, target_kind as kind, target_name as name from audit order by seq`,
    );
    expect(rows.slice(-2)).toEqual([
      { action: "createDomain", kind: "domains", name: "audited.example.com" },
      { action: "deleteDomain", kind: "domains", name: "audited.example.com" },
    ]);
  });
});

describe("a webhook", () => {
  test("is made with a secret, changed, listed and removed", async () => {
    const { webhooks } = clientWith();
    const endpoint = "https://app.example.com/hook";
    const made = await done(webhooks.create({ endpoint, events: ["email.delivered", "email.bounced"] }));
    expect(made).toEqual({
      object: "webhook",
      id: expect.any(String),
      signing_secret: expect.stringMatching(/^whsec_/),
    });
    expect(await done(webhooks.get(made.id))).toMatchObject({
      ...{ object: "webhook", id: made.id, endpoint, status: "enabled", signing_secret: made.signing_secret },
      events: ["email.delivered", "email.bounced"],
    });
    expect((await ask(posthorn, `GET /webhooks/${made.id}`)).body.events).toEqual(["email.delivery", "email.bounce"]);
    await done(webhooks.update(made.id, { status: "disabled", events: ["email.opened"] }));
    expect((await done(webhooks.list())).data).toMatchObject([
      { id: made.id, endpoint, status: "disabled", events: ["email.opened"] },
    ]);
    const rotated = await done(webhooks.rotateSigningSecret(made.id));
    expect(rotated.signing_secret).not.toBe(made.signing_secret);
    expect((await refused((await other("listeners")).webhooks.get(made.id))).name).toBe("not_found");
    expect(await done(webhooks.remove(made.id))).toEqual({ object: "webhook", id: made.id, deleted: true });
    expect((await refused(webhooks.get(made.id))).name).toBe("not_found");
  });

  test("has each event of its format, and what it is sent is verified with its secret (slow)", async () => {
    using there = new Receiver();
    await using own = await workspace({ config: { webhooks: { allow: ["127.0.0.1"], timeoutSeconds: 1 } } });
    const client = resendClient(own, own.keys.secret);
    const types = Object.keys(FORMATS.resend.bodies ?? {});
    const events = [...new Set(types.map((type) => NAMED[type] ?? type))];
    const made = await done(client.webhooks.create({ endpoint: there.url, events }));
    expect((await done(client.webhooks.get(made.id))).events.toSorted()).toEqual(events.toSorted());
    const { format, events: ours } = (await ask(own, `GET /webhooks/${made.id}`)).body;
    expect([format, ours.toSorted()]).toEqual(["resend", types.toSorted()]);
    const email = { from: "shop@example.test", to: "delivered@simulator.test", subject: "Hi", html: "<p>Hi</p>" };
    const { id } = await done(client.emails.send(email));
    await done(client.topics.create({ name: "News", defaultSubscription: "opt_in" }));
    const topics = [{ id: "news", subscription: "opt_out" }];
    await done(client.contacts.topics.update({ email: email.to, topics }));
    await own.settle();
    setSystemTime(own.clock.nowMs());
    const verified = there.received.map(({ headers, body: payload }) => {
      const named = (name: string) => headers.get(`svix-${name}`) ?? "";
      const signed = { id: named("id"), timestamp: named("timestamp"), signature: named("signature") };
      return client.webhooks.verify({ payload, headers: signed, webhookSecret: made.signing_secret });
    });
    setSystemTime();
    expect(verified.find(({ type }) => type === "email.delivered")?.data).toMatchObject({ email_id: id });
    expect(verified.find(({ type }) => type === "contact.topics.updated")?.data).toEqual({ email: email.to, topics });
  });

  test.each([
    ["of an event that never comes", { events: ["topic.created"] }],
    ["in a state that is none", { status: "on" }],
    ["to no URL", { endpoint: "nowhere" }],
  ])("%s is refused", async (_, changes) => {
    const webhook = { endpoint: "https://app.example.com/hook", events: ["email.sent"], ...changes };
    expect(await refused(clientWith().webhooks.create(webhook))).toMatchObject({ statusCode: 422 });
  });
});
