// POST /v1/send and its batch to several, some of whom are suppressed: nobody gets it, or the others do.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { letter } from "../support/mails.ts";
import { startPosthorn, type Json, type Posthorn } from "../support/posthorn.ts";
import { ask } from "../support/scenario.ts";

let posthorn: Posthorn;
beforeAll(async () => {
  posthorn = await startPosthorn();
  await ask(posthorn, "POST /suppressions", { body: { address: "gone@example.com", reason: "bounce" } });
  await ask(posthorn, "POST /suppressions", { body: { domain: "gone.test" } });
});
afterAll(() => posthorn[Symbol.asyncDispose]());

const to = ["gone@example.com", "ada@example.com", "x@gone.test"];
const skipped = [
  { email: "gone@example.com", reason: "bounce" },
  { email: "x@gone.test", reason: "manual" },
];
const send = async (body: object, headers = {}) =>
  (await ask(posthorn, "POST /v1/send", { body: { ...letter, to, ...body }, headers })).body;
const gotBy = ({ emails }: Json) => emails.map((one: Json) => one.contact.email);
const mails = async () => (await ask(posthorn, "GET /emails/counts")).body.total;

describe("a send", () => {
  test("is refused for all of them, and says which are suppressed", async () => {
    const before = await mails();
    const { error } = await send({});
    expect(error).toMatchObject({
      code: "RECIPIENT_SUPPRESSED",
      statusCode: 400,
      reason: "several_suppressed",
      values: { emails: "gone@example.com, x@gone.test" },
    });
    expect(error.message).toBe(
      "gone@example.com: The address is suppressed: an email to it bounced permanently. x@gone.test: The domain is suppressed: somebody suppressed it by hand.",
    );
    expect(await mails()).toBe(before);
  });

  test("says the same way out where one of several is suppressed, and none where there is nobody else", async () => {
    const one = (await send({ to: to.slice(0, 2) })).error;
    expect([one.reason, one.suggestion]).toEqual(["suppressed", expect.stringContaining('"skipSuppressed": true')]);
    expect((await send({ to: "gone@example.com" })).error.suggestion ?? "").not.toContain("skipSuppressed");
  });

  test("goes to the others if it skips the suppressed, and names who was left out", async () => {
    const { data } = await send({ skipSuppressed: true });
    expect(gotBy(data)).toEqual(["ada@example.com"]);
    expect(data.skipped).toEqual(skipped);
    expect((await posthorn.call("GET /contacts/by-email/x@gone.test")).status).toBe(404);
  });

  test("has an empty list where nobody was left out, and none where nobody could be", async () => {
    expect((await send({ to: "ada@example.com", skipSuppressed: true })).data.skipped).toEqual([]);
    expect((await send({ to: "ada@example.com" })).data).not.toHaveProperty("skipped");
  });

  test("queues nothing where everybody is left out, and is no error", async () => {
    const before = await mails();
    const { success, data } = await send({ to: [to[0], to[2]], skipSuppressed: true, group: true });
    expect([success, data.emails, data.skipped, data.group]).toEqual([true, [], skipped, undefined]);
    expect(await mails()).toBe(before);
  });

  test("to a group is a message to those who are left", async () => {
    const { data } = await send({ group: true, skipSuppressed: true, cc: "bob@example.com" });
    expect(gotBy(data)).toEqual(["ada@example.com", "bob@example.com"]);
    const { recipients } = (await ask(posthorn, `GET /emails/${data.emails[0].email}`)).body;
    expect(recipients.map((one: Json) => one.to)).toEqual(["ada@example.com", "bob@example.com"]);
  });

  test("leaves out a person of marketing mail whom a bounce has unsubscribed too", async () => {
    const template = { name: "News", subject: "News", body: "<p>News</p>", type: "MARKETING" };
    const { id } = (await ask(posthorn, "POST /templates", { body: template })).body;
    await ask(posthorn, "POST /contacts", { body: { email: "ada@example.com", subscribed: true } });
    await ask(posthorn, "POST /contacts", { body: { email: "back@example.com", subscribed: false } });
    const body = { address: "back@example.com", scope: "marketing", reason: "complaint" };
    await ask(posthorn, "POST /suppressions", { body });
    const people = ["back@example.com", "ada@example.com"];
    const { data } = await send({ to: people, template: id, subject: null, body: null, skipSuppressed: true });
    expect([gotBy(data), data.skipped[0].reason]).toEqual([["ada@example.com"], "complaint"]);
  });

  test("cannot both skip suppressions and ignore them", async () => {
    const { error } = await send({ skipSuppressed: true, ignoreSuppression: true });
    expect(error.errors).toMatchObject([{ field: "skipSuppressed", code: "conflicting" }]);
  });

  test("is not answered again from the store once a person who was left out is erased", async () => {
    const { id } = (await ask(posthorn, "POST /contacts", { body: { email: "gone@example.com" } })).body;
    const headers = { "Idempotency-Key": "left-out" };
    const said = await send({ skipSuppressed: true }, headers);
    expect(await send({ skipSuppressed: true }, headers)).toEqual(said);
    await ask(posthorn, `DELETE /contacts/${id}`);
    await posthorn.settle();
    expect((await send({ skipSuppressed: true }, headers)).error.code).toBe("IDEMPOTENCY_KEY_REUSED");
  });
});

test("an email of a batch skips the suppressed if it says so", async () => {
  const one = { ...letter, to };
  const batch = { emails: [{ ...one, skipSuppressed: true }, one], mode: "each" };
  const { results } = (await ask(posthorn, "POST /v1/send/batch", { body: batch })).body.data;
  expect(results[0]).toMatchObject({ ok: true, skipped: expect.arrayContaining([skipped[1]]) });
  expect(results[1]).toMatchObject({ ok: false, error: { code: "RECIPIENT_SUPPRESSED" } });
});
