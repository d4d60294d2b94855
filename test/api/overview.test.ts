// GET /overview: what needs somebody, and the first steps.
import { expect, test } from "bun:test";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DEFAULTS } from "../../src/base/config.ts";
import { refusedThroughout } from "../../src/mail/emails/health/queries.ts";
import { overviewOf } from "../../src/desk/overview/overview.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../src/base/clock.ts";
import { setMarketingStopped } from "../../src/tenant/workspaces/queries.ts";
import { addReaders, news, send } from "../support/campaigns.ts";
import { letter } from "../support/mails.ts";
import { somebody } from "../support/people.ts";
import type { Json, Posthorn } from "../support/posthorn.ts";
import { TableResolver, type Zone } from "../support/resolver.ts";
import { ask } from "../support/scenario.ts";
import { addKeys } from "../support/workspaces.ts";
import { addWorkflow, track } from "../support/workflows.ts";
import { workspace } from "../support/workspace.ts";

const UNKNOWN = { state: "UNKNOWN", since: null, attemptedAt: null, reply: null, ways: [] } as const;

async function needs(posthorn: Posthorn): Promise<Json[]> {
  return (await posthorn.call("GET /overview")).body.attention;
}

async function steps(posthorn: Posthorn): Promise<string[]> {
  const { firstSteps } = (await posthorn.call("GET /overview")).body;
  return Object.entries(firstSteps).flatMap(([step, isDone]) => (isDone ? [step] : []));
}

test("a new workspace needs nobody, and its first steps are done one by one (slow)", async () => {
  const zones: Record<string, Zone> = {};
  const config = { delivery: { returnPathDomain: "b.shop.example" } };
  await using posthorn = await workspace({ resolver: new TableResolver(zones), config });
  expect([await needs(posthorn), await steps(posthorn)]).toEqual([[], []]);
  await posthorn.call("POST /v1/send", letter);
  await posthorn.settle();
  expect(await steps(posthorn)).toEqual(["mailSent"]);
  await posthorn.call("POST /contacts", { email: "bob@example.com" });
  expect(await steps(posthorn)).toEqual(["mailSent", "contacts"]);
  const { body } = await ask(posthorn, "POST /domains", { body: { domain: "shop.example" } });
  const [dkim] = body.records;
  zones[dkim.name] = { TXT: [dkim.value] };
  await ask(posthorn, `POST /domains/${body.id}/verify`);
  expect(await steps(posthorn)).toEqual(["mailSent", "domainVerified", "contacts"]);
});

test("what people make does its step: a name, a brand, a template, a campaign, a webhook (slow)", async () => {
  await using posthorn = await workspace({ config: { webhooks: { allow: ["127.0.0.1"] } } });
  const { name, subject, body, from } = news;
  for (const [step, route, made] of [
    ["named", "PATCH /workspace", { name: "Northwind" }],
    ["brand", "PUT /workspace/brand", { colors: { accent: "#9a5b12" } }],
    ["template", "POST /templates", { name, subject, body, from, type: "MARKETING" }],
    ["campaign", "POST /campaigns", news],
    ["webhook", "POST /webhooks", { url: "http://127.0.0.1:9/", events: ["email.sent"] }],
  ] as const) {
    expect(await steps(posthorn)).not.toContain(step);
    expect((await ask(posthorn, route, { body: made })).status).toBeLessThan(300);
    expect(await steps(posthorn)).toContain(step);
  }
});

test("a team is more than one person", async () => {
  await using posthorn = await workspace();
  const add = (id: string) =>
    posthorn.store.write(
      (tx) => tx.run`insert into users (id, email, name, is_owner, created_at, updated_at)
        values (${id}, ${`${id}@example.com`}, ${id}, 1, ${tx.now}, ${tx.now})`,
    );
  await add("ada");
  expect(await steps(posthorn)).toEqual([]);
  await add("bob");
  expect(await steps(posthorn)).toEqual(["team"]);
});

test("a domain that fails is named with its problem (slow)", async () => {
  const zones: Record<string, Zone> = {};
  await using posthorn = await workspace({ resolver: new TableResolver(zones) });
  const { body } = await ask(posthorn, "POST /domains", { body: { domain: "shop.example" } });
  const [{ name, value }] = body.records;
  zones[name] = { TXT: [value] };
  await ask(posthorn, `POST /domains/${body.id}/verify`);
  expect(await needs(posthorn)).toEqual([]);
  zones[name] = {};
  await ask(posthorn, `POST /domains/${body.id}/verify`);
  const problem = expect.stringContaining("There is no such record");
  const since = "2026-03-01T09:00:00.000Z";
  expect(await needs(posthorn)).toEqual([
    { kind: "DOMAIN_FAILING", since, domainId: body.id, domain: "shop.example", problem },
  ]);
});

test("the last five emails that were all refused are named, also as a need of the operator, until one is taken (slow)", async () => {
  await using posthorn = await workspace();
  const sendOne = async (to: string) => {
    await posthorn.call("POST /v1/send", { ...letter, to });
    await posthorn.settle();
  };
  const kinds = async () => (await needs(posthorn)).map(({ kind }) => kind);
  const ofOperator = async () =>
    (await posthorn.store.read((reader) => refusedThroughout(reader, "2026-02-28T09:00:00.000Z", null))).length;
  await sendOne("before@example.com");
  posthorn.transport.answer = () => ({ kind: "failed", transient: true, reply: "550 Go away" });
  for (let n = 1; n <= 4; n++) await sendOne(`reader${n}@example.com`);
  await sendOne("failed@simulator.test");
  expect([await kinds(), await ofOperator()]).toEqual([["MAILS_FAILED"], 0]);
  await sendOne("reader5@example.com");
  expect((await needs(posthorn))[0]).toEqual({ kind: "ALL_REFUSED", count: 5, since: "2026-03-01T09:00:00.000Z" });
  expect(await ofOperator()).toBe(1);
  posthorn.transport.answer = () => ({ kind: "accepted", reply: "250 Ok" });
  await sendOne("after@example.com");
  expect([await kinds(), await ofOperator()]).toEqual([["MAILS_FAILED"], 0]);
});

test("failed mails count for a day", async () => {
  await using posthorn = await workspace();
  posthorn.transport.answer = () => ({ kind: "failed", reply: "554 5.7.1 Spam" });
  await posthorn.call("POST /v1/send", letter);
  await posthorn.settle();
  posthorn.clock.advance(23 * HOUR_MS + 10 * MINUTE_MS);
  expect(await needs(posthorn)).toMatchObject([{ kind: "MAILS_FAILED", count: 1, since: "2026-03-01T08:00:00.000Z" }]);
  const [{ since }] = await needs(posthorn);
  expect((await posthorn.call(`GET /emails?failedSince=${since}`)).body.data).toHaveLength(1);
  posthorn.clock.advance(DAY_MS);
  expect(await needs(posthorn)).toEqual([]);
});

test("a relay that is away and a campaign that is held are there until they go on; a paused one was meant to wait", async () => {
  await using posthorn = await workspace();
  const { clock, transport } = posthorn;
  transport.answer = () => ({ kind: "unreachable", reply: "connect ECONNREFUSED" });
  await addReaders(posthorn, 2);
  const id = await send(posthorn);
  await posthorn.settle();
  await ask(posthorn, `POST /campaigns/${id}/pause`);
  const kinds = async () => (await needs(posthorn)).map(({ kind }) => kind);
  expect(await needs(posthorn)).toEqual([
    { kind: "RELAY_AWAY", since: "2026-03-01T09:00:00.000Z", reply: "connect ECONNREFUSED" },
  ]);
  await ask(posthorn, `POST /campaigns/${id}/resume`);
  await posthorn.store.write((tx) => setMarketingStopped(tx, 1, "Too many bounces."));
  expect(await needs(posthorn)).toMatchObject([
    { kind: "RELAY_AWAY" },
    { kind: "MARKETING_STOPPED", text: "Too many bounces." },
    { kind: "CAMPAIGN_HELD", campaignId: id, name: news.name, reason: "MARKETING_STOPPED", text: "Too many bounces." },
  ]);
  transport.answer = () => ({ kind: "accepted", reply: "250 Ok" });
  await posthorn.store.write((tx) => setMarketingStopped(tx, 1, null));
  clock.advance(HOUR_MS);
  await posthorn.settle();
  expect(await kinds()).toEqual([]);
});

test("a campaign that failed for everybody is named for a week; one that reached somebody is not", async () => {
  await using posthorn = await workspace();
  const { clock, transport } = posthorn;
  await addReaders(posthorn, 2);
  transport.answer = ({ envelope }) =>
    envelope.recipient.startsWith("reader1@")
      ? { kind: "accepted", reply: "250 Ok" }
      : { kind: "failed", reply: "554 5.7.1 refused" };
  await send(posthorn, { name: "Reached one" });
  await posthorn.settle();
  transport.answer = () => ({ kind: "failed", reply: "554 5.7.1 refused" });
  const campaignId = await send(posthorn, { name: "Reached nobody" });
  await posthorn.settle();
  const named = async () => (await needs(posthorn)).filter(({ kind }) => kind === "CAMPAIGN_FAILED");
  expect(await named()).toEqual([
    { kind: "CAMPAIGN_FAILED", campaignId, name: "Reached nobody", since: expect.stringMatching(/^2026-03-01T09:00/) },
  ]);
  clock.advance(8 * DAY_MS);
  expect(await named()).toEqual([]);
});

test("a rate that is too high is there as the health of the workspace has it (slow)", async () => {
  await using posthorn = await workspace();
  posthorn.transport.answer = ({ envelope }) =>
    envelope.recipient.startsWith("gone")
      ? { kind: "bounced", reply: "550 5.1.1 No such user" }
      : { kind: "accepted", reply: "250 Ok" };
  const names = Array.from({ length: 100 }, (_, n) => `${n < 5 ? "gone" : "here"}${n}@example.com`);
  for (const to of [names.slice(0, 50), names.slice(50)]) await posthorn.call("POST /v1/send", { ...letter, to });
  await posthorn.settle();
  const { since, bounceRate, warnings } = (await posthorn.call("GET /workspace/health")).body;
  expect(warnings).toEqual(["BOUNCE_RATE"]);
  expect((await needs(posthorn)).filter(({ kind }) => kind === "RATE_HIGH")).toEqual([
    { kind: "RATE_HIGH", what: "BOUNCE_RATE", rate: bounceRate, limit: 5, stopsAt: null, since },
  ]);
});

test("webhooks that were given up are counted until they are sent again (slow)", async () => {
  let status = 422;
  const host = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response("so", { status }) });
  await using posthorn = await workspace({ config: { webhooks: { allow: ["127.0.0.1"], timeoutSeconds: 20 } } });
  const config = { url: `http://127.0.0.1:${host.port}/` };
  const steps = [
    { type: "WEBHOOK", name: "Hook", config },
    { type: "EXIT", name: "End", config: {} },
  ];
  const workflow = await addWorkflow(posthorn, steps);
  await track(posthorn, "signup");
  await posthorn.settle();
  const count = { count: 1, isLowerBound: false };
  expect(await needs(posthorn)).toMatchObject([{ kind: "WEBHOOKS_FAILED", count, lastAt: "2026-03-01T09:00:00.000Z" }]);
  const { executionId, stepId } = (await posthorn.call("GET /webhooks/attempts")).body.attempts[0];
  status = 200;
  const path = `/workflows/${workflow.id}/executions/${executionId}/steps/${stepId}/retry`;
  expect((await ask(posthorn, `POST ${path}`)).status).toBeLessThan(300);
  await posthorn.settle();
  expect(await needs(posthorn)).toEqual([]);
  await host.stop(true);
});

test("keys that are scoped to domains see none of it", async () => {
  await using posthorn = await workspace();
  const keys = await addKeys(posthorn, { domains: ["example.test"] });
  expect((await ask(posthorn, "GET /overview", { key: { bearer: keys.secret } })).status).toBe(403);
});

test("owners see that backups are missing and that the disk is nearly full; others do not (slow)", async () => {
  const backup = { everySeconds: DAY_MS / 1000, to: mkdtempSync(join(tmpdir(), "posthorn-backups-")) };
  await using posthorn = await workspace({ config: { backup } });
  const [owner, admin] = [await somebody(posthorn, "OWNER"), await somebody(posthorn, "ADMIN")];
  const seenBy = async (one: typeof owner): Promise<Json[]> => (await one.ask("GET /overview")).body.attention;
  const none = { kind: "BACKUP_MISSING", fault: "NONE", lastAt: null, text: null };
  expect([await seenBy(owner), await seenBy(admin), await needs(posthorn)]).toEqual([[none], [], []]);
  await posthorn.settle();
  expect(await seenBy(owner)).toEqual([]);
  posthorn.clock.advance(3 * DAY_MS);
  expect(await seenBy(owner)).toMatchObject([{ fault: "LATE", lastAt: "2026-03-01T09:00:00.000Z" }]);
  const disk = { path: "/data", freeBytes: 1_000_000, totalBytes: 1_000_000_000_000 };
  const attention = await posthorn.store.read(async (reader) => {
    const terms = { workspace: 1, nowMs: posthorn.clock.nowMs(), relay: UNKNOWN, certificates: [], bounces: null };
    const server = { config: DEFAULTS, disk };
    return (await overviewOf(reader, { ...terms, healthLimits: DEFAULTS.limits, server, user: null })).attention;
  });
  expect(attention).toEqual([{ kind: "DISK_SHORT", path: "/data", freeBytes: 1_000_000 }]);
});
