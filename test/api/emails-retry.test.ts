// POST /emails/retry: a job that sends all mails of a filter again, each once, whatever happens to the process.
import { describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ENGINE } from "../support/database.ts";
import { letter } from "../support/mails.ts";
import { startPosthorn, type Json, type Posthorn } from "../support/posthorn.ts";
import { ask, countOf, scenarios } from "../support/scenario.ts";
import { addWorkspace } from "../support/workspaces.ts";
import { workspace } from "../support/workspace.ts";

const REFUSED = { kind: "failed", reply: "554 5.7.1 No" } as const;
const ACCEPTED = { kind: "accepted", reply: "250 Ok" } as const;

/** `count` mails of which none could be sent; the next hop takes mail again. */
async function fail(posthorn: Posthorn, count: number, changes: object = {}): Promise<string[]> {
  posthorn.transport.answer = () => REFUSED;
  const ids: string[] = [];
  for (let from = 0; from < count; from += 50) {
    const to = Array.from({ length: Math.min(50, count - from) }, (_, index) => `u${from + index}@example.com`);
    const { body } = await ask(posthorn, "POST /v1/send", { body: { ...letter, to, ...changes } });
    ids.push(...body.data.emails.map(({ email }: Json) => email));
  }
  await posthorn.settle();
  posthorn.transport.answer = () => ACCEPTED;
  posthorn.transport.sent.length = 0;
  return ids;
}

async function retry(posthorn: Posthorn, filter: object = {}): Promise<string> {
  const { status, body } = await ask(posthorn, "POST /emails/retry", { body: { filter } });
  expect(status).toBe(202);
  return body.jobId;
}

const job = async (posthorn: Posthorn, id: string): Promise<Json> =>
  (await ask(posthorn, `GET /emails/retry/jobs/${id}`)).body;

/** How often each address got a mail. */
function received(posthorn: Posthorn): number[] {
  return [...Map.groupBy(posthorn.transport.recipients, (address) => address).values()].map(({ length }) => length);
}

describe("a job that sends mails again", () => {
  test("sends each failed mail once, and tells how far it is (slow)", async () => {
    await using posthorn = await workspace();
    const ids = await fail(posthorn, 60);
    const id = await retry(posthorn);
    expect(await job(posthorn, id)).toEqual({
      ...{ id, status: "PENDING", progress: 0, failedReason: null },
      result: { totalRequested: 60, successCount: 0, failureCount: 0, errors: [] },
    });
    await posthorn.settle();
    expect(await job(posthorn, id)).toMatchObject({ status: "COMPLETED", progress: 100, result: { successCount: 60 } });
    expect(received(posthorn)).toEqual(ids.map(() => 1));
    const first = (await ask(posthorn, `GET /emails/${ids[0]}`)).body;
    expect((await ask(posthorn, `GET /emails/${first.resentAs[0]}`)).body).toMatchObject({
      resentFrom: ids[0],
      status: "SENT",
    });
  });

  test("leaves out what was sent again before, and what fails while it runs (slow)", async () => {
    await using posthorn = await workspace();
    const [first = "", second = ""] = await fail(posthorn, 2);
    await ask(posthorn, `POST /emails/${first}/resend`);
    posthorn.transport.answer = () => REFUSED;
    const id = await retry(posthorn);
    await posthorn.settle();
    expect((await job(posthorn, id)).result).toMatchObject({ totalRequested: 1, successCount: 1 });
    const { data } = (await ask(posthorn, "GET /emails?status=FAILED&limit=100")).body;
    expect(data.map(({ resentFrom }: Json) => resentFrom)).toEqual([second, first, null, null]);
  });

  test("takes mails that bounced for now, and none that bounced for good", async () => {
    await using posthorn = await workspace();
    posthorn.transport.answer = ({ envelope }) =>
      envelope.recipient.startsWith("soft")
        ? { kind: "failed", reply: "552 5.2.2 Mailbox full", transient: true }
        : { kind: "bounced", reply: "550 5.1.1 No such user" };
    await ask(posthorn, "POST /v1/send", { body: { ...letter, to: ["soft@example.com", "hard@example.com"] } });
    await posthorn.settle();
    posthorn.transport.answer = () => ACCEPTED;
    posthorn.transport.sent.length = 0;
    await retry(posthorn, { status: ["BOUNCED", "FAILED"] });
    await posthorn.settle();
    expect(posthorn.transport.recipients).toEqual(["soft@example.com"]);
  });

  test("is about the mails of its filter alone", async () => {
    await using posthorn = await workspace();
    await fail(posthorn, 1);
    posthorn.clock.advance(3_600_000);
    await fail(posthorn, 1, { to: "late@example.com" });
    await retry(posthorn, { since: "2026-03-01T09:30:00Z", domain: "example.test", sourceType: "TRANSACTIONAL" });
    await posthorn.settle();
    expect(posthorn.transport.recipients).toEqual(["late@example.com"]);
  });

  test("says which mails could not be sent again, and goes on", async () => {
    await using posthorn = await workspace();
    const template = { name: "N", subject: "N", body: "<p>N</p>", type: "MARKETING", from: letter.from };
    const { id: templateId } = (await ask(posthorn, "POST /templates", { body: template })).body;
    const [left = "", stays = ""] = await fail(posthorn, 2, {
      ...{ template: templateId, subject: null, body: null, subscribed: true },
    });
    const { contactId } = (await ask(posthorn, `GET /emails/${left}`)).body;
    await ask(posthorn, `PATCH /contacts/${contactId}`, { body: { subscribed: false } });
    const id = await retry(posthorn);
    await posthorn.settle();
    expect(await job(posthorn, id)).toMatchObject({
      status: "COMPLETED",
      result: {
        ...{ totalRequested: 2, successCount: 1, failureCount: 1 },
        errors: [{ emailId: left, error: "The recipient is not subscribed to marketing email." }],
      },
    });
    expect((await ask(posthorn, `GET /emails/${stays}`)).body.resentAs).toHaveLength(1);
  });

  test("stops when it is cancelled", async () => {
    await using posthorn = await workspace();
    await fail(posthorn, 3);
    const id = await retry(posthorn);
    const { status, body } = await ask(posthorn, `POST /emails/retry/jobs/${id}/cancel`);
    expect([status, body.status]).toEqual([200, "CANCELLED"]);
    await posthorn.settle();
    expect(posthorn.transport.sent).toHaveLength(0);
    expect((await ask(posthorn, `POST /emails/retry/jobs/${id}/cancel`)).status).toBe(409);
    await retry(posthorn);
    await posthorn.settle();
    expect(received(posthorn)).toEqual([1, 1, 1]);
  });

  test("is the only one of its workspace, and is not begun twice under one key", async () => {
    await using posthorn = await workspace();
    await fail(posthorn, 1);
    const body = { filter: {} };
    const headers = { "Idempotency-Key": "again" };
    const first = await ask(posthorn, "POST /emails/retry", { body, headers });
    const other = await ask(posthorn, "POST /emails/retry", { body });
    expect([other.status, other.body.error.code]).toEqual([409, "CONFLICT"]);
    await posthorn.settle();
    const second = await ask(posthorn, "POST /emails/retry", { body, headers });
    expect([second.status, second.body]).toEqual([202, first.body]);
    expect(received(posthorn)).toEqual([1]);
  });

  test("belongs to its workspace", async () => {
    await using posthorn = await workspace();
    await fail(posthorn, 1);
    const id = await retry(posthorn);
    const key = { bearer: (await addWorkspace(posthorn, { name: "stranger", domain: "stranger.example" })).secret };
    for (const route of [`GET /emails/retry/jobs/${id}`, `POST /emails/retry/jobs/${id}/cancel`])
      expect((await ask(posthorn, route, { key })).status).toBe(404);
    const { status, body } = await ask(posthorn, "POST /emails/retry", { key, body: { filter: {} } });
    expect([status, body.error.errors[0].code]).toEqual([422, "no_match"]);
  });

  test("keeps to the scope of the key that began it", async () => {
    await using posthorn = await workspace();
    await fail(posthorn, 1);
    const keys = (await ask(posthorn, "POST /keys", { body: { name: "S", domains: ["other.example"] } })).body;
    const { body } = await ask(posthorn, "POST /emails/retry", { key: { bearer: keys.secret }, body: { filter: {} } });
    await posthorn.settle();
    expect((await job(posthorn, body.jobId)).result).toMatchObject({ successCount: 0, failureCount: 1 });
    expect(posthorn.transport.sent).toHaveLength(0);
  });

  test("takes no more than ten thousand mails, and says so (slow)", async () => {
    await using posthorn = await workspace();
    await fail(posthorn, 1);
    posthorn.mailsAreMadeUp = true;
    await posthorn.store.write(
      (tx) => tx.run`
        insert into emails (id, workspace, contact, content, source_type, status, lane, to_address, created_at)
        with recursive n (i) as (select 1 union all select i + 1 from n where i < 10000)
        select 'x' || i, e.workspace, e.contact, e.content, e.source_type, e.status, e.lane, e.to_address, e.created_at from emails e, n`,
    );
    const { status, body } = await ask(posthorn, "POST /emails/retry", { body: { filter: {} } });
    expect([status, body.error.errors]).toMatchObject([422, [{ field: "filter", code: "too_big" }]]);
    expect(await countOf(posthorn, "retries")).toBe(0);
  });

  test("is forgotten after a month", async () => {
    await using posthorn = await workspace();
    await fail(posthorn, 1);
    await retry(posthorn);
    await posthorn.settle();
    posthorn.clock.advance(31 * 24 * 3_600_000);
    await posthorn.settle();
    expect(await countOf(posthorn, "retries")).toBe(0);
  });
});

describe("a batch that fails", () => {
  test.skipIf(ENGINE !== "sqlite")(
    "leaves nothing half done, and each mail is sent once when it is repeated (slow)",
    async () => {
      await using posthorn = await workspace();
      const ids = await fail(posthorn, 40);
      const id = await retry(posthorn);
      await posthorn.store.write(
        (tx) => tx.run`
        create trigger fault before insert on emails when new.to_address = 'u30@example.com'
        begin select raise(abort, 'made to fail'); end`,
      );
      await posthorn.settle();
      expect(await job(posthorn, id)).toMatchObject({ status: "PROCESSING", result: { successCount: 25 } });
      await posthorn.store.write((tx) => tx.run`drop trigger fault`);
      posthorn.clock.advance(3_600_000);
      await posthorn.settle();
      expect(await job(posthorn, id)).toMatchObject({ status: "COMPLETED", result: { successCount: 40 } });
      expect(received(posthorn)).toEqual(ids.map(() => 1));
    },
  );

  test.skipIf(ENGINE !== "sqlite")("again and again ends the job (slow)", async () => {
    await using posthorn = await workspace();
    await fail(posthorn, 1);
    const id = await retry(posthorn);
    await posthorn.store.write(
      (tx) => tx.run`create trigger fault before insert on emails begin select raise(abort, 'made to fail'); end`,
    );
    for (let tries = 0; tries < 6; tries++) {
      await posthorn.settle();
      posthorn.clock.advance(24 * 3_600_000);
    }
    expect(await job(posthorn, id)).toMatchObject({
      ...{ status: "FAILED", failedReason: expect.stringContaining("fault in this server") },
      result: { successCount: 0 },
    });
  });
});

test.skipIf(ENGINE !== "sqlite")("a job of a process that is gone is carried on by the next one (slow)", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "posthorn-"));
  try {
    const before = await startPosthorn({ dataDir });
    const ids = await fail(before, 30);
    const id = await retry(before);
    const { clock, keys } = before;
    await before[Symbol.asyncDispose]();
    await using posthorn = await startPosthorn({ dataDir, clock });
    Object.assign(posthorn.keys, keys);
    await posthorn.settle();
    expect((await job(posthorn, id)).status).toBe("COMPLETED");
    expect(received(posthorn)).toEqual(ids.map(() => 1));
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
});

const refused: readonly [name: string, body: object, fields: Record<string, string>][] = [
  ["no filter", {}, { filter: "required" }],
  ["a filter of another name", { filter: { search: "ada" } }, { "filter.search": "unknown" }],
  ["a state that is not worth it", { filter: { status: "SENT" } }, { "filter.status": "invalid" }],
  ["a time without a zone", { filter: { since: "2026-03-01T09:00:00" } }, { "filter.since": "invalid_date" }],
  ["no domain", { filter: { domain: "no_domain" } }, { "filter.domain": "invalid" }],
  ["a filter that matches nothing", { filter: {} }, { filter: "no_match" }],
];
scenarios(
  "a job is refused for",
  refused.map(([name, body, fields]) => ({
    ...{ name, request: "POST /emails/retry", body, status: 422, code: "VALIDATION_ERROR" as const, fields },
  })),
);
