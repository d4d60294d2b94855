// Why mails were refused: said of each, counted, and a filter of the list and of sending again; and when they failed.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { DAY_MS, HOUR_MS } from "../../src/base/clock.ts";
import type { HandoverOutcome } from "../../src/sending/carrier/transport/transport.ts";
import { letter } from "../support/mails.ts";
import type { Json, Posthorn } from "../support/posthorn.ts";
import { ask } from "../support/scenario.ts";
import { addWorkspace } from "../support/workspaces.ts";
import { workspace } from "../support/workspace.ts";

const REPLIES: Readonly<Record<string, HandoverOutcome>> = {
  gone1: { kind: "bounced", reply: "550 5.1.1 <gone1@example.com>: user unknown" },
  gone2: { kind: "bounced", reply: "550 No such user here" },
  full: { kind: "failed", reply: "552 5.2.2 Mailbox full", transient: true },
  spam: { kind: "failed", reply: "554 5.7.1 This looks like spam" },
  odd: { kind: "failed", reply: "554 No" },
};

let posthorn: Posthorn;
beforeAll(async () => {
  posthorn = await workspace();
  posthorn.transport.answer = ({ envelope: { recipient } }) =>
    REPLIES[recipient.split("@")[0] ?? ""] ?? { kind: "accepted", reply: "250 Ok" };
  for (const name of ["fine", ...Object.keys(REPLIES)]) {
    await posthorn.call("POST /v1/send", { ...letter, to: `${name}@example.com` });
    posthorn.clock.advance(HOUR_MS);
  }
  await posthorn.settle();
});
afterAll(() => posthorn[Symbol.asyncDispose]());

async function names(query: string): Promise<string[]> {
  const { status, body } = await ask(posthorn, `GET /emails?${query}`);
  expect([query, status]).toEqual([query, 200]);
  return body.data.map(({ to }: Json) => to.replace("@example.com", ""));
}

async function counts(query = ""): Promise<Json> {
  const { body } = await ask(posthorn, `GET /emails/reasons?${query}`);
  return Object.fromEntries(body.reasons.map(({ reason, count }: Json) => [reason, count]));
}

test("each mail that was refused has its reason, and no other mail has one", async () => {
  const { body } = await ask(posthorn, "GET /emails?limit=20");
  const told = body.data.map(({ to, reason }: Json) => [to.split("@")[0], reason]);
  expect(Object.fromEntries(told)).toEqual({
    ...{ fine: null, gone1: "NO_MAILBOX", gone2: "NO_MAILBOX", full: "FULL", spam: "SPAM", odd: "REFUSED" },
  });
});

test("states are counted with one call, each once, and those of another workspace are not among them", async () => {
  const { body } = await ask(posthorn, "GET /emails/counts?status=BOUNCED,FAILED,RECEIVED,BOUNCED");
  expect(body.counts).toEqual([
    ...[
      { status: "BOUNCED", count: 3 },
      { status: "FAILED", count: 2 },
      { status: "RECEIVED", count: 0 },
    ],
  ]);
  const { secret } = await addWorkspace(posthorn, { name: "apart", domain: "apart.example" });
  const other = await ask(posthorn, "GET /emails/counts?status=BOUNCED", { key: { bearer: secret } });
  expect(other.body.counts).toEqual([{ status: "BOUNCED", count: 0 }]);
  const all = (await ask(posthorn, "GET /emails/counts")).body.counts;
  expect(all.reduce((sum: number, { count }: Json) => sum + count, 0)).toBe(6);
});

test("reasons are counted, the most frequent first, within the other filters", async () => {
  const { body } = await ask(posthorn, "GET /emails/reasons");
  expect(body.reasons[0]).toEqual({ reason: "NO_MAILBOX", count: 2 });
  expect(body.isLowerBound).toBe(false);
  expect(await counts()).toEqual({ NO_MAILBOX: 2, FULL: 1, SPAM: 1, REFUSED: 1 });
  expect(await counts("status=FAILED")).toEqual({ SPAM: 1, REFUSED: 1 });
  expect(await counts("status=BOUNCED&search=gone1@example.com")).toEqual({ NO_MAILBOX: 1 });
  expect(await counts("status=SENT")).toEqual({});
});

test("each count is the list of those mails, page by page", async () => {
  expect(await names("reason=NO_MAILBOX")).toEqual(["gone2", "gone1"]);
  expect(await names("reason=FULL&status=BOUNCED")).toEqual(["full"]);
  expect(await names("reason=FULL&status=FAILED")).toEqual([]);
  expect(await names("reason=SPAM&search=spam@")).toEqual(["spam"]);
  const first = (await ask(posthorn, "GET /emails?reason=NO_MAILBOX&limit=1")).body;
  expect([first.data.length, first.hasMore]).toEqual([1, true]);
  const second = (await ask(posthorn, `GET /emails?reason=NO_MAILBOX&limit=1&cursor=${first.cursor}`)).body;
  expect(second.data).toMatchObject([{ to: "gone1@example.com" }]);
  expect((await ask(posthorn, "GET /emails?reason=WEATHER")).status).toBe(400);
});

test("mails are found by when they failed, however long ago they were accepted", async () => {
  const sendAt = new Date(posthorn.clock.nowMs() + 2 * DAY_MS).toISOString();
  await posthorn.call("POST /v1/send", { ...letter, to: "odd@example.com", subject: "Later", sendAt });
  posthorn.clock.advance(2 * DAY_MS);
  await posthorn.settle();
  const since = new Date(posthorn.clock.nowMs() - DAY_MS).toISOString();
  expect(await names(`failedSince=${since}`)).toEqual(["odd"]);
  expect(await names(`since=${since}&status=FAILED`)).toEqual([]);
  expect(await names(`failedSince=${since}&status=BOUNCED`)).toEqual([]);
});

test("those of one reason are sent again alone", async () => {
  const { body } = await ask(posthorn, "POST /emails/retry", { body: { filter: { reason: "SPAM" } } });
  await posthorn.settle();
  const job = (await ask(posthorn, `GET /emails/retry/jobs/${body.jobId}`)).body;
  expect([job.status, job.result.totalRequested]).toEqual(["COMPLETED", 1]);
  const none = await ask(posthorn, "POST /emails/retry", { body: { filter: { reason: "TOO_LARGE" } } });
  expect(none.status).toBe(422);
});

test("another workspace has reasons of its own", async () => {
  const { secret } = await addWorkspace(posthorn, { name: "calm", domain: "calm.example" });
  const { body } = await ask(posthorn, "GET /emails/reasons", { key: { bearer: secret } });
  expect(body).toEqual({ reasons: [], isLowerBound: false });
});
