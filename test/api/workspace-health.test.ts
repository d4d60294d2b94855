// How a workspace's mail fares: the figures, and when the operator is told (GET /workspace/health).
import { describe, expect, test } from "bun:test";
import { MAIL_RETURNED } from "../../src/tenant/events/catalog.ts";
import { findLeftMail, markComplained, markReturned } from "../../src/mail/emails/feedback/feedback.ts";
import { countBounced, countComplaints, countSent } from "../../src/mail/emails/health/queries.ts";
import { news as campaign } from "../support/campaigns.ts";
import { letter } from "../support/mails.ts";
import type { Json, Posthorn } from "../support/posthorn.ts";
import { addWorkflow, execution, path, track } from "../support/workflows.ts";
import { addWorkspace } from "../support/workspaces.ts";
import { workspace } from "../support/workspace.ts";

const DAY_MS = 86_400_000;

/** Sends so many mails, of which the next hop refuses the first `refused`; answers the ids of the others. */
async function send(posthorn: Posthorn, mails: number, refused = 0): Promise<string[]> {
  const ids: string[] = [];
  posthorn.transport.answer = ({ envelope }) =>
    envelope.recipient.startsWith("gone")
      ? { kind: "bounced", reply: "550 5.1.1 No such user" }
      : { kind: "accepted", reply: "250 Ok" };
  const names = Array.from({ length: mails }, (_, n) => `${n < refused ? "gone" : "here"}${n}@example.com`);
  for (let from = 0; from < mails; from += 50) {
    const { body } = await posthorn.call("POST /v1/send", { ...letter, to: names.slice(from, from + 50) });
    ids.push(...body.data.emails.map(({ email }: { email: string }) => email));
  }
  await posthorn.settle();
  return ids.slice(refused);
}

/** Those who bounced get mail again. */
async function liftAll(posthorn: Posthorn): Promise<void> {
  for (const { id } of (await posthorn.call("GET /suppressions")).body.data)
    await posthorn.call(`DELETE /suppressions/${id}`);
}

async function tell(posthorn: Posthorn, ids: readonly string[], what: "Permanent" | "Transient" | "complaint") {
  for (const id of ids) {
    await posthorn.store.write(async (tx) => {
      const mail = await findLeftMail(tx, id);
      if (mail === null || mail === "early") throw new Error("It has not left.");
      await (what === "complaint"
        ? markComplained(tx, mail)
        : markReturned(tx, mail, { reason: "reason", byCarrier: false }, what));
    });
  }
}

async function health(posthorn: Posthorn): Promise<Json> {
  const { status, body } = await posthorn.call("GET /workspace/health");
  expect(status).toBe(200);
  return body;
}

const warnings = (posthorn: Posthorn) =>
  posthorn.logLines.filter((line) => / warn .*too many bounces or complaints/.test(line));

const NOTHING = {
  sentCount: 0,
  bouncedCount: 0,
  hardBouncedCount: 0,
  softBouncedCount: 0,
  complainedCount: 0,
  bounceRate: 0,
  complaintRate: 0,
  warnings: [],
  stopReasons: [],
};

test("where nothing was sent there is nothing to tell", async () => {
  await using posthorn = await workspace();
  expect(await health(posthorn)).toEqual({ since: "2026-01-30T09:00:00.000Z", ...NOTHING });
});

test("mails are counted as a campaign counts them, and hard bounces alone make the bounce rate", async () => {
  await using posthorn = await workspace();
  const ids = await send(posthorn, 20, 2);
  await tell(posthorn, ids.slice(0, 3), "Permanent");
  await tell(posthorn, ids.slice(3, 9), "Transient");
  await tell(posthorn, ids.slice(9, 10), "complaint");
  expect(await health(posthorn)).toMatchObject({
    ...{ sentCount: 20, bouncedCount: 11, hardBouncedCount: 5, softBouncedCount: 6, complainedCount: 1 },
    ...{ bounceRate: 25, complaintRate: 5, warnings: [] },
  });
});

test("what is older than 30 days no longer counts, nor does another workspace's mail", async () => {
  await using posthorn = await workspace();
  const ids = await send(posthorn, 3, 1);
  await tell(posthorn, ids.slice(0, 1), "complaint");
  posthorn.clock.advance(30 * DAY_MS + 1);
  expect(await health(posthorn)).toMatchObject(NOTHING);
  await liftAll(posthorn);
  await send(posthorn, 2, 1);
  const { secret } = await addWorkspace(posthorn, { name: "other", domain: "other.example" });
  const other = await posthorn.call("GET /workspace/health", undefined, { authorization: `Bearer ${secret}` });
  expect(other.body).toMatchObject(NOTHING);
  expect(await health(posthorn)).toMatchObject({ sentCount: 2, bouncedCount: 1 });
});

test("no count goes further back than it must", async () => {
  await using posthorn = await workspace();
  const ids = await send(posthorn, 10, 4);
  await tell(posthorn, ids.slice(0, 4), "complaint");
  const counts = await posthorn.store.read(async (reader) => [
    await countSent(reader, 1, "2026-01-01", 3),
    await countBounced(reader, 1, "2026-01-01", 3),
    await countComplaints(reader, 1, "2026-01-01", 3),
  ]);
  await posthorn.call("POST /v1/send", { ...letter, to: ["delivered@simulator.test", "opened@simulator.test"] });
  await posthorn.settle();
  // Mail to addresses to try with is passed over, and looked at no further than other mail.
  expect(await posthorn.store.read((reader) => countSent(reader, 1, "2026-01-01", 3))).toMatchObject({
    sent: 1,
    seen: 3,
  });
  expect(counts).toEqual([
    { sent: 3, seen: 3, firstAt: "2026-03-01T09:00:00.000Z" },
    { bounced: 3, hard: 3, refused: 3 },
    3,
  ]);
});

describe("the operator", () => {
  test("is told once when bounces are too many, and when they are no longer (slow)", async () => {
    await using posthorn = await workspace();
    await send(posthorn, 100, 5);
    for (let n = 0; n < 3; n++) await posthorn.settle();
    expect(await health(posthorn)).toMatchObject({ bounceRate: 5, warnings: ["BOUNCE_RATE"] });
    expect(warnings(posthorn)).toHaveLength(1);
    expect(warnings(posthorn)[0]).toContain("bounceRate=5 ");
    await send(posthorn, 50);
    await posthorn.settle();
    expect((await health(posthorn)).warnings).toEqual([]);
    expect(posthorn.logLines.filter((line) => line.includes("back to normal"))).toHaveLength(1);
  });

  test("is told when complaints are too many (slow)", async () => {
    await using posthorn = await workspace();
    const ids = await send(posthorn, 100);
    await tell(posthorn, ids.slice(0, 3), "complaint");
    await posthorn.settle();
    expect(await health(posthorn)).toMatchObject({ complaintRate: 3, warnings: ["COMPLAINT_RATE"] });
    expect(warnings(posthorn)).toHaveLength(1);
    expect(warnings(posthorn)[0]).not.toContain("@");
  });

  test.each([
    ["for so few mails", 99, 50, {}],
    ["for so few bounces", 100, 4, { bounceRateWarning: 1 }],
    ["below the limit", 100, 9, { bounceRateWarning: 10 }],
    ["where it is not wanted", 100, 50, { bounceRateWarning: 0 }],
  ])("is not %s (slow)", async (_, mails, refused, limits) => {
    await using posthorn = await workspace({ config: { limits } });
    await send(posthorn, mails, refused);
    await posthorn.settle();
    expect((await health(posthorn)).warnings).toEqual([]);
    expect(warnings(posthorn)).toEqual([]);
  });
});

describe("where marketing mail is to be stopped", () => {
  const STOP = { config: { limits: { bounceRateStop: 10 } } };
  const TEN_MINUTES_MS = 10 * 60 * 1000;
  const news = { name: "News", subject: "News", body: "<p>News</p>", type: "MARKETING", from: letter.from };

  async function look(posthorn: Posthorn): Promise<void> {
    posthorn.clock.advance(TEN_MINUTES_MS);
    await posthorn.settle();
  }

  test("it is refused and campaigns hold, with the reason, until things are better; other mail leaves (slow)", async () => {
    await using posthorn = await workspace(STOP);
    await send(posthorn, 100, 20);
    await look(posthorn);
    expect(await health(posthorn)).toMatchObject({ bounceRate: 20, stopReasons: ["BOUNCE_RATE"] });
    const { body: template } = await posthorn.call("POST /templates", news);
    const marketing = { to: "ada@example.com", template: template.id, subscribed: true };
    const refused = await posthorn.call("POST /v1/send", marketing);
    expect([refused.status, refused.body.error.code]).toEqual([403, "MARKETING_STOPPED"]);
    expect(refused.body.error.message).toContain("too many emails bounce");
    await posthorn.call("POST /contacts", { email: "ada@example.com" });
    const { body } = await posthorn.call("POST /campaigns", { ...campaign, audienceType: "ALL" });
    await posthorn.call(`POST /campaigns/${body.data.id}/send`);
    await posthorn.settle();
    const held = (await posthorn.call(`GET /campaigns/${body.data.id}`)).body.data;
    expect([held.status, held.sentCount, held.blocked]).toEqual(["SENDING", 0, refused.body.error.message]);
    await send(posthorn, 150);
    await look(posthorn);
    expect((await health(posthorn)).stopReasons).toEqual([]);
    await look(posthorn);
    expect((await posthorn.call(`GET /campaigns/${body.data.id}`)).body.data).toMatchObject({
      status: "SENT",
      blocked: null,
    });
    expect((await posthorn.call("POST /v1/send", marketing)).status).toBe(200);
  });

  test("what was accepted before waits, on its own or in a workflow, and leaves when things are better (slow)", async () => {
    await using posthorn = await workspace(STOP);
    const { body: template } = await posthorn.call("POST /templates", news);
    const flow = await addWorkflow(posthorn, [
      { type: "DELAY", name: "Wait", config: { amount: 10, unit: "minutes" } },
      { type: "SEND_EMAIL", name: "Mail", config: { templateId: template.id } },
    ]);
    const sendAt = new Date(posthorn.clock.nowMs() + 2 * TEN_MINUTES_MS).toISOString();
    const marketing = { to: "ada@example.com", template: template.id, subscribed: true, sendAt };
    const { body } = await posthorn.call("POST /v1/send", marketing);
    const { email: id } = body.data.emails[0];
    await track(posthorn, "signup");
    await send(posthorn, 100, 20);
    const before = posthorn.transport.sent.length;
    for (let n = 0; n < 3; n++) await look(posthorn);
    expect((await posthorn.call(`GET /emails/${id}`)).body).toMatchObject({ status: "QUEUED", attempts: 0 });
    expect(await execution(posthorn, flow)).toMatchObject({
      status: "RUNNING",
      reason: expect.stringContaining("stopped"),
    });
    expect(path(await execution(posthorn, flow))).toEqual(["Trigger COMPLETED", "Wait COMPLETED"]);
    expect(posthorn.transport.sent).toHaveLength(before);
    await send(posthorn, 150);
    for (let n = 0; n < 3; n++) await look(posthorn);
    expect((await posthorn.call(`GET /emails/${id}`)).body).toMatchObject({ status: "SENT", attempts: 1 });
    expect(path(await execution(posthorn, flow))).toEqual(["Trigger COMPLETED", "Wait COMPLETED", "Mail COMPLETED"]);
    expect(posthorn.transport.sent).toHaveLength(before + 150 + 2);
  });

  test("the answer with the rates holds from then on (slow)", async () => {
    await using posthorn = await workspace(STOP);
    const ids = await send(posthorn, 100);
    await tell(posthorn, ids.slice(0, 20), "Permanent");
    expect((await health(posthorn)).stopReasons).toEqual(["BOUNCE_RATE"]);
    const { body: template } = await posthorn.call("POST /templates", news);
    const marketing = { to: "ada@example.com", template: template.id, subscribed: true };
    expect((await posthorn.call("POST /v1/send", marketing)).body.error?.code).toBe("MARKETING_STOPPED");
    expect(posthorn.logLines.filter((line) => line.includes("marketing email is stopped"))).toHaveLength(1);
  });

  test("what comes back has the rates looked at", async () => {
    await using posthorn = await workspace(STOP);
    let isToLook = false;
    posthorn.store.onSignal((what) => (isToLook ||= what === MAIL_RETURNED));
    const hasThemLookedAt = async (work: () => Promise<unknown>) => {
      isToLook = false;
      await work();
      return isToLook;
    };
    const [first = "", second = "", third = ""] = await send(posthorn, 3);
    expect(await hasThemLookedAt(() => tell(posthorn, [first], "Transient"))).toBe(false);
    expect(await hasThemLookedAt(() => tell(posthorn, [second], "Permanent"))).toBe(true);
    expect(await hasThemLookedAt(() => tell(posthorn, [third], "complaint"))).toBe(true);
    expect(await hasThemLookedAt(() => send(posthorn, 1, 1))).toBe(true);
  });

  test("the operator is told once, however the rates move afterwards (slow)", async () => {
    await using posthorn = await workspace(STOP);
    await send(posthorn, 100, 20);
    await look(posthorn);
    await send(posthorn, 7);
    await look(posthorn);
    expect(posthorn.logLines.filter((line) => line.includes("marketing email is stopped"))).toHaveLength(1);
  });

  test("it is not where nothing is said of it (slow)", async () => {
    await using posthorn = await workspace();
    await send(posthorn, 100, 50);
    await look(posthorn);
    expect((await health(posthorn)).stopReasons).toEqual([]);
  });
});
