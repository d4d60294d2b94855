// What becomes of a mail after it has left: no notice walks back, and none changes anything twice
// (src/mail/emails/feedback/feedback.ts).
import type { Mail } from "../../src/mail/emails/queries.ts";
import { describe, expect, test } from "bun:test";
import {
  findLeftMail,
  markComplained,
  markDelivered,
  markReturned,
  markUndelivered,
} from "../../src/mail/emails/feedback/feedback.ts";
import type { Tx } from "../../src/store/store.ts";
import { letter } from "../support/mails.ts";
import type { Json, Posthorn } from "../support/posthorn.ts";
import { workspace } from "../support/workspace.ts";

const VERBS = {
  delivered: markDelivered,
  transient: (tx: Tx, mail: Mail) =>
    markReturned(tx, mail, { reason: "452 4.2.2 Mailbox full", byCarrier: false }, "Transient"),
  permanent: (tx: Tx, mail: Mail) =>
    markReturned(tx, mail, { reason: "550 5.1.1 No such user", byCarrier: false }, "Permanent"),
  undelivered: (tx: Tx, mail: Mail) =>
    markUndelivered(tx, mail, { reason: "550 5.7.26 Unauthenticated", byCarrier: false }),
  complained: markComplained,
} as const;
type Notice = keyof typeof VERBS;

/** Sends a mail to a subscribed contact; answers its id. */
async function sent(posthorn: Posthorn): Promise<string> {
  await posthorn.call("POST /contacts", { email: letter.to });
  const reply = await posthorn.call("POST /v1/send", letter);
  await posthorn.settle();
  return reply.body.data.emails[0].email;
}

async function tell(posthorn: Posthorn, id: string, notice: Notice): Promise<void> {
  await posthorn.store.write(async (tx) => {
    const mail = await findLeftMail(tx, id);
    if (mail && mail !== "early") await VERBS[notice](tx, mail);
  });
}

async function state(posthorn: Posthorn, id: string): Promise<Json> {
  return (await posthorn.call(`GET /emails/${id}`)).body;
}

/** What was emitted after email.sent: bounces with their type, unsubscriptions with their reason. */
async function told(posthorn: Posthorn): Promise<string[]> {
  const events = (await posthorn.events()).filter(({ name }) => name !== "email.sent");
  return events.map(({ name, data }) => [name, data["bounceType"] ?? data["reason"]].filter(Boolean).join(" "));
}

const DELIVERY = "email.delivery";
const SOFT = "email.bounce Transient";
const HARD = ["email.bounce Permanent", "contact.unsubscribed bounce"];
const COMPLAINT = ["email.complaint", "contact.unsubscribed complaint"];

const ROWS: readonly [notices: readonly Notice[], status: string, events: readonly string[]][] = [
  [["delivered"], "DELIVERED", [DELIVERY]],
  [["delivered", "delivered"], "DELIVERED", [DELIVERY]],
  [["transient"], "BOUNCED", [SOFT]],
  [["transient", "transient"], "BOUNCED", [SOFT]],
  [["transient", "delivered"], "BOUNCED", [SOFT]],
  [["delivered", "transient"], "BOUNCED", [DELIVERY, SOFT]],
  [["permanent"], "BOUNCED", HARD],
  [["permanent", "permanent"], "BOUNCED", HARD],
  [["permanent", "delivered"], "BOUNCED", HARD],
  [["permanent", "transient"], "BOUNCED", HARD],
  [["permanent", "undelivered"], "BOUNCED", HARD],
  [["delivered", "permanent"], "BOUNCED", [DELIVERY, ...HARD]],
  [["transient", "permanent"], "BOUNCED", [SOFT, ...HARD]],
  [["transient", "undelivered"], "BOUNCED", [SOFT]],
  [["transient", "complained"], "COMPLAINED", [SOFT, ...COMPLAINT]],
  [["undelivered"], "FAILED", []],
  [["undelivered", "undelivered"], "FAILED", []],
  [["undelivered", "delivered", "transient", "permanent"], "FAILED", []],
  [["delivered", "undelivered"], "DELIVERED", [DELIVERY]],
  [["complained"], "COMPLAINED", COMPLAINT],
  [["complained", "complained"], "COMPLAINED", COMPLAINT],
  [["complained", "delivered", "transient", "permanent", "undelivered"], "COMPLAINED", COMPLAINT],
  [["delivered", "complained"], "COMPLAINED", [DELIVERY, ...COMPLAINT]],
  [["permanent", "complained"], "COMPLAINED", [...HARD, "email.complaint"]],
  [["undelivered", "complained"], "COMPLAINED", COMPLAINT],
];

test.each(ROWS.map((row) => [row[0].join(", then "), ...row] as const))(
  "%s: the state only ever goes on, and everything is told once",
  async (_, notices, status, events) => {
    await using posthorn = await workspace();
    const id = await sent(posthorn);
    for (const notice of notices) await tell(posthorn, id, notice);
    expect(await told(posthorn)).toEqual([...events]);
    const isOut = events.some((event) => event.startsWith("contact.unsubscribed"));
    const record = await state(posthorn, id);
    expect(record.status).toBe(status);
    expect((await posthorn.call(`GET /contacts/${record.contactId}`)).body.subscribed).toBe(!isOut);
  },
);

test("each event has the fields of the interface, and the record says when and why", async () => {
  await using posthorn = await workspace();
  const id = await sent(posthorn);
  posthorn.clock.advance(60_000);
  const at = "2026-03-01T09:01:00.000Z";
  for (const notice of ["delivered", "transient", "permanent", "complained"] as const) await tell(posthorn, id, notice);
  const [delivery, soft, hard, , complaint] = (await posthorn.events()).slice(1).map(({ data }) => data);
  expect(delivery).toMatchObject({ emailId: id, subject: "Hi", sourceType: "TRANSACTIONAL", deliveredAt: at });
  expect(soft).toMatchObject({ emailId: id, bounceType: "Transient", transientBounce: true });
  expect(soft).not.toHaveProperty("bouncedAt");
  expect(hard).toMatchObject({ emailId: id, bounceType: "Permanent", bouncedAt: at });
  expect(hard).not.toHaveProperty("transientBounce");
  expect(complaint).toMatchObject({ emailId: id, complainedAt: at });
  const record = await state(posthorn, id);
  expect(record).toMatchObject({ deliveredAt: at, bouncedAt: at, complainedAt: at, error: "550 5.1.1 No such user" });
  const lines = record.timeline.filter(({ what }: Json) => what === "attempt.bounced");
  expect(lines.map(({ detail }: Json) => detail.reply)).toEqual(["452 4.2.2 Mailbox full"]);
});

test("a refusal for the sender's sake is shown with its reason", async () => {
  await using posthorn = await workspace();
  const id = await sent(posthorn);
  await tell(posthorn, id, "undelivered");
  const record = await state(posthorn, id);
  expect(record).toMatchObject({ status: "FAILED", error: "550 5.7.26 Unauthenticated" });
  expect(record.failedAt).not.toBeNull();
  expect(record.timeline.map(({ what }: Json) => what)).toContain("attempt.failed");
});

describe("many notices at once", () => {
  const all = Object.keys(VERBS) as Notice[];
  test.each([1, 2, 3])("of every kind are told once each, and the worst one stands (%d)", async () => {
    await using posthorn = await workspace();
    const id = await sent(posthorn);
    await Promise.all(Array.from({ length: 5 }, () => all).flatMap((one) => one.map((n) => tell(posthorn, id, n))));
    expect((await state(posthorn, id)).status).toBe("COMPLAINED");
    const events = await told(posthorn);
    expect(events.toSorted()).toEqual([...new Set(events)].toSorted());
    expect(events.filter((event) => event.startsWith("contact.unsubscribed"))).toHaveLength(1);
    expect(events).toContain("email.complaint");
  });

  test("of one bounce unsubscribe once", async () => {
    await using posthorn = await workspace();
    const id = await sent(posthorn);
    await Promise.all(Array.from({ length: 20 }, () => tell(posthorn, id, "permanent")));
    expect(await told(posthorn)).toEqual(HARD);
  });
});

test("who has moved to another address since is not unsubscribed for the old one", async () => {
  await using posthorn = await workspace();
  const id = await sent(posthorn);
  await posthorn.store.write((tx) => tx.run`update contacts set email = 'new@example.com'`);
  await tell(posthorn, id, "permanent");
  expect(await told(posthorn)).toEqual(["email.bounce Permanent"]);
});

test("a mail that has not left cannot come back", async () => {
  await using posthorn = await workspace();
  const { body } = await posthorn.call("POST /v1/send", letter);
  const id = body.data.emails[0].email;
  expect(await posthorn.store.read((reader) => findLeftMail(reader, id))).toBeNull();
  posthorn.transport.answer = () => ({ kind: "later", reply: "451 4.3.0 Later" });
  await posthorn.settle();
  expect(await posthorn.store.read((reader) => findLeftMail(reader, id))).toBe("early");
  expect(
    await posthorn.store.read((reader) => findLeftMail(reader, "0199a3b4-0000-7000-8000-000000000000")),
  ).toBeNull();
});
