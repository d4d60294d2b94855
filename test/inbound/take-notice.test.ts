// From a mail that comes to a return path to what it changes: src/mail/inbound/bounces/take-notice.ts.
import { describe, expect, test } from "bun:test";
import { returnPathFor } from "../../src/mail/emails/return-path.ts";
import { readNotice } from "../../src/mail/inbound/bounces/notice.ts";
import { takeNotice, type NoticeOutcome } from "../../src/mail/inbound/bounces/take-notice.ts";
import { secretsOf } from "../../src/base/secrets.ts";
import * as mails from "../support/bounces.ts";
import { letter } from "../support/mails.ts";
import type { Posthorn } from "../support/posthorn.ts";
import { everything } from "../support/scenario.ts";
import { workspace } from "../support/workspace.ts";

const DOMAIN = "bounces.example.com";

function start(): Promise<Posthorn> {
  return workspace({ config: { delivery: { returnPathDomain: DOMAIN } } });
}

async function send(posthorn: Posthorn): Promise<string> {
  await posthorn.call("POST /contacts", { email: letter.to });
  return (await posthorn.call("POST /v1/send", letter)).body.data.emails[0].email;
}

async function bring(posthorn: Posthorn, mail: string, address: string): Promise<NoticeOutcome> {
  const notice = await readNotice(Buffer.from(mail.replaceAll("$ADDRESS", address).replaceAll("\n", "\r\n")));
  const options = { secrets: posthorn.secrets, returnPathDomain: DOMAIN };
  return posthorn.store.write((tx) => takeNotice(tx, notice, address, options));
}

const failed = (status: string, more = "") => mails.dsn({ fields: `Action: failed\nStatus: ${status}${more}` });

const ROWS: readonly [what: string, mail: string, status: string, events: readonly string[]][] = [
  ["a permanent bounce", failed("5.1.1"), "BOUNCED", ["email.bounce", "contact.unsubscribed"]],
  ["a bounce of qmail's", mails.QMAIL, "BOUNCED", ["email.bounce", "contact.unsubscribed"]],
  ["a full mailbox", failed("5.2.2"), "BOUNCED", ["email.bounce"]],
  ["a server that was away for too long", failed("4.4.7"), "BOUNCED", ["email.bounce"]],
  ["a refusal of our domain", failed("5.7.26"), "FAILED", []],
  ["a success", mails.dsn({ fields: "Action: delivered\nStatus: 2.0.0" }), "DELIVERED", ["email.delivery"]],
  [
    "a report that it was delivered, and what it was sent on to was not",
    mails.dsn({
      fields: `Final-Recipient: rfc822; ${letter.to}\nAction: delivered\nStatus: 2.0.0\n\nFinal-Recipient: rfc822; other@elsewhere.test\nAction: failed\nStatus: 5.1.1\nDiagnostic-Code: smtp; 550 5.1.1 user unknown`,
    }),
    "DELIVERED",
    ["email.delivery"],
  ],
  [
    "a report that it was delivered and, under the same name, sent on to somebody who is gone",
    mails.dsn({
      fields: `Original-Recipient: rfc822; ${letter.to}\nFinal-Recipient: rfc822; ${letter.to}\nAction: delivered\nStatus: 2.0.0\n\nOriginal-Recipient: rfc822; ${letter.to}\nFinal-Recipient: rfc822; other@elsewhere.test\nAction: failed\nStatus: 5.1.1`,
    }),
    "DELIVERED",
    ["email.delivery"],
  ],
  [
    "a report that it was passed on to a list, one of whose members is gone",
    mails.dsn({
      fields: `Final-Recipient: rfc822; ${letter.to}\nAction: expanded\nStatus: 2.0.0\n\nFinal-Recipient: rfc822; other@elsewhere.test\nAction: failed\nStatus: 5.1.1`,
    }),
    "SENT",
    [],
  ],
  [
    "a report that it failed, beside another that did not",
    mails.dsn({
      fields: `Final-Recipient: rfc822; other@elsewhere.test\nAction: delivered\nStatus: 2.0.0\n\nFinal-Recipient: rfc822; ${letter.to}\nAction: failed\nStatus: 5.1.1`,
    }),
    "BOUNCED",
    ["email.bounce", "contact.unsubscribed"],
  ],
  ["a delay", mails.dsn({ fields: "Action: delayed\nStatus: 4.4.1" }), "SENT", []],
  ["a complaint", mails.feedback("abuse"), "COMPLAINED", ["email.complaint", "contact.unsubscribed"]],
  ["a vacation note", mails.AUTO_REPLIES[0] as string, "SENT", []],
  ["a letter", mails.LETTERS[0] as string, "SENT", []],
  [
    "a bounce of some whom a list has passed it on to",
    mails.dsn({ fields: "Action: failed\nStatus: 5.1.1\n\nAction: failed\nStatus: 4.2.2" }),
    "BOUNCED",
    ["email.bounce"],
  ],
];

test.each(ROWS)("%s changes the mail that its address names, once", async (_, mail, status, events) => {
  await using posthorn = await start();
  const id = await send(posthorn);
  await posthorn.settle();
  const address = posthorn.transport.sent[0]?.envelope.returnPath as string;
  for (const form of [address, address.toUpperCase(), address]) await bring(posthorn, mail, form);
  expect((await posthorn.call(`GET /emails/${id}`)).body.status).toBe(status);
  expect((await posthorn.eventNames()).slice(1)).toEqual([...events]);
});

test.each([
  ["rfc822; former.colleague@other.test", "BOUNCED", true],
  ["rfc822; alias.of.hers@example.com", "BOUNCED", false],
  [`rfc822; ${letter.to.toUpperCase()}`, "BOUNCED", false],
])("a bounce of %s leaves the mail %s", async (recipient, status, subscribed) => {
  await using posthorn = await start();
  const id = await send(posthorn);
  await posthorn.settle();
  const report = mails.dsn({ fields: `Final-Recipient: ${recipient}\nAction: failed\nStatus: 5.1.1` });
  await bring(posthorn, report, posthorn.transport.sent[0]?.envelope.returnPath as string);
  const { body } = await posthorn.call(`GET /emails/${id}`);
  expect(body.status).toBe(status);
  expect((await posthorn.call(`GET /contacts/${body.contactId}`)).body.subscribed).toBe(subscribed);
});

test("a mail that was delivered and came back has bounced, in whatever order that is told", async () => {
  const notices = [failed("5.2.2"), mails.dsn({ fields: "Action: delivered\nStatus: 2.0.0" })];
  for (const order of [notices, notices.toReversed()]) {
    await using posthorn = await start();
    const id = await send(posthorn);
    await posthorn.settle();
    for (const notice of order)
      await bring(posthorn, notice, posthorn.transport.sent[0]?.envelope.returnPath as string);
    expect((await posthorn.call(`GET /emails/${id}`)).body).toMatchObject({ status: "BOUNCED", error: "5.2.2" });
  }
});

test("a mail that has bounced for now bounces for good if that is told later, and not the other way round", async () => {
  const notices = [failed("5.2.2"), failed("5.1.1"), failed("5.2.2")];
  await using posthorn = await start();
  const id = await send(posthorn);
  await posthorn.settle();
  for (const notice of notices)
    await bring(posthorn, notice, posthorn.transport.sent[0]?.envelope.returnPath as string);
  const { body } = await posthorn.call(`GET /emails/${id}`);
  expect(body).toMatchObject({ status: "BOUNCED", error: "5.1.1" });
  expect((await posthorn.call(`GET /contacts/${body.contactId}`)).body.subscribed).toBe(false);
  expect((await posthorn.eventNames()).slice(1)).toEqual(["email.bounce", "email.bounce", "contact.unsubscribed"]);
});

test("who has complained has done so, whatever bounces later", async () => {
  await using posthorn = await start();
  const ids = [await send(posthorn), await send(posthorn)];
  await posthorn.settle();
  const addresses = posthorn.transport.sent.map(({ envelope }) => envelope.returnPath as string);
  await bring(posthorn, mails.feedback("abuse"), addresses[0] as string);
  posthorn.clock.advance(1_000);
  await bring(posthorn, failed("5.1.1"), addresses[1] as string);
  const { contactId } = (await posthorn.call(`GET /emails/${ids[0]}`)).body;
  const contact = (await posthorn.call(`GET /contacts/${contactId}`)).body;
  expect(contact.updatedAt).toBe(contact.createdAt);
});

describe("an address that nobody here has made", () => {
  test.each([
    ["of another key", (id: string) => returnPathFor(secretsOf(Buffer.alloc(32, 1)), id, DOMAIN)],
    [
      "with a letter changed",
      (_: string, address: string) => address.replace(/.@/, (end) => (end === "a@" ? "b@" : "a@")),
    ],
    ["at another domain", (_: string, address: string) => address.replace(DOMAIN, "elsewhere.example")],
    ["without a token", () => `postmaster@${DOMAIN}`],
  ])("%s changes nothing", async (_, forge) => {
    await using posthorn = await start();
    const id = await send(posthorn);
    await posthorn.settle();
    const before = await everything(posthorn);
    const address = forge(id, posthorn.transport.sent[0]?.envelope.returnPath as string);
    for (const mail of [failed("5.1.1"), mails.feedback("abuse")]) {
      expect(await bring(posthorn, mail, address)).toBe("nothing");
    }
    expect(await everything(posthorn)).toEqual(before);
  });

  test("nor does one of a mail that is gone", async () => {
    await using posthorn = await start();
    const address = returnPathFor(posthorn.secrets, "0199a3b4-0000-7000-8000-000000000000", DOMAIN);
    expect(await bring(posthorn, failed("5.1.1"), address)).toBe("nothing");
  });
});

test("a notice that is faster than the record of the hand-over is to come again", async () => {
  await using posthorn = await start();
  const id = await send(posthorn);
  const address = returnPathFor(posthorn.secrets, id, DOMAIN);
  expect(await bring(posthorn, failed("5.1.1"), address)).toBe("nothing");
  let during: NoticeOutcome | undefined;
  posthorn.transport.answer = async () => {
    during = await bring(posthorn, failed("5.1.1"), address);
    return { kind: "accepted", reply: "250 Ok" };
  };
  await posthorn.settle();
  expect(during).toBe("early");
  expect(await bring(posthorn, failed("5.1.1"), address)).toBe("taken");
  expect(await posthorn.eventNames()).toEqual(["email.sent", "email.bounce", "contact.unsubscribed"]);
});
