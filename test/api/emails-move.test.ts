// PATCH /emails/{id}: a mail that waits is sent at another time, or now.
import { expect, test } from "bun:test";
import { letter } from "../support/mails.ts";
import type { Posthorn } from "../support/posthorn.ts";
import { addWorkspace } from "../support/workspaces.ts";
import { workspace } from "../support/workspace.ts";

const HOUR_MS = 3_600_000;

const at = (posthorn: Posthorn, hours: number) => new Date(posthorn.clock.nowMs() + hours * HOUR_MS).toISOString();

async function later(posthorn: Posthorn, changes: object = {}): Promise<string[]> {
  const { body } = await posthorn.call("POST /v1/send", { ...letter, sendAt: at(posthorn, 2), ...changes });
  return body.data.emails.map(({ email }: { email: string }) => email);
}

const passes = async (posthorn: Posthorn, hours: number) => {
  posthorn.clock.advance(hours * HOUR_MS);
  await posthorn.settle();
};

test("later, sooner, and now (slow)", async () => {
  await using posthorn = await workspace();
  const [id] = await later(posthorn);
  const moved = await posthorn.call(`PATCH /emails/${id}`, { sendAt: at(posthorn, 366 * 24) });
  expect([moved.status, moved.body.status, moved.body.scheduledFor]).toEqual([200, "QUEUED", at(posthorn, 366 * 24)]);
  await passes(posthorn, 3);
  expect(posthorn.transport.sent).toEqual([]);
  const sooner = await posthorn.call(`PATCH /emails/${id}`, { scheduled_at: at(posthorn, 1) });
  expect(sooner.body.scheduledFor).toBe(at(posthorn, 1));
  await passes(posthorn, 1);
  expect(posthorn.transport.sent).toHaveLength(1);
  for (const sendAt of [null, "2020-01-01T00:00:00Z"]) {
    const [other] = await later(posthorn);
    await posthorn.call(`PATCH /emails/${other}`, { sendAt });
    await posthorn.settle();
  }
  expect(posthorn.transport.sent).toHaveLength(3);
});

test("a group moves together, but for those that have left, and for repeats", async () => {
  await using posthorn = await workspace();
  const ids = await later(posthorn, { cc: "bob@example.com", bcc: "cy@example.com" });
  await posthorn.call(`PATCH /emails/${ids[2]}`, { sendAt: at(posthorn, 5) });
  const times = async () =>
    Promise.all(ids.map(async (id) => (await posthorn.call(`GET /emails/${id}`)).body.scheduledFor));
  expect(await times()).toEqual(Array(3).fill(at(posthorn, 5)));
  await posthorn.call(`DELETE /emails/${ids[0]}`);
  await posthorn.call(`PATCH /emails/${ids[1]}`, { sendAt: null });
  await posthorn.settle();
  expect(posthorn.transport.recipients.toSorted()).toEqual(["bob@example.com", "cy@example.com"]);
});

test("a mail that waits for another attempt is sent at once", async () => {
  await using posthorn = await workspace();
  posthorn.transport.answer = () => ({ kind: "later", reply: "451 4.7.1 Greylisted" });
  const [id] = await later(posthorn, { sendAt: null });
  await posthorn.settle();
  posthorn.transport.answer = () => ({ kind: "accepted", reply: "250 Ok" });
  expect((await posthorn.call(`PATCH /emails/${id}`, { sendAt: null })).status).toBe(200);
  await posthorn.settle();
  expect((await posthorn.call(`GET /emails/${id}`)).body).toMatchObject({ status: "SENT", attempts: 2 });
});

test("is refused for what has left, what is not there, and a time that is none or too far ahead (slow)", async () => {
  await using posthorn = await workspace();
  const [id] = await later(posthorn);
  const move = (sendAt: unknown, of = id, headers = {}) => posthorn.call(`PATCH /emails/${of}`, { sendAt }, headers);
  const field = async (sendAt: unknown) => (await move(sendAt)).body.error.errors[0];
  expect(await field("tomorrow")).toMatchObject({ field: "sendAt", code: "invalid_date" });
  expect(await field(at(posthorn, 367 * 24))).toMatchObject({ field: "sendAt", code: "too_big" });
  expect(await field(undefined)).toMatchObject({ field: "sendAt", code: "required" });
  const { secret } = await addWorkspace(posthorn, { name: "other", domain: "other.test" });
  expect((await move(null, id, { authorization: `Bearer ${secret}` })).body.error.code).toBe("EMAIL_NOT_FOUND");
  await passes(posthorn, 2);
  expect((await move(null)).body.error).toMatchObject({
    code: "EMAIL_STATE",
    message: expect.stringContaining("SENT"),
  });
});
