// /emails: the records of what was sent, their pages, their timelines, the raw message, and taking back.
import { describe, expect, test } from "bun:test";
import { attachedTo } from "../../src/mail/emails/content/attachment-queries.ts";
import { mailById, mailsPage } from "../../src/mail/emails/queries.ts";
import { letter } from "../support/mails.ts";
import type { Json, Posthorn } from "../support/posthorn.ts";
import { ask, countOf, scenarios, type Scenario } from "../support/scenario.ts";
import { workspace } from "../support/workspace.ts";

const UNKNOWN = "0199a3b4-0000-7000-8000-000000000000";

async function queue(posthorn: Posthorn, changes: object = {}): Promise<string> {
  const { status, body } = await ask(posthorn, "POST /v1/send", { body: { ...letter, ...changes } });
  expect(status).toBe(200);
  return body.data.emails[0].email;
}

async function shown(posthorn: Posthorn, id: string): Promise<Json> {
  return (await ask(posthorn, `GET /emails/${id}`)).body;
}

test("what mails say is not read in order to list them, nor what is attached in order to name it", async () => {
  await using posthorn = await workspace();
  const file = { filename: "a.txt", content: Buffer.from("secret file").toString("base64") };
  const id = await queue(posthorn, { body: "<p>Long</p>", text: "Long", attachments: [file] });
  const filter = { workspace: 1, status: null };
  const [listed] = await posthorn.store.read((reader) => mailsPage(reader, filter, 20, 0));
  const one = await posthorn.store.read((reader) => mailById(reader, 1, id));
  for (const mail of [listed, one]) expect(JSON.stringify(mail)).not.toMatch(/Long|BEGIN|html|variables|private/);
  const files = await posthorn.store.read((reader) => attachedTo(reader, one?.content ?? 0));
  expect(files).toMatchObject([{ filename: "a.txt", size: 11 }]);
  expect(files[0]).not.toHaveProperty("bytes");
});

describe("the record of a mail", () => {
  const queued = {
    status: "QUEUED",
    campaignId: null,
    templateId: null,
    workflowId: null,
    resentFrom: null,
    resentAt: null,
    sourceType: "TRANSACTIONAL",
    subject: "Hi",
    from: "hello@example.test",
    fromName: null,
    replyTo: null,
    to: "ada@example.com",
    toName: null,
    role: null,
    group: null,
    returnPath: "hello@example.test",
    remoteId: null,
    held: null,
    attempts: 0,
    error: null,
    reason: null,
    createdAt: "2026-03-01T09:00:00.000Z",
    scheduledFor: "2026-03-01T09:00:00.000Z",
    tags: [],
    metadata: {},
    attemptedAt: null,
    sentAt: null,
    failedAt: null,
    skippedAt: null,
    cancelledAt: null,
    cancelledBy: null,
    deliveredAt: null,
    bouncedAt: null,
    bounceType: null,
    complainedAt: null,
    opens: 0,
    openedAt: null,
    clicks: 0,
    clickedAt: null,
  };

  test("says all of it from the start, and by its id with its timeline", async () => {
    await using posthorn = await workspace();
    const { emails } = (await ask(posthorn, "POST /v1/send", { body: letter })).body.data;
    const { email: id, contact } = emails[0];
    const listed = (await ask(posthorn, "GET /emails")).body.data[0];
    const projectId = (await ask(posthorn, `GET /contacts/${contact.id}`)).body.projectId;
    expect(listed).toEqual({ ...queued, id, contactId: contact.id, projectId, messageId: `<${id}@example.test>` });
    const requestId = expect.stringMatching(/^[\w-]{36}$/);
    const [{ id: keySet, name }] = (await ask(posthorn, "GET /keys")).body.data;
    const by = { kind: "KEY", id: keySet, name };
    const timeline = [
      { at: "2026-03-01T09:00:00.000Z", what: "queued", detail: { via: "POST /v1/send", requestId, by } },
    ];
    expect(await shown(posthorn, id)).toEqual({ ...listed, recipients: [], resentAs: [], heldFor: null, timeline });
  });

  test("names sender, recipient and reply address as they were given", async () => {
    await using posthorn = await workspace();
    const id = await queue(posthorn, {
      from: "Shop <hello@example.test>",
      to: "Ada <ada@example.com>",
      reply: "help@example.test",
    });
    expect(await shown(posthorn, id)).toMatchObject({ fromName: "Shop", toName: "Ada", replyTo: "help@example.test" });
  });

  test("shows the subject as the recipient got it, once it has left", async () => {
    await using posthorn = await workspace();
    const id = await queue(posthorn, { subject: "For {{ plan }}", data: { plan: "pro" } });
    await posthorn.settle();
    expect(await shown(posthorn, id)).toMatchObject({ subject: "For pro", scheduledFor: null });
  });

  test("has the whole story in its timeline, in order", async () => {
    await using posthorn = await workspace();
    posthorn.transport.answer = () => ({ kind: "later", reply: "451 4.3.0 Try again" });
    const id = await queue(posthorn);
    await posthorn.settle();
    expect(await shown(posthorn, id)).toMatchObject({ status: "QUEUED", attempts: 1, error: "451 4.3.0 Try again" });
    posthorn.transport.answer = () => ({ kind: "accepted", reply: "250 Ok", remoteId: "R1" });
    posthorn.clock.advance(120_000);
    await posthorn.settle();
    const record = await shown(posthorn, id);
    expect(record).toMatchObject({
      status: "SENT",
      attempts: 2,
      error: null,
      remoteId: "R1",
      sentAt: "2026-03-01T09:02:00.000Z",
    });
    expect(record.timeline).toMatchObject([
      { at: "2026-03-01T09:00:00.000Z", what: "queued" },
      { at: "2026-03-01T09:00:00.000Z", what: "attempt.later", detail: { number: 1, reply: "451 4.3.0 Try again" } },
      {
        at: "2026-03-01T09:02:00.000Z",
        what: "email.sent",
        detail: { emailId: id, sentAt: "2026-03-01T09:02:00.000Z" },
      },
    ]);
  });
});

describe("GET /emails", () => {
  async function withMails(count: number): Promise<Posthorn> {
    const posthorn = await workspace();
    for (let index = 0; index < count; index++) await queue(posthorn, { to: `u${index}@example.com` });
    return posthorn;
  }
  const addressees = (body: Json): string[] =>
    body.data.map(({ to }: { to: string }) => to.replace("@example.com", ""));

  test("is empty at first", async () => {
    await using posthorn = await workspace();
    const { status, body } = await ask(posthorn, "GET /emails");
    expect([status, body]).toEqual([200, { data: [], total: 0, page: 1, pageSize: 20, totalPages: 0 }]);
  });

  test("shows the newest first, page by page", async () => {
    await using posthorn = await withMails(25);
    const first = (await ask(posthorn, "GET /emails")).body;
    expect(first).toMatchObject({ total: 25, page: 1, pageSize: 20, totalPages: 2 });
    expect(addressees(first)).toEqual(Array.from({ length: 20 }, (_, index) => `u${24 - index}`));
    expect(addressees((await ask(posthorn, "GET /emails?page=2")).body)).toEqual(["u4", "u3", "u2", "u1", "u0"]);
    const { body } = await ask(posthorn, "GET /emails?page=7&pageSize=4");
    expect([addressees(body), body.page, body.pageSize, body.totalPages]).toEqual([["u0"], 7, 4, 7]);
    expect((await ask(posthorn, "GET /emails?page=1000000000&pageSize=100")).body).toMatchObject({
      data: [],
      total: 25,
    });
  });

  test("can be asked for one status, and counts that alone", async () => {
    await using posthorn = await withMails(3);
    posthorn.transport.answer = ({ envelope }) =>
      envelope.recipient.startsWith("u1")
        ? { kind: "failed", reply: "554 5.7.1 No" }
        : { kind: "accepted", reply: "250 Ok" };
    await posthorn.settle();
    const expected: Record<string, string[]> = {
      SENT: ["u2", "u0"],
      FAILED: ["u1"],
      QUEUED: [],
      BOUNCED: [],
      DELIVERED: [],
      RECEIVED: [],
    };
    for (const [status, list] of Object.entries(expected)) {
      const { body } = await ask(posthorn, `GET /emails?status=${status}`);
      expect([status, addressees(body), body.total]).toEqual([status, list, list.length]);
    }
  });

  const bad: readonly [query: string, fields: Record<string, string>][] = [
    ["page=0", { page: "too_small" }],
    ["page=1000000001", { page: "too_big" }],
    ["page=1e3", { page: "invalid_type" }],
    ["page=0x10", { page: "invalid_type" }],
    ["page=+1", { page: "invalid_type" }],
    ["page=NaN", { page: "invalid_type" }],
    ["page=1;drop", { page: "invalid_type" }],
    ["page[]=1&page=x", { page: "invalid_type", "page[]": "unknown" }],
    ["pageSize=101", { pageSize: "too_big" }],
    ["pageSize=0", { pageSize: "too_small" }],
    ["status=sent", { status: "invalid" }],
    ["status=", { status: "invalid" }],
    ["status=NONE&page=x", { page: "invalid_type", status: "invalid" }],
  ];
  scenarios(
    "is refused",
    bad.map(([query, fields]): Scenario => ({
      name: `for ${query}`,
      request: `GET /emails?${query}`,
      status: 400,
      code: "INVALID_PARAMETERS",
      fields,
    })),
  );
});

describe("GET /emails/{id}/raw", () => {
  test("is the message as it will leave, and then as it left", async () => {
    await using posthorn = await workspace();
    const id = await queue(posthorn, { subject: "Größe {{ size }}", data: { size: "XL" } });
    const before = await ask(posthorn, `GET /emails/${id}/raw`);
    expect([before.status, before.headers.get("content-type")]).toEqual([200, "message/rfc822"]);
    expect(before.headers.get("ratelimit-limit")).toBe("1000");
    expect(before.body).toContain(`Message-ID: <${id}@example.test>`);
    await posthorn.settle();
    expect((await ask(posthorn, `GET /emails/${id}/raw`)).body).toBe(posthorn.transport.sent[0]?.raw.toString());
  });

  test("can be asked for a mail that failed", async () => {
    await using posthorn = await workspace();
    posthorn.transport.answer = () => ({ kind: "failed", reply: "554 5.7.1 No" });
    const id = await queue(posthorn);
    await posthorn.settle();
    expect((await ask(posthorn, `GET /emails/${id}/raw`)).body).toContain("Subject: Hi");
  });
});

describe("DELETE /emails/{id}", () => {
  test("cancels what has not left: it stays, with who did so and when, and says no event", async () => {
    await using posthorn = await workspace();
    const id = await queue(posthorn, { attachments: [{ filename: "a.txt", content: "SGVsbG8=" }] });
    posthorn.clock.advance(1_000);
    expect(await ask(posthorn, `DELETE /emails/${id}`)).toMatchObject({ status: 204, body: "" });
    await posthorn.settle();
    expect(posthorn.transport.sent).toHaveLength(0);
    const [{ id: keySet, name }] = (await ask(posthorn, "GET /keys")).body.data;
    const by = { kind: "KEY", id: keySet, name };
    const at = "2026-03-01T09:00:01.000Z";
    const record = (await ask(posthorn, `GET /emails/${id}`)).body;
    expect(record).toMatchObject({ status: "CANCELLED", scheduledFor: null, cancelledAt: at, cancelledBy: by });
    expect(record.timeline.at(-1)).toEqual({ at, what: "cancelled", detail: { by } });
    expect((await ask(posthorn, `GET /emails/${id}/raw`)).body).toContain("SGVsbG8=");
    expect(await countOf(posthorn, "events")).toBe(0);
  });

  test("is listed and counted as such, and by when it happened", async () => {
    await using posthorn = await workspace();
    const id = await queue(posthorn, { to: ["ada@example.com"] });
    await queue(posthorn, { to: ["bob@example.com"] });
    await ask(posthorn, `DELETE /emails/${id}`);
    await posthorn.settle();
    const ids = async (query: string) =>
      (await ask(posthorn, `GET /emails?${query}`)).body.data.map((mail: Json) => mail.id);
    expect(await ids("status=CANCELLED")).toEqual([id]);
    expect(await ids("status=CANCELLED,SENT")).toHaveLength(2);
    expect(await ids("happened=cancelled")).toEqual([id]);
    expect(await ids("status=QUEUED")).toEqual([]);
    const all = "QUEUED,SENDING,SENT,PERHAPS_DELIVERED,DELIVERED,FAILED,SKIPPED,CANCELLED,BOUNCED,COMPLAINED,RECEIVED";
    expect(await ids(`status=${all}`)).toHaveLength(2);
    const { body: states } = await ask(posthorn, "GET /statistics/states?since=2026-03-01T00:00:00Z");
    expect(states).toMatchObject({ accepted: 2, sent: 1, cancelled: 1, skipped: 0, waiting: 0 });
    const [series] = (await ask(posthorn, "GET /statistics/mails?from=2026-03-01&to=2026-03-02")).body.series;
    expect(series.totals).toMatchObject({ accepted: 2, sent: 1, cancelled: 1, failed: 0 });
  });

  test("can be sent again, as another mail", async () => {
    await using posthorn = await workspace();
    const id = await queue(posthorn);
    await ask(posthorn, `DELETE /emails/${id}`);
    expect((await ask(posthorn, `POST /emails/${id}/resend`)).status).toBe(201);
    await posthorn.settle();
    expect(posthorn.transport.sent).toHaveLength(1);
    expect((await ask(posthorn, `GET /emails/${id}`)).body.status).toBe("CANCELLED");
  });

  test("goes with its person", async () => {
    await using posthorn = await workspace();
    const id = await queue(posthorn);
    const { contactId } = (await ask(posthorn, `GET /emails/${id}`)).body;
    await ask(posthorn, `DELETE /emails/${id}`);
    await ask(posthorn, `DELETE /contacts/${contactId}`);
    await posthorn.settle();
    for (const table of ["emails", "contents", "contacts"]) expect(await countOf(posthorn, table)).toBe(0);
  });

  test("leaves the other recipients of the request their mail", async () => {
    await using posthorn = await workspace();
    const id = await queue(posthorn, { to: ["ada@example.com", "bob@example.com"] });
    await ask(posthorn, `DELETE /emails/${id}`);
    await posthorn.settle();
    expect(posthorn.transport.recipients).toEqual(["bob@example.com"]);
  });

  test("cancels what waits for another try", async () => {
    await using posthorn = await workspace();
    posthorn.transport.answer = () => ({ kind: "later", reply: "451 4.3.0 Try again" });
    const id = await queue(posthorn);
    await posthorn.settle();
    expect((await ask(posthorn, `DELETE /emails/${id}`)).status).toBe(204);
    posthorn.clock.advance(24 * 3_600_000);
    await posthorn.settle();
    expect(posthorn.transport.sent).toHaveLength(1);
  });

  test("does not cancel what has left, nor what is just leaving", async () => {
    await using posthorn = await workspace();
    const left = await queue(posthorn);
    await posthorn.settle();
    const leaving = await queue(posthorn);
    await posthorn.store.write((tx) => tx.run`update emails set status = 'SENDING' where status = 'QUEUED'`);
    for (const id of [left, leaving]) {
      const { status, body } = await ask(posthorn, `DELETE /emails/${id}`);
      expect([status, body.error.code]).toEqual([400, "EMAIL_STATE"]);
    }
    expect(await countOf(posthorn, "emails")).toBe(2);
  });

  test("asked for twice at once cancels once", async () => {
    await using posthorn = await workspace();
    const id = await queue(posthorn);
    const replies = await Promise.all([ask(posthorn, `DELETE /emails/${id}`), ask(posthorn, `DELETE /emails/${id}`)]);
    expect(replies.map(({ status }) => status).sort()).toEqual([204, 400]);
  });
});

scenarios("a mail that does not exist", [
  ...["GET /emails/ID", "GET /emails/ID/raw", "DELETE /emails/ID"].flatMap((route) =>
    [UNKNOWN, "1", "' or 1=1 --", "x".repeat(300)].map((id): Scenario => ({
      name: `is 404 at ${route.replace("ID", id.slice(0, 20))}`,
      request: route.replace("ID", encodeURIComponent(id)),
      status: 404,
      code: "EMAIL_NOT_FOUND",
    })),
  ),
]);
