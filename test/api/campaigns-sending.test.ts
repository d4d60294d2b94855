// A campaign on its way: sent, scheduled, paused, cancelled, tested, counted.
import { suppressContacts } from "../support/suppressed.ts";
import { describe, expect, test } from "bun:test";
import type { HandoverOutcome } from "../../src/sending/carrier/transport/transport.ts";
import {
  addReaders,
  look,
  news,
  recipients,
  send,
  slowRelay,
  statistics,
  write,
  unfreeze,
} from "../support/campaigns.ts";
import { exportedFrom } from "../support/files.ts";
import { contentOf, headerFields, mailSent, mailsSent } from "../support/mails.ts";
import type { Json, Posthorn } from "../support/posthorn.ts";
import { ask, everything, scenarios } from "../support/scenario.ts";
import { sharedPosthorn } from "../support/shared.ts";
import { addKeys, addUnverifiedDomain } from "../support/workspaces.ts";
import { workspace } from "../support/workspace.ts";

const NO_REASONS = { "too-many": 0, "not-relevant": 0, "never-signed-up": 0, other: 0 };
const READER = ["POST /contacts", { email: "ada@example.com" }] as const;
const DAY_MS = 24 * 60 * 60 * 1000;

scenarios("POST /campaigns/{id}/send", [
  {
    name: "starts at once",
    given: [READER, ["POST /campaigns", news]],
    request: "POST /campaigns/$1.data.id/send",
    status: 200,
    answer: { success: true, data: { status: "SENDING", startedAt: "2026-03-01T09:00:00.000Z" } },
  },
  {
    name: "waits for its time",
    given: [READER, ["POST /campaigns", news]],
    request: "POST /campaigns/$1.data.id/send",
    body: { scheduledFor: "2026-03-02T10:00:00+01:00" },
    status: 200,
    answer: { data: { status: "SCHEDULED", scheduledFor: "2026-03-02T09:00:00.000Z" } },
  },
  {
    name: "takes what is past for now",
    given: [READER, ["POST /campaigns", news]],
    request: "POST /campaigns/$1.data.id/send",
    body: { scheduledFor: "2025-03-02T10:00:00Z" },
    status: 200,
    answer: { data: { status: "SENDING", scheduledFor: null } },
  },
  ...["2026-03-02T10:00:00", "tomorrow", "2027-06-01T10:00:00Z"].map((scheduledFor) => ({
    name: `refuses ${scheduledFor}`,
    given: [READER, ["POST /campaigns", news]] as const,
    request: "POST /campaigns/$1.data.id/send",
    body: { scheduledFor },
    status: 422,
    fields: { scheduledFor: scheduledFor.startsWith("2027") ? "too_big" : "invalid_date" },
  })),
  {
    name: "needs recipients",
    given: [
      ["POST /contacts", { email: "ada@example.com", subscribed: false }],
      ["POST /campaigns", news],
    ],
    request: "POST /campaigns/$1.data.id/send",
    status: 400,
    code: "NO_RECIPIENTS",
  },
  {
    name: "needs a verified domain",
    given: [READER, ["POST /campaigns", { ...news, from: "x@other.test" }]],
    request: "POST /campaigns/$1.data.id/send",
    status: 403,
    code: "DOMAIN_NOT_VERIFIED",
  },
  {
    name: "is not repeated",
    given: [READER, ["POST /campaigns", news], ["POST /campaigns/$1.data.id/send"]],
    request: "POST /campaigns/$1.data.id/send",
    status: 400,
    code: "CAMPAIGN_STATE",
  },
]);

const verbs: readonly [verb: string, from: "DRAFT" | "SCHEDULED" | "SENDING" | "SENT" | "CANCELLED", status: number][] =
  [
    ["POST cancel", "DRAFT", 400],
    ["POST cancel", "SCHEDULED", 200],
    ["POST cancel", "SENDING", 200],
    ["POST cancel", "SENT", 400],
    ["POST cancel", "CANCELLED", 400],
    ["POST pause", "DRAFT", 400],
    ["POST pause", "SCHEDULED", 400],
    ["POST pause", "SENDING", 200],
    ["POST pause", "SENT", 400],
    ["POST resume", "SCHEDULED", 400],
    ["POST resume", "SENDING", 200],
    ["POST resume", "CANCELLED", 400],
    ["POST send", "SCHEDULED", 200],
    ["POST send", "SENT", 400],
    ["POST send", "CANCELLED", 400],
    ["PUT", "DRAFT", 200],
    ["PUT", "SCHEDULED", 200],
    ["PUT", "SENDING", 400],
    ["PUT", "SENT", 400],
    ["PUT", "CANCELLED", 400],
    ["DELETE", "DRAFT", 204],
    ["DELETE", "SCHEDULED", 400],
    ["DELETE", "SENDING", 400],
    ["DELETE", "SENT", 400],
    ["DELETE", "CANCELLED", 204],
  ];

const shared = sharedPosthorn();

async function campaignIn(posthorn: Posthorn, status: string): Promise<string> {
  await addReaders(posthorn, 1);
  const id = await write(posthorn);
  if (status === "SCHEDULED" || status === "CANCELLED")
    await ask(posthorn, `POST /campaigns/${id}/send`, { body: { scheduledFor: "2026-03-02T09:00:00Z" } });
  if (status === "CANCELLED") await ask(posthorn, `POST /campaigns/${id}/cancel`);
  if (status === "SENDING" || status === "SENT") await ask(posthorn, `POST /campaigns/${id}/send`);
  if (status === "SENT") await posthorn.settle();
  expect((await look(posthorn, id)).status).toBe(status);
  return id;
}

test.each(verbs)("%s of a campaign that is %s is answered %i", async (verb, from, status) => {
  const posthorn = shared();
  const id = await campaignIn(posthorn, from);
  const [method, action] = verb.split(" ");
  const reply = await ask(posthorn, `${method} /campaigns/${id}${action ? `/${action}` : ""}`, { body: {} });
  expect(reply.status).toBe(status);
  if (status === 400) {
    expect(reply.body.error.code).toBe("CAMPAIGN_STATE");
    expect((await look(posthorn, id)).status).toBe(from);
  }
});

describe("sending", () => {
  test("writes one mail to each subscribed contact, with its own data and its way out", async () => {
    await using posthorn = await workspace();
    await ask(posthorn, "POST /contacts", { body: { email: "ada@example.com", data: { name: "Ada" } } });
    await ask(posthorn, "POST /contacts", { body: { email: "bob@example.com" } });
    await ask(posthorn, "POST /contacts", { body: { email: "eve@example.com", subscribed: false } });
    const id = await send(posthorn, { fromName: "The news", replyTo: "re@example.test" });
    const mails = await mailsSent(posthorn);
    expect(mails.map(contentOf)).toMatchObject([
      { subject: "Hello Ada", from: news.from, fromName: "The news", reply: "re@example.test" },
      { subject: "Hello you" },
    ]);
    expect(contentOf(mails[0] as never).html).toContain("It is spring, ada@example.com.");
    const header = headerFields(posthorn.transport.sent[0]?.raw as Buffer);
    expect(header.find(({ name }) => name === "Feedback-ID")?.value).toStartWith(`${id}:`);
    expect(header.some(({ name }) => name === "List-Unsubscribe-Post")).toBe(true);
    expect(await look(posthorn, id)).toMatchObject({
      ...{ status: "SENT", sentAt: "2026-03-01T09:00:00.000Z", totalRecipients: 2, sentCount: 2 },
      ...{ bouncedCount: 0, blocked: null },
    });
    expect(await recipients(posthorn, id)).toEqual(["ada@example.com SENT", "bob@example.com SENT"]);
  });

  test("names the campaign in mails and events", async () => {
    await using posthorn = await workspace();
    await addReaders(posthorn, 1);
    const id = await send(posthorn);
    await posthorn.settle();
    const { data } = (await ask(posthorn, "GET /emails")).body;
    expect(data).toMatchObject([{ campaignId: id, sourceType: "CAMPAIGN", templateId: null, status: "SENT" }]);
    expect(await posthorn.events()).toMatchObject([
      { name: "email.sent", data: { campaignId: id, sourceType: "CAMPAIGN", emailId: data[0].id } },
    ]);
  });

  test("starts by itself at the time that was said, as it is written then", async () => {
    await using posthorn = await workspace();
    await addReaders(posthorn, 2);
    const id = await write(posthorn);
    await ask(posthorn, `POST /campaigns/${id}/send`, { body: { scheduledFor: "2026-03-02T09:00:00Z" } });
    await posthorn.settle();
    expect(posthorn.transport.sent).toEqual([]);
    await ask(posthorn, `PUT /campaigns/${id}`, { body: { subject: "Changed" } });
    await addReaders(posthorn, 3);
    posthorn.clock.advance(DAY_MS);
    expect((await mailsSent(posthorn)).map(({ subject }) => subject)).toEqual(["Changed", "Changed", "Changed"]);
    expect(await look(posthorn, id)).toMatchObject({ status: "SENT", scheduledFor: "2026-03-02T09:00:00.000Z" });
  });

  test("is the more urgent the earlier: sent again with another time, a scheduled one starts then", async () => {
    await using posthorn = await workspace();
    await addReaders(posthorn, 1);
    const id = await write(posthorn);
    await ask(posthorn, `POST /campaigns/${id}/send`, { body: { scheduledFor: "2026-03-02T09:00:00Z" } });
    const sent = await ask(posthorn, `POST /campaigns/${id}/send`);
    expect(sent.body.data).toMatchObject({ status: "SENDING", scheduledFor: null });
    await mailSent(posthorn);
    expect(await look(posthorn, id)).toMatchObject({ status: "SENT", scheduledFor: null });
  });

  test("goes to nobody who came after the start", async () => {
    await using posthorn = await workspace();
    await addReaders(posthorn, 2);
    await send(posthorn);
    await ask(posthorn, "POST /contacts", { body: { email: "late@example.com" } });
    await posthorn.settle();
    expect(posthorn.transport.recipients.toSorted()).toEqual(["reader1@example.com", "reader2@example.com"]);
  });

  test("takes more people than fit into one piece of work and wait in the queue at a time, each once (slow)", async () => {
    await using posthorn = await workspace();
    await posthorn.store.write(
      (tx) => tx.run`
        insert into contacts (id, workspace, email, subscribed, data, created_at, updated_at)
        with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 2300)
        select 'c' || n, 1, 'c' || n || '@example.com', case when n % 10 = 0 then 0 else 1 end, ${tx.dialect.json("{}")}, ${tx.now}, ${tx.now}
        from numbers`,
    );
    await posthorn.store.write((tx) => tx.run`insert into contact_counts values (1, 0, 2300, 2070)`);
    const id = await send(posthorn, { subject: "Hi" });
    await posthorn.settle();
    expect(new Set(posthorn.transport.recipients).size).toBe(2070);
    expect(posthorn.transport.sent).toHaveLength(2070);
    expect(await statistics(posthorn, id)).toMatchObject({ totalRecipients: 2070, sentCount: 2070, pendingCount: 0 });
    expect((await look(posthorn, id)).status).toBe("SENT");
  });

  test("waits for the last mail that is tried again (slow)", async () => {
    await using posthorn = await workspace();
    await addReaders(posthorn, 2);
    posthorn.transport.answer = ({ envelope }) =>
      envelope.recipient.startsWith("reader1") && posthorn.transport.sent.length < 3
        ? { kind: "later", reply: "451 later" }
        : { kind: "accepted", reply: "250 Ok" };
    const id = await send(posthorn);
    await posthorn.settle();
    expect(await look(posthorn, id)).toMatchObject({ status: "SENDING", sentCount: 1, sentAt: null });
    expect(await recipients(posthorn, id)).toEqual([
      "reader1@example.com QUEUED 451 later",
      "reader2@example.com SENT",
    ]);
    posthorn.clock.advance(DAY_MS);
    await posthorn.settle();
    expect(await look(posthorn, id)).toMatchObject({
      status: "SENT",
      sentCount: 2,
      sentAt: "2026-03-02T09:00:00.000Z",
    });
  });
});

describe("an audience", () => {
  const plan = (value: string) => ({
    logic: "AND",
    groups: [{ filters: [{ field: "data.plan", operator: "equals", value }] }],
  });

  async function customers(posthorn: Posthorn): Promise<void> {
    for (const [name, is] of [
      ["ada", "pro"],
      ["bob", "free"],
      ["eve", "pro"],
    ])
      await ask(posthorn, "POST /contacts", { body: { email: `${name}@example.com`, data: { plan: is } } });
  }

  async function segment(posthorn: Posthorn, condition: object | null): Promise<string> {
    const input = condition ? { type: "DYNAMIC", condition } : { type: "STATIC" };
    return (await ask(posthorn, "POST /segments", { body: { name: "People", ...input } })).body.id;
  }

  test("that is filtered gets it, as the filter stands when it starts", async () => {
    await using posthorn = await workspace();
    await customers(posthorn);
    const input = { audienceType: "FILTERED", audienceCondition: plan("pro") };
    const preview = (await ask(posthorn, "POST /campaigns/audience-preview", { body: input })).body.data;
    expect([preview.matched, preview.willReceive]).toEqual([2, 2]);
    const id = await send(posthorn, input);
    await posthorn.settle();
    expect(await recipients(posthorn, id)).toEqual(["ada@example.com SENT", "eve@example.com SENT"]);
    expect((await look(posthorn, id)).audienceCondition).toEqual(plan("pro"));
  });

  test("that is a segment with a condition gets it", async () => {
    await using posthorn = await workspace();
    await customers(posthorn);
    const id = await send(posthorn, { audienceType: "SEGMENT", segmentId: await segment(posthorn, plan("free")) });
    await posthorn.settle();
    expect(await recipients(posthorn, id)).toEqual(["bob@example.com SENT"]);
  });

  test("that is a segment made by hand gets it; the segment is in use until then", async () => {
    await using posthorn = await workspace();
    await customers(posthorn);
    const segmentId = await segment(posthorn, null);
    const emails = ["ada@example.com", "bob@example.com"];
    await ask(posthorn, `POST /segments/${segmentId}/members`, { body: { emails } });
    const id = await write(posthorn, { audienceType: "SEGMENT", segmentId });
    const remove = () => ask(posthorn, `DELETE /segments/${segmentId}`);
    expect((await remove()).body.error.code).toBe("CONFLICT");
    expect((await look(posthorn, id)).segment).toMatchObject({ id: segmentId, name: "People", memberCount: 2 });
    await ask(posthorn, `POST /campaigns/${id}/send`);
    await posthorn.settle();
    expect(await recipients(posthorn, id)).toEqual(["ada@example.com SENT", "bob@example.com SENT"]);
    expect((await remove()).status).toBe(204);
    expect(await look(posthorn, id)).toMatchObject({ segmentId, segment: null, totalRecipients: 2 });
  });

  test("that is a segment is the one of this moment: who has just come into it gets it, who has left does not", async () => {
    await using posthorn = await workspace();
    const condition = { groups: [{ filters: [{ field: "data.plan", value: "pro" }] }] };
    const segment = (await ask(posthorn, "POST /segments", { body: { name: "Pro", condition } })).body.id;
    const left = { email: "bob@example.com", data: { plan: "pro" } };
    await ask(posthorn, "POST /contacts", { body: left });
    const input = { audienceType: "SEGMENT", segmentId: segment };
    const [now, later] = [await write(posthorn, input), await write(posthorn, input)];
    await posthorn.settle();
    await ask(posthorn, "POST /contacts", { body: { ...left, data: { plan: "free" } } });
    await ask(posthorn, "POST /contacts", { body: { email: "ada@example.com", data: { plan: "pro" } } });
    expect((await look(posthorn, now)).segment.memberCount).toBe(1);
    await ask(posthorn, "POST /contacts", { body: { email: "cyd@example.com", data: { plan: "pro" } } });
    const preview = await ask(posthorn, "POST /campaigns/audience-preview", { body: input });
    expect(preview.body.data.willReceive).toBe(2);
    await ask(posthorn, "POST /contacts", { body: { email: "dee@example.com", data: { plan: "pro" } } });
    expect(await exportedFrom(posthorn, `?segmentId=${segment}`)).toContain("dee@example.com");
    await ask(posthorn, `POST /campaigns/${later}/send`, { body: { scheduledFor: "2026-03-01T10:00:00Z" } });
    await ask(posthorn, "POST /contacts", { body: { email: "eve@example.com", data: { plan: "pro" } } });
    expect((await ask(posthorn, `POST /campaigns/${now}/send`)).status).toBe(200);
    await posthorn.settle();
    const people = ["ada", "cyd", "dee", "eve"].map((name) => `${name}@example.com`);
    expect((await recipients(posthorn, now)).map((line) => line.split(" ")[0]).toSorted()).toEqual(people);
  });

  test("is found when there was nobody a moment ago", async () => {
    await using posthorn = await workspace();
    const condition = { groups: [{ filters: [{ field: "data.plan", value: "pro" }] }] };
    const segment = (await ask(posthorn, "POST /segments", { body: { name: "Pro", condition } })).body.id;
    const id = await write(posthorn, { audienceType: "SEGMENT", segmentId: segment });
    await posthorn.settle();
    await ask(posthorn, "POST /contacts", { body: { email: "ada@example.com", data: { plan: "pro" } } });
    const filter = { segmentId: segment, subscribed: true };
    const { jobId } = (await ask(posthorn, "POST /contacts/bulk-subscribe", { body: { filter } })).body;
    expect((await ask(posthorn, `GET /contacts/bulk/${jobId}`)).body.result.totalRequested).toBe(1);
    expect((await ask(posthorn, `POST /campaigns/${id}/send`)).status).toBe(200);
    await posthorn.settle();
    expect(posthorn.transport.recipients).toEqual(["ada@example.com"]);
  });

  test("that a condition finds by a segment keeps that one from being deleted, for as long as it is needed (slow)", async () => {
    await using posthorn = await workspace();
    await customers(posthorn);
    const segmentId = await segment(posthorn, plan("free"));
    const filters = [{ field: `segment.${segmentId}`, operator: "notMemberOf" }];
    const input = { audienceType: "FILTERED", audienceCondition: { groups: [{ filters }] } };
    const [draft, sent] = [await write(posthorn, input), await write(posthorn, input)];
    const remove = async () => (await ask(posthorn, `DELETE /segments/${segmentId}`)).status;
    await ask(posthorn, `POST /campaigns/${sent}/send`);
    await posthorn.settle();
    expect(await recipients(posthorn, sent)).toEqual(["ada@example.com SENT", "eve@example.com SENT"]);
    expect(await remove()).toBe(409);
    await ask(posthorn, `PUT /campaigns/${draft}`, { body: { audienceType: "ALL", audienceCondition: null } });
    expect(await remove()).toBe(204);
  });

  test("that is another one now keeps nothing of the former, whose segment can be deleted", async () => {
    await using posthorn = await workspace();
    const segmentId = await segment(posthorn, plan("free"));
    const audienceCondition = { groups: [{ filters: [{ field: `segment.${segmentId}`, operator: "memberOf" }] }] };
    const drafts = [
      await write(posthorn, { audienceType: "SEGMENT", segmentId }),
      await write(posthorn, { audienceType: "FILTERED", audienceCondition }),
    ];
    for (const id of drafts) await ask(posthorn, `PUT /campaigns/${id}`, { body: { audienceType: "ALL" } });
    const unused = { segmentId: "nope", audienceCondition };
    drafts.push(await write(posthorn, unused));
    await ask(posthorn, `PUT /campaigns/${drafts[0]}`, { body: unused });
    expect((await ask(posthorn, `DELETE /segments/${segmentId}`)).status).toBe(204);
    for (const id of drafts)
      expect(await look(posthorn, id)).toMatchObject({ segmentId: null, segment: null, audienceCondition: null });
  });

  test("that is gone must be chosen again for a copy, which can be edited before but not sent (slow)", async () => {
    await using posthorn = await workspace();
    await customers(posthorn);
    const segmentId = await segment(posthorn, plan("free"));
    const filters = [{ field: "email", operator: "contains", value: "a" }];
    const gone = [{ field: `segment.${segmentId}`, operator: "notMemberOf" }];
    const wishes = [
      { audienceType: "SEGMENT", segmentId },
      { audienceType: "FILTERED", audienceCondition: { groups: [{ filters }, { filters: gone }] } },
    ];
    const originals = [await send(posthorn, wishes[0]), await send(posthorn, wishes[1])];
    await posthorn.settle();
    expect((await ask(posthorn, `DELETE /segments/${segmentId}`)).status).toBe(204);
    for (const [index, field] of ["segmentId", "audienceCondition"].entries()) {
      const again = await ask(posthorn, `POST /campaigns/${originals[index]}/send`);
      expect([again.status, again.body.error.code]).toEqual([400, "CAMPAIGN_STATE"]);
      const { status, body } = await ask(posthorn, `POST /campaigns/${originals[index]}/duplicate`);
      const empty = { segmentId: null, segment: null, audienceCondition: null };
      expect([status, body.data]).toMatchObject([201, { ...wishes[index], ...empty, status: "DRAFT" }]);
      const { id } = body.data;
      const changed = await ask(posthorn, `PUT /campaigns/${id}`, { body: { subject: "This month" } });
      expect([changed.status, changed.body.data]).toMatchObject([200, { subject: "This month", ...empty }]);
      expect((await ask(posthorn, `POST /campaigns/${id}/duplicate`)).status).toBe(201);
      const unchosen = await ask(posthorn, `PUT /campaigns/${id}`, { body: { [field]: null } });
      expect([unchosen.status, unchosen.body.data]).toMatchObject([200, { ...empty, totalRecipients: 0 }]);
      const refusal = await ask(posthorn, `POST /campaigns/${id}/send`);
      expect([refusal.status, refusal.body.error.code]).toEqual([400, "NO_RECIPIENTS"]);
      expect(refusal.body.error.suggestion).toStartWith(`Set ${field}`);
      await ask(posthorn, `PUT /campaigns/${id}`, { body: { audienceType: "ALL" } });
      expect((await ask(posthorn, `POST /campaigns/${id}/send`)).status).toBe(200);
    }
  });

  test("that nobody knows is refused wherever it is named, and leaves nothing", async () => {
    await using posthorn = await workspace();
    const unknown = { audienceType: "SEGMENT", segmentId: "0199a3b4-0000-7000-8000-0000000000bb" };
    const faulty = {
      audienceType: "FILTERED",
      audienceCondition: { groups: [{ filters: [{ field: "email", operator: "triggered" }] }] },
    };
    const id = await write(posthorn);
    for (const route of ["POST /campaigns", "POST /campaigns/audience-preview", `PUT /campaigns/${id}`]) {
      const [segment, filter] = [
        await ask(posthorn, route, { body: { ...news, ...unknown } }),
        await ask(posthorn, route, { body: { ...news, ...faulty } }),
      ];
      expect([route, segment.status, segment.body.error.code]).toEqual([route, 404, "SEGMENT_NOT_FOUND"]);
      expect([route, filter.status, filter.body.error.errors[0].field]).toEqual([
        route,
        422,
        expect.stringMatching(/^audienceCondition\./),
      ]);
    }
    expect((await ask(posthorn, "GET /campaigns")).body.total).toBe(1);
  });
});

async function erase(posthorn: Posthorn, email: string): Promise<void> {
  const { found } = (await ask(posthorn, "POST /contacts/lookup", { body: { emails: [email] } })).body;
  expect((await ask(posthorn, `DELETE /contacts/${found[0].id}`)).status).toBe(204);
}

describe("a person who leaves during the run", () => {
  /** Frozen, nothing let in yet: as if the process had ended in between. */
  async function frozen(posthorn: Posthorn): Promise<string> {
    await addReaders(posthorn, 3);
    const id = await send(posthorn);
    await ask(posthorn, `POST /campaigns/${id}/pause`);
    await posthorn.settle();
    expect(await recipients(posthorn, id)).toEqual([1, 2, 3].map((n) => `reader${n}@example.com PENDING`));
    return id;
  }

  test("gets nothing: unsubscribed, bounced, or erased", async () => {
    await using posthorn = await workspace();
    const id = await frozen(posthorn);
    await ask(posthorn, "POST /contacts", { body: { email: "reader1@example.com", subscribed: false } });
    await suppressContacts(posthorn, "bounce", "reader2@example.com");
    await erase(posthorn, "reader3@example.com");
    await ask(posthorn, `POST /campaigns/${id}/resume`);
    await posthorn.settle();
    expect(posthorn.transport.sent).toEqual([]);
    expect(await recipients(posthorn, id)).toEqual([
      "reader1@example.com SKIPPED unsubscribed",
      "reader2@example.com SKIPPED suppressed",
      "SKIPPED erased",
    ]);
    expect(await statistics(posthorn, id)).toMatchObject({ totalRecipients: 3, skippedCount: 3, sentCount: 0 });
    expect((await look(posthorn, id)).status).toBe("SENT");
  });

  test("gets nothing even if the mail is queued already", async () => {
    await using posthorn = await workspace();
    await addReaders(posthorn, 2);
    posthorn.transport.answer = () => ({ kind: "later", reply: "451 later" });
    const id = await send(posthorn);
    await posthorn.settle();
    await ask(posthorn, "POST /contacts", { body: { email: "reader1@example.com", subscribed: false } });
    posthorn.transport.answer = () => ({ kind: "accepted", reply: "250 Ok" });
    posthorn.clock.advance(DAY_MS);
    await posthorn.settle();
    expect(await recipients(posthorn, id)).toEqual([
      "reader1@example.com SKIPPED unsubscribed",
      "reader2@example.com SENT",
    ]);
    expect(await statistics(posthorn, id)).toMatchObject({ skippedCount: 1, failedCount: 0, sentCount: 1 });
  });
});

test("erasing people changes nothing of what is counted, and names nobody any more (slow)", async () => {
  await using posthorn = await workspace();
  await addReaders(posthorn, 4);
  const answers: Readonly<Record<string, HandoverOutcome["kind"]>> = { reader2: "bounced", reader3: "later" };
  posthorn.transport.answer = ({ envelope }) => {
    const kind = answers[envelope.recipient.split("@")[0] ?? ""] ?? "accepted";
    return { kind, reply: "as it is" };
  };
  const id = await send(posthorn);
  await posthorn.settle();
  await ask(posthorn, "POST /contacts", { body: { email: "reader3@example.com", subscribed: false } });
  posthorn.clock.advance(DAY_MS);
  await posthorn.settle();
  const before = await statistics(posthorn, id);
  expect(before).toMatchObject({
    ...{ sentCount: 2, refusedCount: 1, bouncedCount: 1, skippedCount: 1, failedCount: 0, cancelledCount: 0 },
  });
  for (const number of [1, 2, 3, 4]) await erase(posthorn, `reader${number}@example.com`);
  await posthorn.settle();
  expect(await statistics(posthorn, id)).toEqual(before);
  expect(await recipients(posthorn, id)).toEqual(["SENT", "BOUNCED", "SKIPPED unsubscribed", "SENT"]);
  const kept = JSON.stringify(await everything(posthorn));
  for (const number of [1, 2, 3, 4]) expect(kept).not.toContain(`reader${number}@`);
});

test("recipients are shown with the address that their mail went to, before that with that of the contact", async () => {
  await using posthorn = await workspace();
  await addReaders(posthorn, 1);
  posthorn.transport.answer = () => ({ kind: "bounced", reply: "550 no such user" });
  const [waiting, id] = [await send(posthorn), await send(posthorn)];
  await ask(posthorn, `POST /campaigns/${waiting}/pause`);
  await posthorn.settle();
  const { found } = (await ask(posthorn, "POST /contacts/lookup", { body: { emails: ["reader1@example.com"] } })).body;
  await ask(posthorn, `PATCH /contacts/${found[0].id}`, { body: { email: "ada@example.com" } });
  expect(await recipients(posthorn, id)).toEqual(["reader1@example.com BOUNCED 550 no such user"]);
  expect(await recipients(posthorn, waiting)).toEqual(["ada@example.com PENDING"]);
});

test("a person who is erased while the mail is queued is skipped, and gets none", async () => {
  await using posthorn = await workspace();
  await addReaders(posthorn, 2);
  posthorn.transport.answer = () => ({ kind: "later", reply: "451 later" });
  const id = await send(posthorn);
  await posthorn.settle();
  await erase(posthorn, "reader1@example.com");
  posthorn.transport.answer = () => ({ kind: "accepted", reply: "250 Ok" });
  posthorn.clock.advance(DAY_MS);
  await posthorn.settle();
  expect(await recipients(posthorn, id)).toEqual(["SKIPPED erased", "reader2@example.com SENT"]);
  expect(await statistics(posthorn, id)).toMatchObject({ skippedCount: 1, cancelledCount: 0, sentCount: 1 });
});

describe("a paused campaign", () => {
  test("lets nothing leave until it is resumed, neither queued nor pending", async () => {
    await using posthorn = await workspace();
    await addReaders(posthorn, 4);
    posthorn.transport.answer = ({ envelope }) =>
      envelope.recipient.startsWith("reader1")
        ? { kind: "accepted", reply: "250 Ok" }
        : { kind: "later", reply: "451 later" };
    const id = await send(posthorn);
    await posthorn.settle();
    const paused = (await ask(posthorn, `POST /campaigns/${id}/pause`)).body.data;
    expect([paused.status, paused.paused, paused.sentCount]).toEqual(["SENDING", true, 1]);
    posthorn.transport.answer = () => ({ kind: "accepted", reply: "250 Ok" });
    const before = posthorn.transport.sent.length;
    posthorn.clock.advance(DAY_MS);
    await posthorn.settle();
    expect(posthorn.transport.sent).toHaveLength(before);
    expect((await ask(posthorn, `POST /campaigns/${id}/resume`)).body.data.paused).toBe(false);
    await posthorn.settle();
    expect(await look(posthorn, id)).toMatchObject({ status: "SENT", sentCount: 4 });
  });

  test("keeps what was in hand when it was paused, and what comes back from that", async () => {
    await using posthorn = await workspace();
    await addReaders(posthorn, 1);
    const answered = Promise.withResolvers<void>();
    const letGo = Promise.withResolvers<void>();
    posthorn.transport.answer = async () => {
      answered.resolve();
      await letGo.promise;
      return { kind: "later", reply: "451 later" };
    };
    const id = await send(posthorn);
    const settled = posthorn.settle();
    await answered.promise;
    await ask(posthorn, `POST /campaigns/${id}/pause`);
    letGo.resolve();
    await settled;
    posthorn.clock.advance(DAY_MS);
    await posthorn.settle();
    expect(posthorn.transport.sent).toHaveLength(1);
    expect(await recipients(posthorn, id)).toEqual(["reader1@example.com QUEUED 451 later"]);
    posthorn.transport.answer = () => ({ kind: "accepted", reply: "250 Ok" });
    await ask(posthorn, `POST /campaigns/${id}/resume`);
    await posthorn.settle();
    expect(await look(posthorn, id)).toMatchObject({ status: "SENT", sentCount: 1 });
  });

  test("is not said to be blocked; once it is resumed it is, if it is so", async () => {
    await using posthorn = await workspace();
    await addReaders(posthorn, 2);
    posthorn.transport.answer = () => ({ kind: "unreachable", reply: "connect ECONNREFUSED" });
    const id = await send(posthorn);
    await posthorn.settle();
    expect((await look(posthorn, id)).blocked).toContain("next hop");
    const said = (await ask(posthorn, `POST /campaigns/${id}/pause`)).body.data;
    expect(said).toMatchObject({ paused: true, blocked: null });
    await posthorn.settle();
    expect(await look(posthorn, id)).toMatchObject({ paused: true, blocked: null });
    await ask(posthorn, `POST /campaigns/${id}/resume`);
    await posthorn.settle();
    expect(await look(posthorn, id)).toMatchObject({ paused: false, blocked: expect.stringContaining("next hop") });
  });

  test("forgets a fault once that is over", async () => {
    await using posthorn = await workspace();
    await addReaders(posthorn, 1);
    const id = await send(posthorn);
    await unfreeze(posthorn);
    await ask(posthorn, `POST /campaigns/${id}/pause`);
    await posthorn.store.write(
      (tx) => tx.run`update campaigns set audience_type = 'FILTERED', audience_condition = ${UNREADABLE}`,
    );
    await posthorn.settle();
    expect((await everyCampaign(posthorn))[0]).toMatchObject({
      blocked: expect.stringContaining("An unexpected fault"),
    });
    await posthorn.store.write((tx) => tx.run`update campaigns set audience_type = 'ALL', audience_condition = null`);
    posthorn.clock.advance(60_000);
    await posthorn.settle();
    expect(await look(posthorn, id)).toMatchObject({ paused: true, blocked: null, totalRecipients: 1 });
  });
});

describe("a cancelled campaign", () => {
  test("cancels what has not been handed over, and says so of each person and each mail", async () => {
    await using posthorn = await workspace();
    await addReaders(posthorn, 3);
    posthorn.transport.answer = ({ envelope }) =>
      envelope.recipient.startsWith("reader1")
        ? { kind: "accepted", reply: "250 Ok" }
        : { kind: "later", reply: "451 later" };
    const id = await send(posthorn);
    await posthorn.settle();
    const { status, body } = await ask(posthorn, `POST /campaigns/${id}/cancel`);
    expect([status, body.data.status, body.message]).toEqual([200, "CANCELLED", expect.stringContaining("cancelled")]);
    posthorn.transport.answer = () => ({ kind: "accepted", reply: "250 Ok" });
    posthorn.clock.advance(DAY_MS);
    await posthorn.settle();
    expect(posthorn.transport.sent).toHaveLength(3);
    expect(await recipients(posthorn, id)).toEqual([
      "reader1@example.com SENT",
      "reader2@example.com CANCELLED",
      "reader3@example.com CANCELLED",
    ]);
    expect(await statistics(posthorn, id)).toMatchObject({ totalRecipients: 3, sentCount: 1, cancelledCount: 2 });
    const { data: mails } = (await ask(posthorn, "GET /emails?status=CANCELLED")).body;
    const [{ id: keySet, name }] = (await ask(posthorn, "GET /keys")).body.data;
    const by = { kind: "KEY", id: keySet, name };
    expect(body.data.cancelledBy).toEqual(by);
    expect(mails.map(({ to, cancelledBy }: Json) => [to, cancelledBy])).toEqual([
      ["reader3@example.com", by],
      ["reader2@example.com", by],
    ]);
  });

  test("that was paused before anybody got a mail is cancelled for all", async () => {
    await using posthorn = await workspace();
    await addReaders(posthorn, 2);
    const id = await send(posthorn);
    await ask(posthorn, `POST /campaigns/${id}/pause`);
    await posthorn.settle();
    await ask(posthorn, `POST /campaigns/${id}/cancel`);
    await posthorn.settle();
    expect(posthorn.transport.sent).toEqual([]);
    expect(await statistics(posthorn, id)).toMatchObject({ totalRecipients: 2, cancelledCount: 2, pendingCount: 0 });
  });

  test("that was only scheduled never starts", async () => {
    await using posthorn = await workspace();
    await addReaders(posthorn, 1);
    const id = await write(posthorn);
    await ask(posthorn, `POST /campaigns/${id}/send`, { body: { scheduledFor: "2026-03-02T09:00:00Z" } });
    await ask(posthorn, `POST /campaigns/${id}/cancel`);
    posthorn.clock.advance(2 * DAY_MS);
    await posthorn.settle();
    expect(posthorn.transport.sent).toEqual([]);
  });

  test("lets what is in hand be finished, and discards it if it comes back", async () => {
    await using posthorn = await workspace();
    await addReaders(posthorn, 1);
    const letGo = slowRelay(posthorn);
    const id = await send(posthorn);
    const settled = posthorn.settle();
    while (posthorn.transport.sent.length === 0) await new Promise(setImmediate);
    await ask(posthorn, `POST /campaigns/${id}/cancel`);
    letGo();
    await settled;
    expect(await recipients(posthorn, id)).toEqual(["reader1@example.com SENT"]);
  });
});

describe("an obstacle", () => {
  test("a domain that is no longer verified: the campaign holds, says so, and goes on", async () => {
    await using posthorn = await workspace();
    await addReaders(posthorn, 3);
    posthorn.transport.answer = () => ({ kind: "later", reply: "451 later" });
    const id = await send(posthorn);
    await posthorn.settle();
    posthorn.transport.answer = () => ({ kind: "accepted", reply: "250 Ok" });
    await posthorn.store.write((tx) => tx.run`update domains set verified_at = null`);
    posthorn.clock.advance(DAY_MS);
    await posthorn.settle();
    expect(await look(posthorn, id)).toMatchObject({
      ...{ status: "SENDING", sentCount: 0 },
      blocked: "The domain example.test is not verified in this workspace.",
    });
    expect(await statistics(posthorn, id)).toMatchObject({ failedCount: 0, queuedCount: 3 });
    await posthorn.store.write((tx) => tx.run`update domains set verified_at = ${tx.now}`);
    posthorn.clock.advance(60_000);
    await posthorn.settle();
    expect(await look(posthorn, id)).toMatchObject({ status: "SENT", sentCount: 3, blocked: null });
  });

  test("a disabled workspace", async () => {
    await using posthorn = await workspace();
    await addReaders(posthorn, 2);
    await send(posthorn);
    await posthorn.store.write((tx) => tx.run`update workspaces set disabled_at = ${tx.now}`);
    await posthorn.settle();
    expect(posthorn.transport.sent).toEqual([]);
    const blocked = await posthorn.store.read((reader) => reader.get`select blocked from campaigns`);
    expect(blocked).toEqual({ blocked: "The workspace is disabled." });
    await posthorn.store.write((tx) => tx.run`update workspaces set disabled_at = null`);
    posthorn.clock.advance(60_000);
    expect(await mailsSent(posthorn)).toHaveLength(2);
  });

  test("a next hop that cannot be reached", async () => {
    await using posthorn = await workspace();
    await addReaders(posthorn, 2);
    posthorn.transport.answer = () => ({ kind: "unreachable", reply: "connect ECONNREFUSED" });
    const id = await send(posthorn);
    await posthorn.settle();
    expect((await look(posthorn, id)).blocked).toContain("next hop");
    posthorn.transport.answer = () => ({ kind: "accepted", reply: "250 Ok" });
    posthorn.clock.advance(DAY_MS);
    await posthorn.settle();
    expect(await look(posthorn, id)).toMatchObject({ status: "SENT", sentCount: 2, blocked: null });
  });
});

describe("statistics", () => {
  test("have each recipient in one state, and rates of what was sent", async () => {
    await using posthorn = await workspace();
    await addReaders(posthorn, 5);
    posthorn.transport.answer = ({ envelope }) =>
      envelope.recipient.startsWith("reader1")
        ? { kind: "bounced", reply: "550 5.1.1 no such user" }
        : envelope.recipient.startsWith("reader2")
          ? { kind: "failed", reply: "554 5.7.1 no" }
          : { kind: "accepted", reply: "250 Ok" };
    const id = await send(posthorn);
    await posthorn.settle();
    await posthorn.store.write(async (tx) => {
      await tx.run`update emails set status = 'DELIVERED', opens = 3, clicks = 1 where to_address = 'reader3@example.com'`;
      await tx.run`update emails set status = 'COMPLAINED' where to_address = 'reader4@example.com'`;
    });
    expect(await statistics(posthorn, id)).toEqual({
      ...{ totalRecipients: 5, sentCount: 3, deliveredCount: 2, openedCount: 1, clickedCount: 1, bouncedCount: 1 },
      ...{ refusedCount: 1, deliveriesReported: false, leftTopicCount: 0, leftTopicRate: 0, leftBecause: NO_REASONS },
      ...{ complainedCount: 1, unsubscribedCount: 0, failedCount: 1, skippedCount: 0, pendingCount: 0, queuedCount: 0 },
      ...{
        cancelledCount: 0,
        deliveryRate: 66.67,
        openRate: 33.33,
        clickRate: 33.33,
        bounceRate: 25,
        complaintRate: 33.33,
      },
      ...{ unsubscribeRate: 0, hardBouncedCount: 1, softBouncedCount: 0, perhapsDeliveredCount: 0 },
    });
    expect(await look(posthorn, id)).toMatchObject({
      status: "SENT",
      totalRecipients: 5,
      sentCount: 3,
      refusedCount: 1,
      bouncedCount: 1,
    });
  });

  test("tell hard from soft bounces, in sum and person by person (slow)", async () => {
    await using posthorn = await workspace();
    await addReaders(posthorn, 3);
    posthorn.transport.answer = ({ envelope }) =>
      envelope.recipient.startsWith("reader1")
        ? { kind: "bounced", reply: "550 5.1.1 no such user" }
        : envelope.recipient.startsWith("reader2")
          ? { kind: "later", reply: "452 4.2.2 mailbox full", transient: true }
          : { kind: "accepted", reply: "250 Ok" };
    const id = await send(posthorn);
    for (let days = 0; days < 8; days++) {
      await posthorn.settle();
      posthorn.clock.advance(DAY_MS);
    }
    expect(await statistics(posthorn, id)).toMatchObject({ bouncedCount: 2, hardBouncedCount: 1, softBouncedCount: 1 });
    const { body } = await ask(posthorn, `GET /campaigns/${id}/recipients`);
    const types = body.data.map(({ email, state, bounceType }: Json) => [email.split("@")[0], state, bounceType]);
    expect(types).toEqual([
      ["reader1", "BOUNCED", "Permanent"],
      ["reader2", "BOUNCED", "Transient"],
      ["reader3", "SENT", null],
    ]);
    expect((await ask(posthorn, "GET /workspace/health")).body).toMatchObject({
      ...{ sentCount: 3, bouncedCount: 2, hardBouncedCount: 1, softBouncedCount: 1, bounceRate: 33.333 },
    });
  });

  test("count those who unsubscribe through a mail of the campaign, once", async () => {
    await using posthorn = await workspace();
    await addReaders(posthorn, 2);
    const id = await send(posthorn);
    await posthorn.settle();
    const raw = posthorn.transport.sent[0]?.raw as Buffer;
    const link = headerFields(raw).find(({ name }) => name === "List-Unsubscribe")?.value ?? "";
    const path = new URL(link.slice(1, -1)).pathname;
    for (const _ of [1, 2]) expect((await ask(posthorn, `POST ${path}`, { key: "none" })).status).toBe(200);
    await ask(posthorn, "POST /contacts", { body: { email: "reader2@example.com", subscribed: false } });
    expect(await statistics(posthorn, id)).toMatchObject({ unsubscribedCount: 1, unsubscribeRate: 50 });
  });
});

describe("a copy to look at", () => {
  test("shows what the contact would see, needs no consent and counts nowhere", async () => {
    await using posthorn = await workspace();
    await ask(posthorn, "POST /contacts", {
      body: { email: "ada@example.com", subscribed: false, data: { name: "Ada" } },
    });
    const id = await write(posthorn);
    const reply = await ask(posthorn, `POST /campaigns/${id}/test`, { body: { email: "Ada@example.com" } });
    expect([reply.status, reply.body]).toEqual([200, { success: true, data: { email: expect.any(String) } }]);
    const mail = await mailSent(posthorn);
    expect(contentOf(mail)).toMatchObject({ subject: "[TEST] Hello Ada", from: news.from });
    expect(contentOf(mail).html).toContain("/unsubscribe/");
    expect(await look(posthorn, id)).toMatchObject({ status: "DRAFT", totalRecipients: 0, sentCount: 0 });
    expect((await posthorn.events()).map(({ name, data }) => [name, data["campaignId"]])).toEqual([
      ["email.sent", null],
    ]);
  });

  test("makes nobody a contact", async () => {
    await using posthorn = await workspace();
    const id = await write(posthorn);
    await ask(posthorn, `POST /campaigns/${id}/test`, { body: { email: "new@example.com" } });
    expect((await mailSent(posthorn)).subject).toBe("[TEST] Hello you");
    expect(await posthorn.store.read((reader) => reader.all`select 1 from contacts`)).toEqual([]);
  });

  test("needs an address and a domain that may be sent from", async () => {
    await using posthorn = await workspace();
    await addUnverifiedDomain(posthorn, "other.test");
    const id = await write(posthorn, { from: "x@other.test" });
    const path = `POST /campaigns/${id}/test`;
    expect((await ask(posthorn, path, { body: { email: "nobody" } })).status).toBe(422);
    expect((await ask(posthorn, path, { body: { email: "ada@example.com" } })).body.error.code).toBe(
      "DOMAIN_NOT_VERIFIED",
    );
  });
});

test("a key that is scoped to domains writes, moves and deletes campaigns of its domains alone", async () => {
  await using posthorn = await workspace();
  await addReaders(posthorn, 1);
  const key = { bearer: (await addKeys(posthorn, { domains: ["other.test"] })).secret };
  const [draft, running] = [await write(posthorn), await write(posthorn)];
  await ask(posthorn, `POST /campaigns/${running}/send`);
  const body = {
    email: "ada@example.com",
    scheduledFor: "2026-03-02T09:00:00Z",
    from: "me@other.test",
    subject: "Mine",
  };
  const ofOthers = [
    ...["/send", "/test", "/duplicate", "/cancel"].map((verb) => `POST /campaigns/${draft}${verb}`),
    ...["/pause", "/resume", "/cancel"].map((verb) => `POST /campaigns/${running}${verb}`),
    ...[`PUT /campaigns/${draft}`, `DELETE /campaigns/${draft}`],
  ];
  for (const route of ofOthers)
    expect([route, (await ask(posthorn, route, { key, body })).body.error?.code]).toEqual([
      route,
      "DOMAIN_NOT_ALLOWED",
    ]);
  expect((await ask(posthorn, `GET /campaigns/${draft}`, { key })).body.data).toMatchObject({
    status: "DRAFT",
    from: "news@example.test",
  });
  const input = { name: "N", subject: "S", body: "<p>b</p>", audienceType: "ALL" };
  const made = async (from: string) => ask(posthorn, "POST /campaigns", { key, body: { ...input, from } });
  expect((await made("ceo@example.test")).body.error?.code).toBe("DOMAIN_NOT_ALLOWED");
  const { id } = (await made("me@other.test")).body.data;
  const change = async (from: string) => (await ask(posthorn, `PUT /campaigns/${id}`, { key, body: { from } })).status;
  expect([await change("ceo@example.test"), await change("you@other.test")]).toEqual([403, 200]);
  expect((await ask(posthorn, `POST /campaigns/${id}/duplicate`, { key })).status).toBe(201);
  expect((await ask(posthorn, `DELETE /campaigns/${id}`, { key })).status).toBe(204);
});

test("the preview says whom an audience reaches, and why the others are left out", async () => {
  await using posthorn = await workspace();
  await addReaders(posthorn, 6);
  for (const number of [1, 2, 3])
    await ask(posthorn, "POST /contacts", { body: { email: `reader${number}@example.com`, subscribed: false } });
  await posthorn.store.write(async (tx) => {
    await tx.run`update contacts set status = 'PENDING' where email = 'reader3@example.com'`;
  });
  await suppressContacts(posthorn, "bounce", "reader2@example.com");
  const { status, body } = await ask(posthorn, "POST /campaigns/audience-preview", { body: { audienceType: "ALL" } });
  expect([status, body.data]).toEqual([
    200,
    {
      ...{ matched: 6, willReceive: 3, excluded: { unsubscribed: 1, pending: 1, suppressed: 1, topic: 0, paused: 0 } },
      ...{ approximate: false, contacts: 6 },
    },
  ]);
});

test("cancelling one mail leaves the campaign its content, and says so of its recipient", async () => {
  await using posthorn = await workspace();
  await addReaders(posthorn, 1);
  posthorn.transport.answer = () => ({ kind: "later", reply: "451 later" });
  const id = await send(posthorn);
  await posthorn.settle();
  const { data } = (await ask(posthorn, "GET /emails")).body;
  expect((await ask(posthorn, `DELETE /emails/${data[0].id}`)).status).toBe(204);
  await posthorn.settle();
  expect(await recipients(posthorn, id)).toEqual(["reader1@example.com CANCELLED"]);
  expect(await look(posthorn, id)).toMatchObject({ status: "SENT", totalRecipients: 1, sentCount: 0 });
  expect(await statistics(posthorn, id)).toMatchObject({ cancelledCount: 1, skippedCount: 0, failedCount: 0 });
});

test("a campaign that cannot be moved on keeps no other from being sent, says so, and goes on when it can", async () => {
  await using posthorn = await workspace();
  await addReaders(posthorn, 2);
  const condition = { groups: [{ filters: [{ field: "email", operator: "contains", value: "reader1" }] }] };
  const held = await send(posthorn, { audienceType: "FILTERED", audienceCondition: condition });
  await unfreeze(posthorn);
  await posthorn.store.write(
    (tx) => tx.run`update campaigns set audience_condition = ${UNREADABLE} where id = ${held}`,
  );
  const other = await send(posthorn);
  await posthorn.settle();
  expect((await look(posthorn, other)).status).toBe("SENT");
  const said = await everyCampaign(posthorn);
  expect(said[0]).toMatchObject({ status: "SENDING", blocked: expect.stringContaining("An unexpected fault") });
  expect(posthorn.logLines.join("\n")).toContain(`campaign=${held}`);
  const text = JSON.stringify(condition);
  await posthorn.store.write((tx) => tx.run`update campaigns set audience_condition = ${text} where id = ${held}`);
  posthorn.clock.advance(60_000);
  await posthorn.settle();
  expect((await everyCampaign(posthorn))[0]).toMatchObject({ status: "SENT", blocked: null });
});

test("however many campaigns are under way, none keeps another from its turn (slow)", async () => {
  await using posthorn = await workspace();
  await addReaders(posthorn, 1);
  posthorn.transport.answer = () => ({ kind: "later", reply: "451 later" });
  for (let n = 0; n < 101; n++) await send(posthorn);
  await posthorn.settle();
  posthorn.transport.answer = () => ({ kind: "accepted", reply: "250 Ok" });
  const id = await send(posthorn);
  await posthorn.settle();
  expect((await look(posthorn, id)).status).toBe("SENT");
});

/** No statement can be made of it. */
const UNREADABLE = JSON.stringify({
  groups: [{ filters: [{ field: null, operator: "equals" }] }],
});

const everyCampaign = (posthorn: Posthorn) =>
  posthorn.store.read(
    (reader) =>
      reader.all<{ status: string; blocked: string | null }>`select status, blocked from campaigns order by seq`,
  );
