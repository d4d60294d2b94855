// /webhooks: endpoints are told of events, signed, and their deliveries can be looked at and sent again.
import { createHmac } from "node:crypto";
import { afterEach, expect, test } from "bun:test";
import { openEvents } from "../../src/tenant/events/room.ts";
import type { Ground } from "../../src/ground/ground.ts";
import { createLog } from "../../src/base/log.ts";
import { EVENT_TYPES } from "../../src/tenant/events/catalog.ts";
import { TestClock } from "../support/clock.ts";
import { letter } from "../support/mails.ts";
import { startPosthorn, type Json, type Posthorn } from "../support/posthorn.ts";
import { somebody } from "../support/people.ts";
import { Receiver, type Received } from "../support/receiver.ts";
import { ask } from "../support/scenario.ts";
import { addWorkflow, DAY, track } from "../support/workflows.ts";
import { addWorkspace } from "../support/workspaces.ts";
import { workspace } from "../support/workspace.ts";

const receivers: Receiver[] = [];
afterEach(() => receivers.splice(0).forEach((one) => one.stop()));

function receiver(): Receiver {
  const one = new Receiver();
  receivers.push(one);
  return one;
}

/** Receivers live on loopback, which has to be opened. */
function open(): Promise<Posthorn> {
  return workspace({ config: { webhooks: { allow: ["127.0.0.1"], timeoutSeconds: 1 } } });
}

async function add(
  posthorn: Posthorn,
  there: Receiver,
  events: readonly string[],
  changes: object = {},
): Promise<Json> {
  const reply = await ask(posthorn, "POST /webhooks", { body: { url: `${there.url}/in`, events, ...changes } });
  expect([reply.status, reply.body.error]).toEqual([201, undefined]);
  return reply.body;
}

async function deliveries(posthorn: Posthorn, { id }: Json, query = ""): Promise<Json[]> {
  return (await ask(posthorn, `GET /webhooks/${id}/deliveries${query}`)).body.data;
}

function bodies({ received }: Receiver): Json[] {
  return received.map(({ body }) => JSON.parse(body));
}

function isSignedBy({ headers, body }: Received, secret: string): boolean {
  const [id, timestamp] = [headers.get("webhook-id"), headers.get("webhook-timestamp")];
  const key = Buffer.from(secret.slice("whsec_".length), "base64");
  const signature = createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64");
  return (headers.get("webhook-signature") ?? "").split(" ").includes(`v1,${signature}`);
}

test("an event is sent to each endpoint that names its type, signed by the endpoint's own secret", async () => {
  const [one, two, third] = [receiver(), receiver(), receiver()];
  await using posthorn = await open();
  const first = await add(posthorn, one, ["email.*"], { headers: { Authorization: "Bearer x" } });
  const second = await add(posthorn, two, ["*"]);
  await add(posthorn, third, ["contact.unsubscribed"]);
  await ask(posthorn, "POST /v1/send", { body: letter });
  await posthorn.settle();
  const sent = bodies(one).find(({ type }) => type === "email.sent");
  expect(sent).toMatchObject({
    createdAt: expect.any(String),
    workspaceId: expect.any(String),
    data: {
      to: "ada@example.com",
      subject: letter.subject,
      contact: { email: "ada@example.com", subscribed: expect.any(Boolean) },
    },
  });
  const there = one.received.find(({ body }) => body.includes('"email.sent"')) as Received;
  expect([there.method, there.url.pathname, there.headers.get("authorization")]).toEqual(["POST", "/in", "Bearer x"]);
  expect([there.headers.get("webhook-id"), isSignedBy(there, first.secret)]).toEqual([sent.id, true]);
  expect(isSignedBy(there, second.secret)).toBe(false);
  expect(bodies(two).map(({ type }) => type)).toContain("email.sent");
  expect(third.received).toEqual([]);
});

test("custom events and segments have one type each, with their names inside", async () => {
  const there = receiver();
  await using posthorn = await open();
  await add(posthorn, there, ["event.tracked", "segment.entry"]);
  const segment = await ask(posthorn, "POST /segments", {
    body: {
      name: "Customers",
      trackMembership: true,
      condition: { logic: "AND", groups: [{ filters: [{ field: "plan", operator: "equals", value: "pro" }] }] },
    },
  });
  expect(segment.status).toBe(201);
  await track(posthorn, "order.paid", { total: 42 });
  await posthorn.settle();
  // As the type itself is called.
  await track(posthorn, "event.tracked", {});
  await posthorn.settle();
  await ask(posthorn, "POST /contacts", { body: { email: "ada@example.com", data: { plan: "pro" } } });
  await posthorn.settle();
  expect(bodies(there)).toMatchObject([
    { type: "event.tracked", data: { name: "order.paid", data: { total: 42 }, contact: { email: "ada@example.com" } } },
    { type: "event.tracked", data: { name: "event.tracked" } },
    { type: "segment.entry", data: { segmentName: "Customers", contact: { email: "ada@example.com" } } },
  ]);
});

test("contacts that are made or changed are told whole", async () => {
  const there = receiver();
  await using posthorn = await open();
  await add(posthorn, there, ["contact.created", "contact.updated"]);
  await ask(posthorn, "POST /contacts", { body: { email: "ada@example.com", data: { plan: "free" } } });
  await posthorn.settle();
  await ask(posthorn, "POST /contacts", { body: { email: "ada@example.com", data: { plan: "pro" } } });
  await posthorn.settle();
  expect(bodies(there)).toMatchObject([
    { type: "contact.created", data: { contact: { email: "ada@example.com", data: { plan: "free" } } } },
    { type: "contact.updated", data: { contact: { email: "ada@example.com", data: { plan: "pro" } } } },
  ]);
});

test("an endpoint with tags hears of emails with one of them, and of all other events (slow)", async () => {
  const [one, two] = [receiver(), receiver()];
  await using posthorn = await open();
  const tagged = await add(posthorn, one, ["email.*", "event.tracked"], { tags: ["receipt", "order:shop", "receipt"] });
  const all = await add(posthorn, two, ["email.sent"], { tags: null });
  expect([tagged.tags, all.tags]).toEqual([["receipt", "order:shop"], []]);
  const tell = async (tags: readonly string[] | undefined, subject: string) =>
    ask(posthorn, "POST /v1/send", { body: { ...letter, tags, subject } });
  await tell(["spring", "order:shop"], "both");
  await tell(["spring", "order:other"], "another");
  await tell(undefined, "none");
  await track(posthorn, "order.paid", { tags: ["spring"] });
  await posthorn.settle();
  const told = () => bodies(one).map(({ type, data }) => `${type} ${data.subject ?? data.name}`);
  expect(told().toSorted()).toEqual(["email.accepted both", "email.sent both", "event.tracked order.paid"]);
  expect(
    bodies(two)
      .map(({ data }) => data.subject)
      .toSorted(),
  ).toEqual(["another", "both", "none"]);
  // What another endpoint was told of is known, and yet not replayed to this one.
  one.received.length = 0;
  const since = "2026-03-01T00:00:00Z";
  const replayed = () =>
    ask(posthorn, `POST /webhooks/${tagged.id}/replay`, { body: { since, types: ["email.sent"], all: true } });
  expect((await replayed()).body.replayed).toBe(1);
  await posthorn.settle();
  expect(told()).toEqual(["email.sent both"]);
  const change = (body: object) => ask(posthorn, `PATCH /webhooks/${tagged.id}`, { body });
  expect((await change({ description: "The shop" })).body.tags).toEqual(["receipt", "order:shop"]);
  expect((await change({ tags: [] })).body.tags).toEqual([]);
  expect((await replayed()).body.replayed).toBe(3);
  await tell(undefined, "later");
  await posthorn.settle();
  expect(told()).toContain("email.sent later");
  expect((await change({ tags: ["no tag"] })).body.error.errors[0].field).toBe("tags.0");
});

test("nothing is written where no endpoint listens", async () => {
  const there = receiver();
  await using posthorn = await open();
  const { id } = await add(posthorn, there, ["email.bounce"]);
  const outbox = () => posthorn.store.read((reader) => reader.all`select subjects from outbox`);
  await ask(posthorn, "POST /v1/send", { body: letter });
  expect(await outbox()).toEqual([]);
  await ask(posthorn, `PATCH /webhooks/${id}`, { body: { events: ["contact.updated", "contact.created"] } });
  await ask(posthorn, "POST /contacts", { body: { email: "eve@example.com" } });
  expect(await outbox()).toHaveLength(1);
  await ask(posthorn, `DELETE /webhooks/${id}`);
  await posthorn.settle();
  await ask(posthorn, "POST /contacts", { body: { email: "bob@example.com" } });
  expect(await outbox()).toEqual([]);
  expect(there.received).toEqual([]);
});

test("what endpoints are told waits by itself, so that it holds up no workflow and no segment", async () => {
  const there = receiver();
  await using posthorn = await open();
  await add(posthorn, there, ["event.tracked"]);
  await addWorkflow(posthorn, [{ type: "EXIT", name: "End", config: {} }]);
  const hearers = async () =>
    (await posthorn.store.read(
      (reader) => reader.all`select for_endpoints from outbox order by for_endpoints`,
    )) as Json[];
  await track(posthorn, "signup");
  expect((await hearers()).map((row) => row["for_endpoints"])).toEqual([0, 1]);
  await posthorn.settle();
  await track(posthorn, "other");
  expect((await hearers()).map((row) => row["for_endpoints"])).toEqual([1]);
});

test("while callers come by the hundred, endpoints are told of little, and of all of it afterwards", async () => {
  const clock = new TestClock();
  await using posthorn = await startPosthorn({ clock });
  let isCrowded = true;
  const told: number[] = [];
  const consume = async (_: unknown, rows: readonly unknown[]) => void told.push(rows.length);
  const { store } = posthorn.server;
  const log = createLog({ level: "error", format: "text", clock, write: () => {} });
  const room = openEvents({ store, clock, log } as unknown as Ground, {
    inside: [],
    endpoints: { name: "told", consume },
    isCrowded: () => isCrowded,
  });
  const step = room.loops?.[1]?.step as () => Promise<number>;
  await ask(posthorn, "POST /webhooks", { body: { url: "https://example.com", events: ["event.tracked"] } });
  for (let n = 0; n < 25; n++) await track(posthorn, `event ${n}`);
  expect([await step(), await step(), told]).toEqual([1_000, 1_000, [2]]);
  clock.advance(1_000);
  expect([await step(), told]).toEqual([1_000, [2, 2]]);
  isCrowded = false;
  expect([await step(), told]).toEqual([0, [2, 2, 10]]);
});

test("deliveries show the request and each answer, and one can be sent again with the same id", async () => {
  const there = receiver();
  there.answer = (_, count) => new Response(`no. ${count}`, { status: count === 1 ? 503 : 422 });
  await using posthorn = await open();
  const hook = await add(posthorn, there, ["event.tracked"], { headers: { "X-Token": "secret" } });
  await track(posthorn, "order.paid");
  await posthorn.settle();
  posthorn.clock.advance(5_000);
  await posthorn.settle();
  const [one] = await deliveries(posthorn, hook);
  expect(one).toMatchObject({ type: "event.tracked", state: "FAILED", attemptCount: 2, status: 422, nextAt: null });
  const path = `/webhooks/${hook.id}/deliveries/${one.id}`;
  const whole = (await ask(posthorn, `GET ${path}`)).body;
  expect(whole.request).toMatchObject({ url: hook.url, headers: { "X-Token": "secret", "webhook-id": one.id } });
  expect(whole.request.body).toBe(there.received[0]?.body);
  expect(whole.attempts).toMatchObject([
    { number: 1, outcome: "later", status: 503, answer: "no. 1" },
    { number: 2, outcome: "failed", status: 422, answer: "no. 2" },
  ]);
  expect(await deliveries(posthorn, hook, "?state=FAILED")).toHaveLength(1);
  there.answer = () => new Response("thanks");
  expect((await ask(posthorn, `POST ${path}/replay`)).status).toBe(200);
  await posthorn.settle();
  expect((await ask(posthorn, `GET ${path}`)).body).toMatchObject({ state: "DELIVERED", attemptCount: 3, status: 200 });
  expect(new Set(there.received.map(({ headers }) => headers.get("webhook-id"))).size).toBe(1);
  expect(await deliveries(posthorn, hook, "?state=FAILED")).toEqual([]);
});

test("a delivery shows what was sent once, and a stored answer about somebody goes with that person", async () => {
  const there = receiver();
  await using posthorn = await open();
  const hook = await add(posthorn, there, ["event.tracked"], {
    headers: { "Content-Type": "application/cloudevents" },
  });
  const contact = await track(posthorn, "one");
  await posthorn.settle();
  const [one] = await deliveries(posthorn, hook);
  const again = await ask(posthorn, `POST /webhooks/${hook.id}/deliveries/${one?.id}/replay`, {
    headers: { "Idempotency-Key": "again" },
  });
  expect(again.body).toMatchObject({
    contactId: contact,
    request: { body: expect.stringContaining("ada@example.com") },
  });
  expect(Object.keys(again.body.request.headers)).toEqual(["Content-Type", "webhook-id"]);
  await ask(posthorn, `DELETE /contacts/${contact}`);
  await posthorn.settle();
  const answers = await posthorn.store.read(
    (reader) => reader.all<{ body: string }>`select body from idempotency_keys`,
  );
  expect(answers.filter(({ body }) => body.includes("ada@example.com"))).toEqual([]);
});

test("a webhook that moved is told at its new place, unless the answer says that it has been told (slow)", async () => {
  for (const [status, method] of [
    [301, "POST"],
    [302, "POST"],
    [303, "GET"],
  ] as const) {
    const there = receiver();
    there.answer = ({ url }) =>
      url.pathname === "/in" ? new Response("", { status, headers: { location: "/new" } }) : new Response("");
    await using posthorn = await open();
    await add(posthorn, there, ["event.tracked"]);
    await track(posthorn, "one");
    await posthorn.settle();
    const [, second] = there.received;
    expect([status, second?.method, second?.body.includes("event.tracked")]).toEqual([
      status,
      method,
      method === "POST",
    ]);
  }
});

test("pages of deliveries follow each other", async () => {
  const there = receiver();
  await using posthorn = await open();
  const hook = await add(posthorn, there, ["event.tracked"]);
  for (let n = 0; n < 5; n++) await track(posthorn, `event ${n}`);
  await posthorn.settle();
  const whole = (await deliveries(posthorn, hook)).map(({ id }) => id);
  expect(whole).toEqual(whole.toSorted().toReversed());
  const first = (await ask(posthorn, `GET /webhooks/${hook.id}/deliveries?limit=3`)).body;
  const rest = (await ask(posthorn, `GET /webhooks/${hook.id}/deliveries?limit=3&cursor=${first.cursor}`)).body;
  expect([...first.data, ...rest.data].map(({ id }: Json) => id)).toEqual(whole);
  expect([first.hasMore, rest.hasMore, rest.cursor]).toEqual([true, false, null]);
});

test("for the time of an overlap the secret before signs as well", async () => {
  const there = receiver();
  await using posthorn = await open();
  const hook = await add(posthorn, there, ["event.tracked"]);
  const rotated = (await ask(posthorn, `POST /webhooks/${hook.id}/rotate-secret`, { body: { overlapHours: 2 } })).body;
  expect([rotated.secret === hook.secret, rotated.formerSecretUntil]).toEqual([false, "2026-03-01T11:00:00.000Z"]);
  const again = await ask(posthorn, `POST /webhooks/${hook.id}/rotate-secret`, { body: { overlapHours: 2 } });
  expect([again.status, again.body.error.reason]).toEqual([400, "overlap_runs"]);
  await track(posthorn, "one");
  await posthorn.settle();
  posthorn.clock.advance(2 * 3_600_000);
  await track(posthorn, "two");
  await posthorn.settle();
  const signed = there.received.map((one) => [isSignedBy(one, rotated.secret), isSignedBy(one, hook.secret)]);
  expect(signed).toEqual([
    [true, true],
    [true, false],
  ]);
});

test("there is an example of every type, and one goes to this endpoint alone, also while it is off", async () => {
  const [there, other] = [receiver(), receiver()];
  await using posthorn = await open();
  const hook = await add(posthorn, there, ["email.sent"], { enabled: false });
  await add(posthorn, other, ["*"]);
  for (const type of EVENT_TYPES) {
    const { status, body } = await ask(posthorn, `POST /webhooks/${hook.id}/test`, { body: { type } });
    expect([type, status, typeof body.deliveryId]).toEqual([type, 202, "string"]);
  }
  await posthorn.settle();
  expect(
    bodies(there)
      .map(({ type }) => type)
      .sort(),
  ).toEqual([...EVENT_TYPES]);
  expect(bodies(there).every(({ data }) => Object.keys(data).length > 0)).toBe(true);
  expect(other.received).toEqual([]);
});

test("while it is off an endpoint is sent nothing, and what was waiting is cancelled", async () => {
  const there = receiver();
  there.answer = () => new Response("", { status: 503 });
  await using posthorn = await open();
  const hook = await add(posthorn, there, ["event.tracked"]);
  await track(posthorn, "one");
  await posthorn.settle();
  await ask(posthorn, `PATCH /webhooks/${hook.id}`, { body: { enabled: false } });
  await track(posthorn, "two");
  posthorn.clock.advance(DAY);
  await posthorn.settle();
  expect(there.received).toHaveLength(1);
  expect((await deliveries(posthorn, hook)).map(({ state }) => state)).toEqual(["CANCELLED"]);
});

test("what cannot be called is refused at its field", async () => {
  await using posthorn = await open();
  const refused = async (body: object) =>
    (await ask(posthorn, "POST /webhooks", { body: { url: "https://example.com", events: ["*"], ...body } })).body.error
      .errors?.[0]?.field;
  expect([
    await refused({ url: "ftp://example.com" }),
    await refused({ url: "https://example.com:25/" }),
    await refused({ url: "https://user@example.com/" }),
    await refused({ headers: { Host: "x" } }),
    await refused({ headers: { "X-A": "a\nb" } }),
    await refused({ headers: { Authorization: " " } }),
    await refused({ headers: { "X-A": "→" } }),
    await refused({ events: [] }),
    await refused({ events: ["email.opened"] }),
  ]).toEqual([
    "url",
    "url",
    "url",
    "headers.Host",
    "headers.X-A",
    "headers.Authorization",
    "headers.X-A",
    "events",
    "events.0",
  ]);
});

test("a private address is not called, and the delivery says so (slow)", async () => {
  await using posthorn = await workspace();
  const { body: hook } = await ask(posthorn, "POST /webhooks", {
    body: { url: "http://127.0.0.1:9999/in", events: ["event.tracked"] },
  });
  await track(posthorn, "one");
  await posthorn.settle();
  const [one] = await deliveries(posthorn, hook);
  const { attempts } = (await ask(posthorn, `GET /webhooks/${hook.id}/deliveries/${one.id}`)).body;
  expect([one.state, attempts[0].answer]).toEqual(["FAILED", expect.stringContaining("not on the public internet")]);
});

test("another workspace's endpoints do not exist, and a scoped key changes none and sees no secrets", async () => {
  const there = receiver();
  await using posthorn = await open();
  const { secret } = await addWorkspace(posthorn, { name: "other", domain: "other.test" });
  const hook = await add(posthorn, there, ["*"], { headers: { "X-Token": "secret" } });
  const key = { bearer: secret };
  for (const route of ["GET", "PATCH", "DELETE"]) {
    const reply = await ask(posthorn, `${route} /webhooks/${hook.id}`, {
      key,
      ...(route === "PATCH" ? { body: {} } : {}),
    });
    expect([route, reply.body.error.code]).toEqual([route, "WEBHOOK_NOT_FOUND"]);
  }
  expect((await ask(posthorn, "GET /webhooks", { key })).body.webhooks).toEqual([]);
  await ask(posthorn, "POST /v1/track", { key, body: { email: "eve@example.com", event: "one" } });
  await posthorn.settle();
  expect(there.received).toEqual([]);
  const scoped = await ask(posthorn, "POST /keys", { body: { name: "scoped", domains: ["example.test"] } });
  const bound = { bearer: scoped.body.secret };
  const [seen] = (await ask(posthorn, "GET /webhooks", { key: bound })).body.webhooks;
  expect([seen.secret, seen.headers["X-Token"]]).toEqual([null, "••••••••"]);
  expect((await ask(posthorn, `DELETE /webhooks/${hook.id}`, { key: bound })).status).toBe(403);
  const reading = await ask(posthorn, "POST /keys", { body: { name: "reading", permissions: "read" } });
  const [read] = (await ask(posthorn, "GET /webhooks", { key: { bearer: reading.body.secret } })).body.webhooks;
  expect([read.secret, read.headers["X-Token"]]).toEqual([null, "••••••••"]);
  expect((await ask(posthorn, `PATCH /webhooks/${hook.id}`, { body: { headers: seen.headers } })).body.headers).toEqual(
    {
      "X-Token": "secret",
    },
  );
});

test("people add a webhook, and lead one elsewhere, with a fresh proof only", async () => {
  const there = receiver();
  await using posthorn = await open();
  const owner = await somebody(posthorn, "OWNER");
  const body = { url: `${there.url}/in`, events: ["*"] };
  const made = await owner.ask("POST /webhooks", { body });
  expect(made.status).toBe(201);
  posthorn.clock.advance(11 * 60_000);
  const codes = async () => {
    const path = `PATCH /webhooks/${made.body.id}`;
    const replies = [
      await owner.ask("POST /webhooks", { body }),
      await owner.ask(path, { body: { url: `${there.url}/else` } }),
      await owner.ask(path, { body: { url: body.url, events: ["email.sent"] } }),
      await owner.ask(path, { body: { enabled: false } }),
    ];
    return replies.map((one) => one.body.error?.code ?? one.status);
  };
  expect(await codes()).toEqual(["PROOF_NEEDED", "PROOF_NEEDED", 200, 200]);
});
