// Webhooks in the format of a provider: what its own client and the room that reads its reports understand.
import { afterEach, expect, setSystemTime, test } from "bun:test";
import type { Models } from "postmark";
import { PROVIDERS } from "../../src/mail/providers/table.ts";
import { EVENT_TYPES } from "../../src/tenant/events/catalog.ts";
import { hasType } from "../../src/programs/webhooks/formats/table.ts";
import { typesIn } from "../../web/settings/webhooks/types.ts";
import { letter } from "../support/mails.ts";
import type { Json, Posthorn } from "../support/posthorn.ts";
import { Receiver, type Received } from "../support/receiver.ts";
import { ask } from "../support/scenario.ts";
import { MINUTE, track } from "../support/workflows.ts";
import { workspace } from "../support/workspace.ts";

// Its types bring React's, which take the types of elements from journeys.
const OFFICIAL: string = "resend";
const { Resend } = (await import(OFFICIAL)) as { readonly Resend: new (key: string) => Json };

const receivers: Receiver[] = [];
afterEach(() => {
  receivers.splice(0).forEach((one) => one.stop());
  setSystemTime();
});

function receiver(): Receiver {
  const one = new Receiver();
  receivers.push(one);
  return one;
}

function open(): Promise<Posthorn> {
  return workspace({ tracking: true, config: { webhooks: { allow: ["127.0.0.1"], timeoutSeconds: 1 } } });
}

type Hook = { readonly url: string; readonly format: string; readonly events?: readonly string[] };

async function add(posthorn: Posthorn, { events = ["*"], ...hook }: Hook): Promise<Json> {
  const { status, body } = await ask(posthorn, "POST /webhooks", { body: { ...hook, events } });
  expect([status, body.error]).toEqual([201, undefined]);
  return body;
}

/** What becomes of mails to these addresses is told; answers the ids of the mails, in their order. */
async function fates(posthorn: Posthorn, names: readonly string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const name of names) {
    const body = { ...letter, body: '<a href="https://shop.example/">x</a>', to: `${name}@simulator.test` };
    const labels = { tags: ["kind:receipt", "shop"], metadata: { order: "A-1" }, subscribed: true };
    ids.push((await ask(posthorn, "POST /v1/send", { body: { ...body, ...labels } })).body.data.emails[0].email);
    await posthorn.settle();
  }
  return ids;
}

/** As the room that reads a provider's reports takes it; null = it is not genuine, or nothing. */
function readBack(name: "resend" | "postmark", { headers, body: text }: Received, key: string, nowMs: number) {
  const body: unknown = JSON.parse(text);
  if (!PROVIDERS[name].isGenuine({ headers, text, body }, key, nowMs)) return null;
  return PROVIDERS[name].eventsOf(body).map(PROVIDERS[name].read)[0] ?? null;
}

const bodies = ({ received }: Receiver): Json[] => received.map(({ body }) => JSON.parse(body));
const FATES = ["delivered", "bounced", "soft-bounced", "complained", "clicked", "failed"];

test("Resend's client verifies what is sent in its format, and reports read from it are about the same emails (slow)", async () => {
  const there = receiver();
  await using posthorn = await open();
  const hook = await add(posthorn, { url: there.url, format: "resend" });
  const [delivered, bounced, soft, complained, clicked, failed] = await fates(posthorn, FATES);
  const nowMs = posthorn.clock.nowMs();
  setSystemTime(nowMs);
  const { webhooks } = new Resend("re_1");
  const verified: Json[] = there.received.map(({ headers, body: payload }) => {
    const named = (name: string) => headers.get(`svix-${name}`) ?? "";
    const signed = { id: named("id"), timestamp: named("timestamp"), signature: named("signature") };
    return webhooks.verify({ payload, headers: signed, webhookSecret: hook.secret });
  });
  const of = (type: string, id: string | undefined) =>
    verified.find((one) => one.type === type && one.data.email_id === id);
  expect(of("email.sent", delivered)).toEqual({
    type: "email.sent",
    created_at: expect.any(String),
    data: {
      created_at: expect.any(String),
      email_id: delivered,
      message_id: expect.stringContaining(`${delivered}@`),
      from: letter.from,
      to: ["delivered@simulator.test"],
      subject: letter.subject,
      tags: { kind: "receipt", shop: "" },
    },
  });
  expect(of("email.bounced", bounced)?.data.bounce).toMatchObject({
    type: "Permanent",
    message: expect.stringContaining("5.1.1"),
  });
  expect(of("email.bounced", soft)?.data.bounce.type).toBe("Transient");
  expect(of("email.clicked", clicked)?.data.click).toMatchObject({ link: "https://shop.example/" });
  expect(of("email.failed", failed)?.data.failed.reason).not.toBe("");
  const reports = there.received.flatMap((one) => readBack("resend", one, hook.secret, nowMs) ?? []);
  const whats = (id: string | undefined) =>
    reports.filter(({ about }) => about.remoteId === id).map(({ what }) => ("how" in what ? what.how : what.kind));
  expect(whats(delivered)).toEqual(["delivered"]);
  expect(whats(complained)).toContain("complaint");
  expect(whats(clicked)).toEqual(expect.arrayContaining(["delivered", "visited"]));
  expect(reports.filter(({ about }) => about.remoteId === bounced)).toMatchObject([
    { about: { recipient: "bounced@simulator.test", messageId: expect.stringContaining(`${bounced}@`) } },
  ]);
  const [first] = there.received as [Received];
  expect(readBack("resend", { ...first, body: `${first.body} ` }, hook.secret, nowMs)).toBeNull();
  expect([...first.headers.keys()].filter((name) => name.startsWith("webhook-"))).toEqual([]);
});

test("Postmark's webhooks have its fields, the password of the URL and no signature (slow)", async () => {
  const there = receiver();
  await using posthorn = await open();
  const url = there.url.replace("http://", "http://posthorn:s3cret%3Aword@");
  const hook = await add(posthorn, { url: `${url}/in`, format: "postmark" });
  expect(hook).toMatchObject({ url: `${there.url}/in`, secret: null });
  const [delivered, bounced, soft, complained, clicked] = await fates(posthorn, FATES);
  const told = bodies(there);
  const of = (type: string, id: string | undefined) =>
    told.find((one) => one.RecordType === type && one.MessageID === id);
  expect(of("Delivery", delivered)).toEqual({
    RecordType: "Delivery",
    ServerID: expect.any(Number),
    MessageStream: "outbound",
    MessageID: delivered as string,
    Recipient: "delivered@simulator.test",
    Tag: "kind:receipt",
    DeliveredAt: expect.any(String),
    Details: "",
    Metadata: { order: "A-1" },
  } satisfies Models.DeliveryWebhook);
  const returned = {
    Description: "",
    Details: expect.stringContaining("5.1.1"),
    DumpAvailable: false,
    From: letter.from,
    ID: expect.any(Number),
    BouncedAt: expect.any(String),
    MessageStream: "outbound",
    ServerID: expect.any(Number),
    Subject: letter.subject,
    Tag: "kind:receipt",
    Metadata: { order: "A-1" },
  };
  expect(of("Bounce", bounced)).toEqual({
    ...returned,
    RecordType: "Bounce",
    Type: "HardBounce",
    TypeCode: 1,
    Name: "Hard bounce",
    MessageID: bounced as string,
    Email: "bounced@simulator.test",
    Inactive: true,
    CanActivate: true,
  } satisfies Models.BounceWebhook);
  expect(of("Bounce", soft)).toMatchObject({ Type: "SoftBounce", TypeCode: 4096, Inactive: false });
  expect(of("SpamComplaint", complained)).toEqual({
    ...returned,
    Details: "",
    RecordType: "SpamComplaint",
    Type: "SpamComplaint",
    TypeCode: 100001,
    Name: "Spam complaint",
    MessageID: complained as string,
    Email: "complained@simulator.test",
    Inactive: true,
    CanActivate: false,
  } satisfies Models.SpamComplaintWebhook);
  expect(of("Open", clicked)).toMatchObject({ Recipient: "clicked@simulator.test", FirstOpen: true });
  expect(of("Click", clicked)).toMatchObject({ OriginalLink: "https://shop.example/" });
  expect(told).toContainEqual({
    RecordType: "SubscriptionChange",
    MessageID: null,
    ServerID: expect.any(Number),
    MessageStream: "broadcast",
    ChangedAt: expect.any(String),
    Recipient: "bounced@simulator.test",
    Origin: "Recipient",
    SuppressSending: true,
    SuppressionReason: "HardBounce",
    Tag: null,
    Metadata: {},
  } satisfies Partial<Record<keyof Models.SubscriptionChangeWebhook, unknown>>);
  const nowMs = posthorn.clock.nowMs();
  const reports = there.received.flatMap((one) => readBack("postmark", one, "posthorn:s3cret:word", nowMs) ?? []);
  const whats = (id: string | undefined) =>
    reports.filter(({ about }) => about.remoteId === id).map(({ what }) => what.kind);
  expect(whats(delivered)).toEqual(["delivered"]);
  expect(whats(complained)).toContain("complaint");
  expect(whats(bounced)).toHaveLength(1);
  expect(readBack("postmark", there.received[0] as Received, "posthorn:other", nowMs)).toBeNull();
  const names = [...(there.received[0] as Received).headers.keys()];
  expect(names.filter((name) => /^(webhook|svix)-/.test(name))).toEqual([]);
  expect((await ask(posthorn, `POST /webhooks/${hook.id}/rotate-secret`, { body: {} })).body.error.code).toBe(
    "WEBHOOK_STATE",
  );
});

test("people and deferred emails are told as Resend tells of them", async () => {
  const there = receiver();
  await using posthorn = await open();
  await add(posthorn, { url: there.url, format: "resend", events: ["email.deferred", "contact.*"] });
  await fates(posthorn, ["deferred"]);
  await ask(posthorn, "POST /contacts", {
    body: { email: "ada@example.com", subscribed: true, data: { firstName: "Ada", last_name: "L" } },
  });
  await posthorn.settle();
  await ask(posthorn, "POST /contacts", { body: { email: "ada@example.com", subscribed: false } });
  await posthorn.settle();
  const told = bodies(there);
  expect(told.map(({ type }) => type)).toEqual(expect.arrayContaining(["email.delivery_delayed", "contact.created"]));
  const person = { email: "ada@example.com", first_name: "Ada", last_name: "L", unsubscribed: false };
  expect(told.filter(({ data }) => data.email === person.email)).toMatchObject([
    { type: "contact.created", data: person },
    { type: "contact.updated", data: { email: person.email, unsubscribed: true } },
  ]);
});

test("there is an example of every type that a format has, shown as it was sent, and no other is sent (slow)", async () => {
  await using posthorn = await open();
  for (const format of ["resend", "postmark"] as const) {
    const there = receiver();
    const hook = await add(posthorn, { url: there.url, format });
    for (const type of EVENT_TYPES) {
      const reply = await ask(posthorn, `POST /webhooks/${hook.id}/test`, { body: { type } });
      if (hasType(format, type)) expect([type, reply.status]).toEqual([type, 202]);
      else expect([type, reply.body.error.errors?.[0].field]).toEqual([type, "type"]);
    }
    await posthorn.settle();
    const had = EVENT_TYPES.filter((type) => hasType(format, type));
    expect(there.received).toHaveLength(had.length);
    expect(JSON.stringify(bodies(there))).not.toContain("undefined");
    const { data } = (await ask(posthorn, `GET /webhooks/${hook.id}/deliveries`)).body;
    const whole = (await ask(posthorn, `GET /webhooks/${hook.id}/deliveries/${data[0].id}`)).body;
    expect(there.received.map(({ body }) => body)).toContain(whole.request.body);
    expect(Object.keys(whole.request.headers)).toEqual(["content-type", ...(format === "resend" ? ["svix-id"] : [])]);
  }
});

test("the web interface offers the types that a format has", () => {
  for (const format of ["posthorn", "resend", "postmark"] as const)
    expect([format, typesIn(format).sort()]).toEqual([
      format,
      EVENT_TYPES.filter((type) => hasType(format, type)) as never,
    ]);
});

test("types that the provider does not have are refused by their names", async () => {
  await using posthorn = await open();
  const faults = async (format: string, events: readonly string[]) =>
    (await ask(posthorn, "POST /webhooks", { body: { url: "https://example.com", format, events } })).body.error.errors;
  expect(await faults("postmark", ["email.*", "email.received", "campaign.*"])).toEqual([
    { field: "events.1", message: "Postmark has no webhook for email.received.", code: "not_in_format" },
    { field: "events.2", message: "Postmark has no webhook for campaign.*.", code: "not_in_format" },
  ]);
  expect(await faults("resend", ["event.tracked"])).toMatchObject([{ field: "events.0" }]);
  const { body } = await ask(posthorn, "POST /webhooks", {
    body: { url: "https://example.com", events: ["campaign.*"] },
  });
  const change = async (changes: object) => (await ask(posthorn, `PATCH /webhooks/${body.id}`, { body: changes })).body;
  expect((await change({ format: "resend" })).error.errors).toMatchObject([{ field: "events.0" }]);
  expect(await change({ format: "resend", events: ["email.*"] })).toMatchObject({ format: "resend" });
  const period = { since: "2026-03-01T00:00:00Z", types: ["email.*", "import.finished"] };
  const refused = await ask(posthorn, `POST /webhooks/${body.id}/replay`, { body: period });
  expect(refused.body.error.errors).toMatchObject([{ field: "types.1" }]);
});

test("what a format has no webhook for does not count as a failure of the server", async () => {
  const there = receiver();
  there.answer = () => new Response("", { status: 503 });
  await using posthorn = await open();
  const hook = await add(posthorn, { url: there.url, format: "posthorn", events: ["event.tracked"] });
  await track(posthorn, "one");
  await posthorn.settle();
  there.answer = () => new Response("thanks");
  await ask(posthorn, `PATCH /webhooks/${hook.id}`, { body: { format: "resend", events: ["email.*"] } });
  await ask(posthorn, `POST /webhooks/${hook.id}/test`, { body: { type: "email.sent" } });
  await posthorn.settle();
  posthorn.clock.advance(MINUTE);
  await posthorn.settle();
  const failed = await ask(posthorn, `GET /webhooks/${hook.id}/deliveries?state=FAILED`);
  expect(failed.body.data).toMatchObject([{ type: "event.tracked" }]);
  expect((await ask(posthorn, `GET /webhooks/${hook.id}`)).body.failingSince).toBeNull();
});

test("what waits when the format is changed goes in the new one, or not at all", async () => {
  const there = receiver();
  there.answer = () => new Response("", { status: 503 });
  await using posthorn = await open();
  const hook = await add(posthorn, { url: there.url, format: "posthorn", events: ["event.tracked", "email.sent"] });
  await track(posthorn, "one");
  await ask(posthorn, "POST /v1/send", { body: letter });
  await posthorn.settle();
  await ask(posthorn, `PATCH /webhooks/${hook.id}`, { body: { format: "resend", events: ["email.*"] } });
  there.answer = () => new Response("thanks");
  there.received.length = 0;
  posthorn.clock.advance(MINUTE);
  await posthorn.settle();
  expect(bodies(there).map(({ type, data }) => [type, data.subject])).toEqual([["email.sent", letter.subject]]);
  const { data } = (await ask(posthorn, `GET /webhooks/${hook.id}/deliveries?state=FAILED`)).body;
  const [failed] = data;
  const whole = (await ask(posthorn, `GET /webhooks/${hook.id}/deliveries/${failed.id}`)).body;
  expect([failed.type, whole.request.body, whole.attempts.at(-1).answer]).toEqual([
    "event.tracked",
    "",
    "Resend has no webhook for event.tracked.",
  ]);
});
