// One mail's life after the door: claims, outcomes, retries, leases, the rate.
import { describe, expect, test } from "bun:test";
import type { HandoverOutcome } from "../../src/sending/carrier/transport/transport.ts";
import { ENGINE, freshDirectory } from "../support/database.ts";
import { startPosthorn, type Json, type Posthorn, type StartOptions } from "../support/posthorn.ts";
import { workspace } from "../support/workspace.ts";

const MINUTE_MS = 60_000;
const LATER: HandoverOutcome = { kind: "later", reply: "451 4.3.0 Try again" };
const GONE: HandoverOutcome = { kind: "unreachable", reply: "connect ECONNREFUSED" };

async function queue(
  posthorn: Posthorn,
  to: string | string[] = "ada@example.com",
  more: object = {},
): Promise<string> {
  const body = { to, from: "hello@example.test", subject: "Hi", body: "<p>Hello</p>", ...more };
  const reply = await posthorn.call("POST /v1/send", body);
  expect(reply.status).toBe(200);
  return reply.body.data.emails[0].email;
}

async function email(posthorn: Posthorn, id: string): Promise<Json> {
  return (await posthorn.call(`GET /emails/${id}`)).body;
}

async function marketingTemplate(posthorn: Posthorn): Promise<string> {
  const template = {
    name: "News",
    subject: "News",
    body: "<p>News</p>",
    from: "hello@example.test",
    type: "MARKETING",
  };
  return (await posthorn.call("POST /templates", template)).body.id;
}

describe("an accepted mail", () => {
  test.each(["subject", "body", "text"])(
    "that takes too long to render in its %s is FAILED at once, and says so (slow)",
    async (part) => {
      await using posthorn = await workspace();
      const busy = "{% for i in (1..900) %}{% for j in (1..900) %}x{% endfor %}{% endfor %}";
      const id = await queue(posthorn, "ada@example.com", { [part]: busy });
      const other = await queue(posthorn);
      await posthorn.settle();
      const error = "The email could not be composed: Rendering takes more than 100 ms of processor time.";
      expect(await email(posthorn, id)).toMatchObject({ status: "FAILED", attempts: 1, error });
      expect(await email(posthorn, other)).toMatchObject({ status: "SENT" });
    },
  );

  test.each(["body", "text"])("whose %s prints more than a megabyte is FAILED, and says so", async (part) => {
    await using posthorn = await workspace();
    const long = { [part]: "{% for i in (1..600) %}{{ line }}{% endfor %}", data: { line: "é".repeat(2_000) } };
    const id = await queue(posthorn, "ada@example.com", long);
    await posthorn.settle();
    const error = "The email could not be composed: The result is longer than 1048576 characters.";
    expect(await email(posthorn, id)).toMatchObject({ status: "FAILED", attempts: 1, error });
  });

  test("is SENT with the event in the same change, and its record says when", async () => {
    await using posthorn = await workspace();
    const id = await queue(posthorn);
    posthorn.clock.advance(1500);
    await posthorn.settle();
    const record = await email(posthorn, id);
    expect(record).toMatchObject({ status: "SENT", attempts: 1, sentAt: "2026-03-01T09:00:01.500Z", error: null });
    expect(await posthorn.events()).toEqual([
      {
        name: "email.sent",
        contact: "ada@example.com",
        data: {
          subject: "Hi",
          from: "hello@example.test",
          fromName: "",
          messageId: `<${id}@example.test>`,
          emailId: id,
          templateId: null,
          campaignId: null,
          sourceType: "TRANSACTIONAL",
          sentAt: "2026-03-01T09:00:01.500Z",
        },
      },
    ]);
  });

  test("is handed over once, however often the loops run", async () => {
    await using posthorn = await workspace();
    await queue(posthorn, ["a@example.com", "b@example.com", "c@example.com"]);
    for (let round = 0; round < 3; round++) await posthorn.settle();
    expect(posthorn.transport.recipients.sort()).toEqual(["a@example.com", "b@example.com", "c@example.com"]);
  });

  test("waits for its time", async () => {
    await using posthorn = await workspace();
    const id = await queue(posthorn, "ada@example.com", { sendAt: "2026-03-01T10:00:00Z" });
    await posthorn.settle();
    expect(posthorn.transport.sent).toHaveLength(0);
    expect(await email(posthorn, id)).toMatchObject({ status: "QUEUED", scheduledFor: "2026-03-01T10:00:00.000Z" });
    posthorn.clock.advance(60 * MINUTE_MS);
    await posthorn.settle();
    expect(await email(posthorn, id)).toMatchObject({ status: "SENT" });
  });

  test("is shown raw exactly as it left", async () => {
    await using posthorn = await workspace();
    const id = await queue(posthorn, "Ada Lovelace <ada@example.com>", {
      body: "<p>Hi {{ name }}</p>",
      data: { name: "Ada" },
    });
    await posthorn.settle();
    await posthorn.call("POST /contacts", { email: "ada@example.com", data: { name: "Augusta" } });
    posthorn.clock.advance(MINUTE_MS);
    const raw = (await posthorn.call(`GET /emails/${id}/raw`)).body;
    expect(raw).toBe(posthorn.transport.sent[0]?.raw.toString() as string);
    expect(raw).toContain("Hi Ada");
  });
});

describe("a mail that the next hop refuses", () => {
  test("for now is tried again after 1, 5, 15 minutes, 1, 4 and 12 hours, then given up (slow)", async () => {
    await using posthorn = await workspace();
    posthorn.transport.answer = () => LATER;
    const id = await queue(posthorn);
    for (const minutes of [1, 5, 15, 60, 240, 720]) {
      await posthorn.settle();
      const attempts = posthorn.transport.sent.length;
      posthorn.clock.advance(minutes * MINUTE_MS * 0.89);
      await posthorn.settle();
      expect(posthorn.transport.sent).toHaveLength(attempts);
      posthorn.clock.advance(minutes * MINUTE_MS * 0.22);
      await posthorn.settle();
      expect(posthorn.transport.sent).toHaveLength(attempts + 1);
    }
    const record = await email(posthorn, id);
    expect(record).toMatchObject({
      status: "FAILED",
      attempts: 7,
      error: "Given up after 7 attempts: 451 4.3.0 Try again",
    });
    expect(record.timeline.map((entry: Json) => entry.what)).toEqual([
      "queued",
      ...Array(6).fill("attempt.later"),
      "attempt.failed",
    ]);
    expect(await posthorn.eventNames()).toEqual([]);
  });

  test("for now and takes then carries the same Message-ID each time", async () => {
    await using posthorn = await workspace();
    posthorn.transport.answer = () => LATER;
    const id = await queue(posthorn);
    await posthorn.settle();
    posthorn.transport.answer = () => ({ kind: "accepted", reply: "250 Ok" });
    posthorn.clock.advance(2 * MINUTE_MS);
    await posthorn.settle();
    const ids = posthorn.transport.sent.map(({ raw }) => /^Message-ID: (.*)\r$/m.exec(raw.toString())?.[1]);
    expect(ids).toEqual([`<${id}@example.test>`, `<${id}@example.test>`]);
    expect(await email(posthorn, id)).toMatchObject({ status: "SENT", attempts: 2, error: null });
  });

  test("because of the recipient is a permanent bounce, and the contact is unsubscribed for it", async () => {
    await using posthorn = await workspace();
    await posthorn.call("POST /contacts", { email: "ada@example.com" });
    posthorn.transport.answer = () => ({ kind: "bounced", reply: "550 5.1.1 User unknown" });
    const id = await queue(posthorn);
    await posthorn.settle();
    expect(await email(posthorn, id)).toMatchObject({ status: "BOUNCED", error: "550 5.1.1 User unknown" });
    const [bounce, unsubscribed] = await posthorn.events();
    expect(bounce).toMatchObject({
      name: "email.bounce",
      data: { bounceType: "Permanent", emailId: id, bouncedAt: "2026-03-01T09:00:00.000Z" },
    });
    expect(bounce?.data).not.toHaveProperty("transientBounce");
    expect(unsubscribed).toEqual({
      name: "contact.unsubscribed",
      contact: "ada@example.com",
      data: { reason: "bounce" },
    });
  });

  test("is told with the subject as it was rendered", async () => {
    await using posthorn = await workspace();
    posthorn.transport.answer = () => ({ kind: "bounced", reply: "550 5.1.1 User unknown" });
    const id = await queue(posthorn, "ada@example.com", { subject: "Hello {{ name }}", data: { name: "Ada" } });
    await posthorn.settle();
    expect((await posthorn.events())[0]?.data).toMatchObject({ subject: "Hello Ada" });
    expect(await email(posthorn, id)).toMatchObject({ status: "BOUNCED", subject: "Hello Ada" });
  });

  test("for a fault that is not the recipient's fails with the reason and leaves the contact alone", async () => {
    await using posthorn = await workspace();
    posthorn.transport.answer = () => ({ kind: "failed", reply: "554 5.7.1 This message is unwanted" });
    const id = await queue(posthorn, "ada@example.com", { subscribed: true });
    await posthorn.settle();
    expect(await email(posthorn, id)).toMatchObject({ status: "FAILED", error: "554 5.7.1 This message is unwanted" });
    expect(await posthorn.eventNames()).toEqual([]);
  });

  test("on the recipient's side until the last try is a transient bounce, which unsubscribes nobody (slow)", async () => {
    await using posthorn = await workspace({ config: { delivery: { retryScheduleSeconds: [] } } });
    posthorn.transport.answer = () => ({ kind: "later", reply: "452 4.2.2 Mailbox full", transient: true });
    const id = await queue(posthorn, "ada@example.com", { subscribed: true });
    await posthorn.settle();
    expect(await email(posthorn, id)).toMatchObject({ status: "BOUNCED" });
    const [bounce, ...others] = await posthorn.events();
    expect(bounce).toMatchObject({ name: "email.bounce", data: { bounceType: "Transient", transientBounce: true } });
    expect(bounce?.data).not.toHaveProperty("bouncedAt");
    expect(others).toEqual([]);
  });
});

describe("a next hop that cannot be reached", () => {
  test("uses up no attempt, is asked less and less often with one mail, and is said once (slow)", async () => {
    await using posthorn = await startPosthorn();
    posthorn.transport.answer = () => GONE;
    const id = await queue(posthorn, ["a@example.com", "b@example.com", "c@example.com"]);
    await posthorn.settle();
    const first = posthorn.transport.sent.length;
    await posthorn.settle();
    expect(posthorn.transport.sent).toHaveLength(first);
    posthorn.clock.advance(1_000);
    await posthorn.settle();
    expect(posthorn.transport.sent).toHaveLength(first + 1);
    posthorn.clock.advance(1_000);
    await posthorn.settle();
    expect(posthorn.transport.sent).toHaveLength(first + 1);
    expect(await email(posthorn, id)).toMatchObject({ status: "QUEUED", attempts: 0, error: null });
    expect(posthorn.logLines.filter((line) => line.includes("cannot be reached"))).toHaveLength(1);
  });

  test("loses nothing: all goes out when it answers again, and that is said too", async () => {
    await using posthorn = await workspace();
    posthorn.transport.answer = () => GONE;
    await queue(posthorn, ["a@example.com", "b@example.com", "c@example.com"]);
    await posthorn.settle();
    posthorn.transport.sent.length = 0;
    posthorn.transport.answer = () => ({ kind: "accepted", reply: "250 Ok" });
    posthorn.clock.advance(60_000);
    await posthorn.settle();
    expect(posthorn.transport.recipients.sort()).toEqual(["a@example.com", "b@example.com", "c@example.com"]);
    expect(posthorn.logLines.filter((line) => line.includes("answers again"))).toHaveLength(1);
  });

  test("is not back for a mail that could not even be composed", async () => {
    await using posthorn = await workspace();
    posthorn.transport.answer = () => GONE;
    const gone = await queue(posthorn);
    await posthorn.settle();
    expect((await posthorn.call(`DELETE /emails/${gone}`)).status).toBe(204);
    const broken = await queue(posthorn, "b@example.com", { headers: { "X-Kind": "a" } });
    await posthorn.store.write((tx) => tx.run`update contents set headers = '{"From": "x@example.com"}'`);
    posthorn.clock.advance(60_000);
    await posthorn.settle();
    expect(await email(posthorn, broken)).toMatchObject({
      status: "FAILED",
      error: expect.stringContaining("could not be composed"),
    });
    expect(posthorn.logLines.filter((line) => line.includes("answers again"))).toEqual([]);
  });

  test("does not keep the API from accepting", async () => {
    await using posthorn = await workspace();
    posthorn.transport.answer = () => GONE;
    await queue(posthorn);
    await posthorn.settle();
    await queue(posthorn, "late@example.com");
  });
});

describe("before the hand-over", () => {
  test("an unsubscribe wins over a queued marketing mail", async () => {
    await using posthorn = await workspace();
    const template = await marketingTemplate(posthorn);
    await posthorn.call("POST /contacts", { email: "ada@example.com" });
    const reply = await posthorn.call("POST /v1/send", { to: "ada@example.com", template });
    await posthorn.call("POST /contacts", { email: "ada@example.com", subscribed: false });
    await posthorn.settle();
    expect(posthorn.transport.sent).toHaveLength(0);
    const record = await email(posthorn, reply.body.data.emails[0].email);
    expect(record).toMatchObject({
      status: "SKIPPED",
      error: "The recipient is not subscribed to marketing email.",
      ...{ attempts: 0, failedAt: null, skippedAt: "2026-03-01T09:00:00.000Z" },
    });
    expect(record.timeline.at(-1)).toMatchObject({ what: "skipped", detail: record.error });
  });

  test("transactional mail overtakes marketing mail (slow)", async () => {
    await using posthorn = await workspace({ config: { delivery: { concurrency: 1, ratePerSecond: 10 } } });
    const template = await marketingTemplate(posthorn);
    for (const name of ["a", "b", "c"]) {
      await posthorn.call("POST /contacts", { email: `${name}@example.com` });
      await posthorn.call("POST /v1/send", { to: `${name}@example.com`, template });
    }
    await queue(posthorn, "urgent@example.com");
    for (let slot = 0; slot < 4; slot++) {
      await posthorn.settle();
      posthorn.clock.advance(100);
    }
    expect(posthorn.transport.recipients).toEqual([
      "urgent@example.com",
      "a@example.com",
      "b@example.com",
      "c@example.com",
    ]);
  });

  test("a mail whose domain is no longer there fails in words", async () => {
    await using posthorn = await workspace();
    const id = await queue(posthorn);
    await posthorn.store.write((tx) => tx.run`update domains set verified_at = null`);
    await posthorn.settle();
    expect(posthorn.transport.sent).toHaveLength(0);
    expect((await email(posthorn, id)).error).toContain("no longer verified");
  });

  test("what is still queued can be cancelled, what has left cannot", async () => {
    await using posthorn = await workspace();
    const taken = await queue(posthorn, "ada@example.com", { sendAt: "2026-03-02T09:00:00Z" });
    expect((await posthorn.call(`DELETE /emails/${taken}`)).status).toBe(204);
    expect((await email(posthorn, taken)).status).toBe("CANCELLED");
    const left = await queue(posthorn);
    await posthorn.settle();
    expect((await posthorn.call(`DELETE /emails/${left}`)).body.error.code).toBe("EMAIL_STATE");
    posthorn.clock.advance(48 * 60 * MINUTE_MS);
    await posthorn.settle();
    expect(posthorn.transport.sent).toHaveLength(1);
  });
});

describe("a lease", () => {
  const claimAndDie = async (posthorn: Posthorn) => {
    posthorn.transport.answer = () => new Promise(() => {});
    const id = await queue(posthorn);
    await posthorn.store.write(
      (tx) => tx.run`update emails set status = 'SENDING', attempts = 1, due_at = '2026-03-01T09:20:00.000Z'`,
    );
    return id;
  };

  test("keeps a mail that somebody is sending from being sent twice", async () => {
    await using posthorn = await workspace();
    await claimAndDie(posthorn);
    posthorn.clock.advance(19 * MINUTE_MS);
    await posthorn.settle();
    expect(posthorn.transport.sent).toHaveLength(0);
  });

  test("that has run out gives the mail back, and its attempt counts", async () => {
    await using posthorn = await workspace();
    const id = await claimAndDie(posthorn);
    posthorn.transport.answer = () => ({ kind: "accepted", reply: "250 Ok" });
    posthorn.clock.advance(21 * MINUTE_MS);
    await posthorn.settle();
    expect(await email(posthorn, id)).toMatchObject({ status: "SENT", attempts: 2 });
  });

  test("that another attempt has taken over makes the first one's refusal count for nothing", async () => {
    await using posthorn = await workspace();
    const id = await queue(posthorn);
    let answers = 0;
    posthorn.transport.answer = async () => {
      // While the first attempt still waits for its answer, its lease runs out and somebody else claims the mail.
      await posthorn.store.write(
        (tx) => tx.run`update emails set attempts = attempts + 1, due_at = '2026-03-01T09:20:00.000Z'`,
      );
      return ++answers === 1
        ? { kind: "bounced", reply: "550 5.1.1 User unknown" }
        : { kind: "accepted", reply: "250 Ok" };
    };
    await posthorn.settle();
    expect(await email(posthorn, id)).toMatchObject({ status: "SENDING", attempts: 2 });
    expect(await posthorn.eventNames()).toEqual([]);
  });

  test("of a process that is gone ends with the next start; where others share the store, when it runs out (slow)", async () => {
    const first = await startPosthorn();
    const id = await claimAndDie(first);
    await first.server[Symbol.asyncDispose]();
    await using second = await startPosthorn({ dataDir: first.dataDir, clock: first.clock });
    if (!second.store.exclusive) second.clock.advance(21 * MINUTE_MS);
    await second.settle();
    expect(second.transport.recipients).toEqual(["ada@example.com"]);
    expect(second.transport.sent[0]?.id).toBe(id);
  });
});

describe("the rate", () => {
  const paced: StartOptions = { config: { delivery: { ratePerSecond: 14 } } };

  test("is kept: one mail each fourteenth of a second, from all workspaces together (slow)", async () => {
    await using posthorn = await startPosthorn(paced);
    await queue(
      posthorn,
      Array.from({ length: 40 }, (_, index) => `u${index}@example.com`),
    );
    const sentAfterMs: number[] = [];
    for (let ms = 0; ms < 2000; ms += 10) {
      await posthorn.settle();
      while (sentAfterMs.length < posthorn.transport.sent.length) sentAfterMs.push(ms);
      posthorn.clock.advance(10);
    }
    expect(posthorn.transport.sent.length).toBeGreaterThanOrEqual(25);
    const inSecond = (from: number) => sentAfterMs.filter((at) => at >= from && at < from + 1000).length;
    expect(Math.max(...sentAfterMs.map(inSecond))).toBeLessThanOrEqual(15);
  });

  test("is not forgotten by a restart (slow)", async () => {
    const first = await startPosthorn(paced);
    await queue(first, ["a@example.com", "b@example.com"]);
    await first.settle();
    expect(first.transport.sent).toHaveLength(1);
    await first.server[Symbol.asyncDispose]();
    await using second = await startPosthorn({ ...paced, dataDir: first.dataDir, clock: first.clock });
    await second.settle();
    expect(second.transport.sent).toHaveLength(0);
    second.clock.advance(72);
    await second.settle();
    expect(second.transport.sent).toHaveLength(1);
  });

  test("does not burst or stop when somebody sets the clock (slow)", async () => {
    await using posthorn = await startPosthorn(paced);
    await queue(
      posthorn,
      Array.from({ length: 20 }, (_, index) => `u${index}@example.com`),
    );
    await posthorn.settle();
    for (const jump of [3_600_000, -1_800_000]) {
      const before = posthorn.transport.sent.length;
      posthorn.clock.jump(jump);
      await posthorn.settle();
      expect(posthorn.transport.sent.length - before).toBeLessThanOrEqual(1);
      posthorn.clock.advance(72);
      await posthorn.settle();
      expect(posthorn.transport.sent.length - before).toBeGreaterThan(0);
    }
  });
});

// On PostgreSQL another process may have them in hand.
test.skipIf(ENGINE === "postgres")("after a crash mails are sent one by one until one got through (slow)", async () => {
  const { path: dataDir, remove } = freshDirectory();
  const crashed = await startPosthorn({ dataDir });
  for (let n = 0; n < 3; n++) await queue(crashed, `reader${n}@example.com`);
  const leaseUntil = new Date(crashed.clock.nowMs() + MINUTE_MS).toISOString();
  await crashed.store.write((tx) => tx.run`update emails set status = 'SENDING', attempts = 1, due_at = ${leaseUntil}`);
  await crashed[Symbol.asyncDispose]();
  const posthorn = await startPosthorn({ dataDir });
  const inHand: (number | undefined)[] = [];
  posthorn.transport.answer = async () => {
    const count = await posthorn.store.read(
      (reader) => reader.get<{ n: number }>`select count(*) as n from emails where status = 'SENDING' and attempts = 2`,
    );
    inHand.push(count?.n);
    return { kind: "accepted", reply: "250 2.0.0 Ok" };
  };
  await posthorn.settle();
  expect(inHand).toEqual([1, 2, expect.any(Number)]);
  await posthorn[Symbol.asyncDispose]();
  remove();
});
