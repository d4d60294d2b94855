// POST /emails/{id}/resend: another mail with the same content, which mails may have one, and what their records say of
// each other.
import { describe, expect, test } from "bun:test";
import { addReaders, news } from "../support/campaigns.ts";
import { letter } from "../support/mails.ts";
import { startPosthorn, type Json, type Posthorn } from "../support/posthorn.ts";
import { ask, countOf } from "../support/scenario.ts";
import { addWorkspace } from "../support/workspaces.ts";
import { workspace } from "../support/workspace.ts";

async function sent(posthorn: Posthorn, changes: object = {}): Promise<string> {
  const { body } = await ask(posthorn, "POST /v1/send", { body: { ...letter, ...changes } });
  await posthorn.settle();
  return body.data.emails[0].email;
}

async function shown(posthorn: Posthorn, id: string): Promise<Json> {
  return (await ask(posthorn, `GET /emails/${id}`)).body;
}

const again = (posthorn: Posthorn, id: string, headers: Record<string, string> = {}) =>
  ask(posthorn, `POST /emails/${id}/resend`, { headers });

async function expectRefused(posthorn: Posthorn, id: string, status: number, code: string): Promise<void> {
  const mails = await countOf(posthorn, "emails");
  expect(await again(posthorn, id)).toMatchObject({ status, body: { error: { code } } });
  expect(await countOf(posthorn, "emails")).toBe(mails);
}

/** What a reader sees, without what is new in each mail. */
const readable = (raw: Buffer | undefined, id: string) =>
  raw
    ?.toString()
    .replaceAll(id, "ID")
    .replace(/^(Date|DKIM-Signature):.*(\r\n[ \t].*)*\r\n/gm, "")
    .replace(/--[-_\w=]+/g, "--");

describe("a mail that is sent again", () => {
  test("leaves as it was accepted, attachments included, whatever the contact's data has become (slow)", async () => {
    await using posthorn = await workspace();
    const attachments = [{ filename: "a.txt", content: "SGVsbG8=" }];
    const id = await sent(posthorn, { subject: "For {{ plan }}", data: { plan: "pro" }, attachments, tracking: false });
    await ask(posthorn, "POST /contacts", { body: { email: letter.to, data: { plan: "free" } } });
    const { status, body } = await again(posthorn, id);
    expect([status, body.resentFrom, body.status, body.to]).toEqual([201, id, "QUEUED", letter.to]);
    expect(body.messageId).toBe(`<${body.id}@example.test>`);
    await posthorn.settle();
    const [first, second] = posthorn.transport.sent;
    expect(readable(second?.raw, body.id)).toBe(readable(first?.raw, id) ?? "");
    expect(second?.raw.toString()).toContain("Subject: For pro");
    expect(await posthorn.eventNames()).toEqual(["email.sent", "email.sent"]);
  });

  test("and the one that repeats it name each other", async () => {
    await using posthorn = await workspace();
    const id = await sent(posthorn);
    posthorn.clock.advance(60_000);
    const one = (await again(posthorn, id)).body.id;
    const two = (await again(posthorn, id)).body.id;
    const record = await shown(posthorn, id);
    expect(record).toMatchObject({ resentFrom: null, resentAs: [one, two], resentAt: "2026-03-01T09:01:00.000Z" });
    expect(record.timeline.slice(-2)).toEqual(
      [one, two].map((emailId) => ({ at: "2026-03-01T09:01:00.000Z", what: "resent", detail: { emailId } })),
    );
    expect(await shown(posthorn, one)).toMatchObject({
      ...{ resentFrom: id, resentAs: [], resentAt: null },
      timeline: [{ what: "queued", detail: { resentFrom: id } }],
    });
  });

  test("is queued once under an Idempotency-Key", async () => {
    await using posthorn = await workspace();
    const id = await sent(posthorn);
    const headers = { "Idempotency-Key": "again-1" };
    const first = await again(posthorn, id, headers);
    const second = await again(posthorn, id, headers);
    expect([second.status, second.body, second.headers.get("idempotent-replayed")]).toEqual([201, first.body, "true"]);
    expect(await countOf(posthorn, "emails")).toBe(2);
  });

  test("may have failed, or bounced once its address is not suppressed any more (slow)", async () => {
    await using posthorn = await workspace();
    for (const kind of ["failed", "bounced"] as const) {
      posthorn.transport.answer = () => ({ kind, reply: "550 5.1.1 No" });
      const id = await sent(posthorn);
      posthorn.transport.answer = () => ({ kind: "accepted", reply: "250 Ok" });
      for (const one of (await ask(posthorn, "GET /suppressions")).body.data) {
        expect((await again(posthorn, id)).body.error.code).toBe("RECIPIENT_SUPPRESSED");
        await ask(posthorn, `DELETE /suppressions/${one.id}`);
      }
      const { body } = await again(posthorn, id);
      await posthorn.settle();
      expect((await shown(posthorn, body.id)).status).toBe("SENT");
      expect((await shown(posthorn, id)).status).toBe(kind.toUpperCase());
    }
  });

  test("of a campaign goes out again, and the account of the campaign stays as it is (slow)", async () => {
    await using posthorn = await workspace();
    await addReaders(posthorn, 2);
    const campaign = (await ask(posthorn, "POST /campaigns", { body: news })).body.data.id;
    await ask(posthorn, `POST /campaigns/${campaign}/send`, { body: {} });
    await posthorn.settle();
    const account = (await ask(posthorn, `GET /campaigns/${campaign}/stats`)).body;
    const [{ id }] = (await ask(posthorn, `GET /emails?campaignId=${campaign}`)).body.data;
    expect((await again(posthorn, id)).body).toMatchObject({
      campaignId: null,
      sourceType: "CAMPAIGN",
      resentFrom: id,
    });
    await posthorn.settle();
    expect(posthorn.transport.sent).toHaveLength(3);
    expect(posthorn.transport.sent[2]?.raw.toString()).toContain("List-Unsubscribe:");
    expect((await ask(posthorn, `GET /campaigns/${campaign}/stats`)).body).toEqual(account);
  });

  test("is signed with the key of now if its domain was removed and added again", async () => {
    await using posthorn = await workspace();
    const id = await sent(posthorn);
    await posthorn.store.write((tx) => tx.run`update contents set domain = null`);
    const { body } = await again(posthorn, id);
    await posthorn.settle();
    expect((await shown(posthorn, body.id)).status).toBe("SENT");
    expect(posthorn.transport.sent[1]?.raw.toString()).toContain("DKIM-Signature:");
  });
});

describe("a mail is not sent again", () => {
  test("before it has left, or once it is unknown", async () => {
    await using posthorn = await workspace();
    const { body } = await ask(posthorn, "POST /v1/send", { body: letter });
    await expectRefused(posthorn, body.data.emails[0].email, 400, "EMAIL_STATE");
    await expectRefused(posthorn, "0199a3b4-0000-7000-8000-000000000000", 404, "EMAIL_NOT_FOUND");
  });

  test("by another workspace", async () => {
    await using posthorn = await workspace();
    const id = await sent(posthorn);
    const { secret } = await addWorkspace(posthorn, { name: "stranger", domain: "stranger.example" });
    const { status } = await ask(posthorn, `POST /emails/${id}/resend`, { key: { bearer: secret } });
    expect([status, await countOf(posthorn, "emails")]).toEqual([404, 1]);
  });

  test("if it is a test copy of a campaign", async () => {
    await using posthorn = await workspace();
    const campaign = (await ask(posthorn, "POST /campaigns", { body: news })).body.data.id;
    await ask(posthorn, `POST /campaigns/${campaign}/test`, { body: { email: "eva@example.com" } });
    await posthorn.settle();
    const [{ id }] = (await ask(posthorn, "GET /emails")).body.data;
    await expectRefused(posthorn, id, 400, "EMAIL_STATE");
  });

  test("to somebody who has unsubscribed from marketing mail since", async () => {
    await using posthorn = await workspace();
    const template = { name: "N", subject: "N", body: "<p>N</p>", type: "MARKETING", from: letter.from };
    const { id: templateId } = (await ask(posthorn, "POST /templates", { body: template })).body;
    const { body } = await ask(posthorn, "POST /v1/send", {
      body: { to: letter.to, template: templateId, subscribed: true },
    });
    await posthorn.settle();
    const [{ email: id, contact }] = body.data.emails;
    await ask(posthorn, `PATCH /contacts/${contact.id}`, { body: { subscribed: false } });
    await expectRefused(posthorn, id, 400, "CONTACT_UNSUBSCRIBED");
  });

  test("from a domain that is no longer verified, or outside the scope of the key", async () => {
    await using posthorn = await workspace();
    const id = await sent(posthorn);
    const scoped = (await ask(posthorn, "POST /keys", { body: { name: "S", domains: ["other.example"] } })).body;
    const key = { bearer: scoped.secret };
    expect(await ask(posthorn, `POST /emails/${id}/resend`, { key })).toMatchObject({ status: 403 });
    await posthorn.store.write((tx) => tx.run`update domains set verified_at = null`);
    await expectRefused(posthorn, id, 403, "DOMAIN_NOT_VERIFIED");
  });

  test("once its recipient has been erased; nor is the answer kept (slow)", async () => {
    await using posthorn = await workspace();
    await addReaders(posthorn, 2);
    const campaign = (await ask(posthorn, "POST /campaigns", { body: news })).body.data.id;
    await ask(posthorn, `POST /campaigns/${campaign}/send`, { body: {} });
    await posthorn.settle();
    const [mail] = (await ask(posthorn, `GET /emails?campaignId=${campaign}`)).body.data;
    await again(posthorn, mail.id, { "Idempotency-Key": "again" });
    await ask(posthorn, `DELETE /contacts/${mail.contactId}`);
    await posthorn.settle();
    await expectRefused(posthorn, mail.id, 404, "EMAIL_NOT_FOUND");
    const rows = await posthorn.store.read((reader) => reader.all<Json>`select body from idempotency_keys`);
    expect(JSON.stringify(rows)).not.toContain(mail.to);
    const mails = await posthorn.store.read((reader) => reader.all<Json>`select * from emails`);
    expect(JSON.stringify(mails)).not.toContain(mail.to);
  });
});

describe("the timeline of a mail", () => {
  test("has the request that it came with, each attempt with its time, and what the next hop said (slow)", async () => {
    const config = { delivery: { transport: "smtp" as const }, relay: { host: "relay.example" } };
    await using posthorn = await startPosthorn({ config });
    posthorn.transport.answer = () => ({ kind: "later", reply: "451 4.3.0 Try again" });
    const { body } = await ask(posthorn, "POST /v1/send", { body: letter, headers: { "X-Request-Id": "order-17" } });
    await posthorn.settle();
    posthorn.transport.answer = () => ({ kind: "accepted", reply: "250 2.0.0 queued as 4F2" });
    posthorn.clock.advance(120_000);
    await posthorn.settle();
    expect((await shown(posthorn, body.data.emails[0].email)).timeline).toMatchObject([
      { what: "queued", detail: { via: "POST /v1/send", requestId: "order-17", by: { kind: "KEY" } } },
      {
        what: "attempt.later",
        detail: { number: 1, reply: "451 4.3.0 Try again", host: "relay.example", durationMs: 0 },
      },
      { what: "email.sent", detail: { reply: "250 2.0.0 queued as 4F2", host: "relay.example", durationMs: 0 } },
    ]);
  });
});
