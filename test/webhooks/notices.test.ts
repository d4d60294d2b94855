// What endpoints alone are told: each type, where it happens, and nothing else follows from it.
import { afterEach, expect, test } from "bun:test";
import { FACTS, isReservedEvent } from "../../src/tenant/events/catalog.ts";
import { findDomain } from "../../src/tenant/domains/domain.ts";
import { judge } from "../../src/tenant/domains/verdict.ts";
import type { HandoverOutcome } from "../../src/sending/carrier/transport/transport.ts";
import { createLog } from "../../src/base/log.ts";
import { addReaders, send } from "../support/campaigns.ts";
import { letter } from "../support/mails.ts";
import { somebody } from "../support/people.ts";
import type { Json, Posthorn } from "../support/posthorn.ts";
import { Receiver } from "../support/receiver.ts";
import { ask } from "../support/scenario.ts";
import { MINUTE } from "../support/workflows.ts";
import { workspace } from "../support/workspace.ts";

const receivers: Receiver[] = [];
afterEach(() => receivers.splice(0).forEach((one) => one.stop()));

async function open(
  events: readonly string[],
  delivery: object = {},
): Promise<{ posthorn: Posthorn; told: () => Promise<Json[]> }> {
  const there = new Receiver();
  receivers.push(there);
  const relay = { host: "relay.example" };
  const webhooks = { allow: ["127.0.0.1"], timeoutSeconds: 1 };
  const posthorn = await workspace({ config: { webhooks, delivery, relay } });
  const { status } = await ask(posthorn, "POST /webhooks", { body: { url: there.url, events } });
  expect(status).toBe(201);
  const told = async () => {
    await posthorn.settle();
    // They may arrive in any order.
    const bodies: Json[] = there.received.splice(0).map(({ body }) => JSON.parse(body));
    return bodies.sort((one, other) => (one.type < other.type ? -1 : 1));
  };
  return { posthorn, told };
}

test("a mail is accepted, deferred and failed (slow)", async () => {
  const { posthorn, told } = await open(["email.accepted", "email.deferred", "email.failed"]);
  await using _ = posthorn;
  let count = 0;
  posthorn.transport.answer = () =>
    ++count === 1 ? { kind: "later", reply: "451 busy" } : { kind: "failed", reply: "554 no" };
  const { body } = await ask(posthorn, "POST /v1/send", { body: letter });
  const [{ email: emailId }] = body.data.emails;
  const mail = {
    emailId,
    to: "ada@example.com",
    subject: letter.subject,
    from: letter.from,
    sourceType: "TRANSACTIONAL",
  };
  expect(await told()).toMatchObject([
    { type: "email.accepted", data: { ...mail, sendAt: "2026-03-01T09:00:00.000Z", contact: { email: mail.to } } },
    { type: "email.deferred", data: { ...mail, reason: "451 busy", attempts: 1 } },
  ]);
  posthorn.clock.advance(10 * MINUTE);
  expect(await told()).toMatchObject([{ type: "email.failed", data: { ...mail, reason: "554 no", attempts: 2 } }]);
});

test("what becomes of an invitation is not the business of the workspace's servers (slow)", async () => {
  const { posthorn, told } = await open(["*"], { transport: "smtp" });
  await using _ = posthorn;
  const admin = await somebody(posthorn, "ADMIN");
  const fates = {
    "bob@example.com": [
      { kind: "later", reply: "451 busy" },
      { kind: "accepted", reply: "250 OK" },
    ],
    "eve@example.com": [{ kind: "failed", reply: "554 no" }],
    "ann@example.com": [{ kind: "bounced", type: "Permanent", reply: "550 5.1.1 unknown" }],
  } as const;
  const left = new Map<string, HandoverOutcome[]>(
    Object.entries(fates).map(([email, outcomes]) => [email, [...outcomes]]),
  );
  posthorn.transport.answer = ({ envelope }) => left.get(envelope.recipient)?.shift() as HandoverOutcome;
  for (const email of left.keys())
    expect((await admin.ask("POST /invitations", { body: { email, role: "EDITOR" } })).status).toBe(201);
  await posthorn.settle();
  posthorn.clock.advance(10 * MINUTE);
  expect(await told()).toEqual([]);
  expect([...left.values()].flat()).toEqual([]);
});

test("a contact is erased", async () => {
  const { posthorn, told } = await open(["contact.erased"]);
  await using _ = posthorn;
  const { body } = await ask(posthorn, "POST /contacts", { body: { email: "ada@example.com" } });
  await ask(posthorn, `DELETE /contacts/${body.id}`);
  const [one, ...others] = await told();
  expect([one?.data, others]).toEqual([{ contactId: body.id }, []]);
});

test("an address is suppressed, and is not any more", async () => {
  const { posthorn, told } = await open(["suppression.*"]);
  await using _ = posthorn;
  posthorn.transport.answer = () => ({ kind: "bounced", type: "Permanent", reply: "550 5.1.1 unknown" });
  await ask(posthorn, "POST /v1/send", { body: letter });
  expect(await told()).toMatchObject([
    { type: "suppression.added", data: { reason: "bounce", contact: { email: "ada@example.com" } } },
  ]);
  await ask(posthorn, "POST /contacts", { body: { email: "ada@example.com", subscribed: true } });
  expect(await told()).toMatchObject([
    { type: "suppression.removed", data: { reason: "bounce", contact: { subscribed: true } } },
  ]);
});

test("an address without a contact and a domain are suppressed, and are not any more", async () => {
  const { posthorn, told } = await open(["suppression.*"]);
  await using _ = posthorn;
  const until = new Date(posthorn.clock.nowMs() + MINUTE).toISOString();
  const body = { address: "bob@example.com", until, scope: "marketing" };
  const { id } = (await ask(posthorn, "POST /suppressions", { body })).body;
  const data = { suppressionId: id, domain: null, reason: "manual", ...body };
  expect(await told()).toMatchObject([{ type: "suppression.added", data }]);
  await ask(posthorn, "POST /suppressions", { body });
  expect(await told()).toEqual([]);
  posthorn.clock.advance(MINUTE);
  expect(await told()).toMatchObject([{ type: "suppression.removed", data }]);
  await ask(posthorn, "POST /suppressions", { body: { domain: "example.net" } });
  const whole = { address: null, domain: "example.net", scope: "all", until: null };
  expect(await told()).toMatchObject([{ type: "suppression.added", data: whole }]);
});

test("a campaign starts, is blocked and finishes", async () => {
  const { posthorn, told } = await open(["campaign.*"]);
  await using _ = posthorn;
  await addReaders(posthorn, 2);
  const domain = (verified: boolean) =>
    posthorn.store.write((tx) => tx.run`update domains set verified_at = ${verified ? tx.now : null}`);
  const campaignId = await send(posthorn);
  await domain(false);
  const data = { campaignId, name: "Spring news" };
  expect(await told()).toMatchObject([
    { type: "campaign.blocked", data: { ...data, reason: expect.stringContaining("example.test") } },
    { type: "campaign.started", data },
  ]);
  await domain(true);
  posthorn.clock.advance(10 * MINUTE);
  expect(await told()).toMatchObject([{ type: "campaign.finished", data }]);
});

test("a domain fails, and is verified again", async () => {
  const { posthorn, told } = await open(["domain.*"]);
  await using _ = posthorn;
  const log = createLog({ level: "error", format: "text", clock: posthorn.clock, write: () => {} });
  const find = (state: "OK" | "WRONG") =>
    posthorn.store.write(async (tx) => {
      await tx.run`update domains set taken_unseen = 0`;
      const domain = await findDomain(tx, "example.test", null);
      await judge(tx, { log, graceMs: 1_000_000 }, domain, { state, problem: null, isPending: false } as never);
    });
  await find("WRONG");
  await find("WRONG");
  await find("OK");
  await find("OK");
  const data = { domain: "example.test", domainId: expect.any(String) };
  expect(await told()).toMatchObject([
    { type: "domain.failing", data: { ...data, what: "DKIM", problem: null } },
    { type: "domain.recovered", data: { ...data, what: "DKIM" } },
    { type: "domain.verified", data },
  ]);
});

test("an import finishes", async () => {
  const { posthorn, told } = await open(["import.finished"]);
  await using _ = posthorn;
  const form = new FormData();
  form.append("file", new File(["email\nada@example.com\nnobody\n"], "people.csv", { type: "text/csv" }));
  const reply = await fetch(`${posthorn.server.url}/contacts/import`, {
    method: "POST",
    headers: { authorization: `Bearer ${posthorn.keys.secret}` },
    body: form,
  });
  expect(reply.status).toBe(202);
  expect(await told()).toMatchObject([
    { type: "import.finished", data: { status: "COMPLETED", created: 1, updated: 0, failed: 1 } },
  ]);
});

test("what endpoints alone are told is no event of the log and starts no workflow", async () => {
  const { posthorn, told } = await open(["*"]);
  await using _ = posthorn;
  await ask(posthorn, "POST /v1/send", { body: letter });
  await told();
  const names = await posthorn.eventNames();
  expect(names.filter((name) => !isReservedEvent(name) && Object.hasOwn(FACTS, name))).toEqual([]);
  expect((await ask(posthorn, "GET /events/names")).body).not.toMatchObject({
    names: expect.arrayContaining(["email.accepted"]),
  });
});
