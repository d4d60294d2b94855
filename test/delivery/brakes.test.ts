// Brakes as people meet them: said in the queue, on the overview, by the command line and in figures; released by hand.
import { expect, test } from "bun:test";
import { HOUR_MS, MINUTE_MS } from "../../src/base/clock.ts";
import { DEFAULTS } from "../../src/base/config.ts";
import { allBacklogs, deleteBacklog } from "../../src/sending/delivery/pace/queries.ts";
import { Backlogs } from "../../src/sending/delivery/pace/backlogs.ts";
import { IN_ORDER, returnPaced } from "../../src/mail/emails/queue/pace-queries.ts";
import { holdAll, releaseAll } from "../../src/store/hold.ts";
import { putOn, BLOCKED, SLOWER } from "../support/brakes.ts";
import { TestClock } from "../support/clock.ts";
import { cliBeside, jsonBeside } from "../support/cli.ts";
import { somebody } from "../support/people.ts";
import { startPosthorn, type Json, type Posthorn } from "../support/posthorn.ts";
import { ask } from "../support/scenario.ts";
import { addWorkspace } from "../support/workspaces.ts";
import { workspace } from "../support/workspace.ts";

/** The command line has the clock of the machine. */
const started = () =>
  startPosthorn({
    clock: new TestClock(new Date().toISOString()),
    config: { delivery: { transport: "smtp" }, relay: { host: "smtp.example.com" } },
  });

async function send(posthorn: Posthorn, count: number, domain = "gmail.com"): Promise<void> {
  const to = Array.from({ length: count }, (_, at) => `person${at}@${domain}`);
  const letter = { to, from: "shop@example.test", subject: "Hi", body: "<p>Hi" };
  expect((await posthorn.call("POST /v1/send", letter)).status).toBe(200);
}

const queueOf = async (posthorn: Posthorn): Promise<Json> => (await posthorn.call("GET /queue")).body;

test("the queue says who is sent less, why, how much waits, and when that is done", async () => {
  await using posthorn = await started();
  const { id } = await putOn(posthorn, { perHour: 300 });
  await posthorn.settle();
  await send(posthorn, 26);
  await posthorn.settle();
  const { brakes, doneInSeconds, reasons } = await queueOf(posthorn);
  expect(brakes).toEqual([
    {
      ...{ id, mailbox: "gmail", way: "default", state: "SLOWED", perHour: 300, pausedUntil: null, reply: SLOWER },
      holds: "ALL",
      ...{ since: expect.any(String), changedAt: expect.any(String), waiting: { count: 25, isLowerBound: false } },
    },
  ]);
  expect(reasons).toContainEqual(expect.objectContaining({ reason: "PROVIDER_PACE", count: brakes[0].waiting }));
  const [waiting] = (await posthorn.call("GET /emails?status=QUEUED")).body.data;
  const { held, heldFor } = (await posthorn.call(`GET /emails/${waiting.id}`)).body;
  expect([held, heldFor]).toEqual(["PROVIDER_PACE", "gmail"]);
  // One in twelve seconds.
  expect(doneInSeconds).toBe(25 * 12);
  await putOn(posthorn, { isPaused: true });
  expect((await queueOf(posthorn)).doneInSeconds).toBe(null);
});

test("one that takes nothing is on the overview; one that is slowed down asks nothing of anybody", async () => {
  await using posthorn = await started();
  await putOn(posthorn);
  expect((await posthorn.call("GET /overview")).body.attention).toEqual([]);
  const { id } = await putOn(posthorn, { mailbox: "outlook", isPaused: true });
  expect((await posthorn.call("GET /overview")).body.attention).toEqual([
    {
      ...{ kind: "PROVIDER_PAUSED", brakeId: id, mailbox: "outlook", way: "default", reply: BLOCKED },
      ...{ since: expect.any(String), pausedUntil: expect.any(String) },
    },
  ]);
});

test("a released brake lets its mail leave at once", async () => {
  await using posthorn = await started();
  const { id } = await putOn(posthorn, { isPaused: true });
  await posthorn.settle();
  await send(posthorn, 30);
  await posthorn.settle();
  expect(posthorn.transport.sent).toHaveLength(0);
  expect((await posthorn.call(`DELETE /queue/brakes/${id}`)).status).toBe(204);
  await posthorn.settle();
  expect(posthorn.transport.sent).toHaveLength(30);
  expect((await queueOf(posthorn)).brakes).toEqual([]);
  expect((await posthorn.call(`DELETE /queue/brakes/${id}`)).body.error.code).toBe("BRAKE_NOT_FOUND");
});

test("only of the caller's own workspace, and by people who may send", async () => {
  await using posthorn = await started();
  const { secret } = await addWorkspace(posthorn, { name: "Other", domain: "other.example" });
  const { id } = await putOn(posthorn);
  const theirs = await ask(posthorn, `DELETE /queue/brakes/${id}`, { key: { bearer: secret } });
  expect([theirs.status, theirs.body.error.code]).toEqual([404, "BRAKE_NOT_FOUND"]);
  const editor = await somebody(posthorn, "EDITOR");
  expect((await editor.ask(`DELETE /queue/brakes/${id}`)).status).toBe(403);
  const helper = await somebody(posthorn, "SUPPORT", "helper@example.com");
  expect((await helper.ask(`DELETE /queue/brakes/${id}`)).status).toBe(204);
  const admin = await somebody(posthorn, "ADMIN", "admin@example.com");
  const [entry] = (await admin.ask("GET /audit")).body.data;
  expect(entry).toMatchObject({ action: "letBrakeGo", targetKind: "queue", targetName: "gmail" });
});

test("the command line lists brakes, and lets one go", async () => {
  await using posthorn = await started();
  expect((await cliBeside(posthorn, ["queue", "brakes"])).out).toBe(
    "Every mailbox provider is sent email at full pace.",
  );
  await putOn(posthorn);
  const { id } = await putOn(posthorn, { mailbox: "outlook", isPaused: true });
  await posthorn.settle();
  await send(posthorn, 5, "outlook.com");
  await posthorn.settle();
  const [slowed, paused] = await jsonBeside(posthorn, ["queue", "brakes"]);
  expect(slowed).toMatchObject({ workspace: "default", mailbox: "gmail", state: "SLOWED", perHour: 300 });
  expect(paused).toMatchObject({ id, mailbox: "outlook", state: "PAUSED", reply: BLOCKED });
  expect((await cliBeside(posthorn, ["queue", "brakes"])).out).toMatch(/gmail +default +300 an hour .*421 4\.7\.28/);
  const { out } = await cliBeside(posthorn, ["queue", "full-pace", id]);
  expect(out).toBe("Email to outlook leaves at full pace again within seconds.");
  const again = await cliBeside(posthorn, ["queue", "full-pace", id]);
  expect(again.code).toBe(1);
  // The server looks every few seconds.
  posthorn.clock.advance(6_000);
  await posthorn.settle();
  expect(posthorn.transport.sent).toHaveLength(5);
});

test("status says the pace of each, and that one that takes nothing needs somebody", async () => {
  await using posthorn = await started();
  await putOn(posthorn);
  const { out } = await cliBeside(posthorn, ["status"]);
  expect(out).toContain(
    "pace    gmail takes mail slowly: 300 an hour at most (workspace default, sending route default).",
  );
  expect(out).not.toContain("Needs attention:\n  gmail");
  const { pausedUntil } = await putOn(posthorn, { mailbox: "outlook", isPaused: true });
  const { code, out: json } = await cliBeside(posthorn, ["status", "--json"]);
  const { needs, brakes } = JSON.parse(json);
  expect(code).toBe(1);
  const text = `outlook takes no mail: paused until ${pausedUntil} (workspace default, sending route default). It said: ${BLOCKED}`;
  expect(needs).toContain(text);
  expect(brakes).toMatchObject([{ mailbox: "gmail" }, { mailbox: "outlook", workspace: "default", text }]);
});

test("figures count brakes, and the mail that waits for them", async () => {
  await using posthorn = await workspace({
    config: {
      ...{ delivery: { transport: "smtp" }, relay: { host: "smtp.example.com" } },
      metrics: { ...DEFAULTS.metrics, path: "/metrics" },
    },
  });
  await putOn(posthorn, { isPaused: true });
  await putOn(posthorn, { mailbox: "yahoo" });
  await posthorn.settle();
  await send(posthorn, 3);
  await posthorn.settle();
  const text = await (await fetch(`${posthorn.server.url}/metrics`)).text();
  expect(text).toContain('posthorn_brakes{state="paused"} 1');
  expect(text).toContain('posthorn_brakes{state="slowed"} 1');
  expect(text).toContain('posthorn_queue_mails{lane="paced"} 3');
});

test("an operator puts mail that waits for a provider on hold, drops it, and lets it back", async () => {
  await using posthorn = await started();
  await putOn(posthorn, { isPaused: true });
  await posthorn.settle();
  await send(posthorn, 4);
  await posthorn.settle();
  const act = async (verb: string) =>
    (await jsonBeside(posthorn, ["queue", verb, "--to-domain", "gmail.com", "--yes"])).mails;
  expect(await act("hold")).toBe(4);
  const reasons = async () => (await queueOf(posthorn)).reasons.map(({ reason }: Json) => reason);
  expect(await reasons()).toEqual(["OPERATOR"]);
  for (let time = 0; time < 2; time++) {
    expect(await act("retry")).toBe(4);
    posthorn.clock.advance(MINUTE_MS);
    await posthorn.settle();
    expect(await reasons()).toEqual(["PROVIDER_PACE"]);
  }
  expect(posthorn.transport.sent).toHaveLength(0);
  expect(await act("drop")).toBe(4);
  expect((await posthorn.call("GET /emails?status=CANCELLED")).body.data).toHaveLength(4);
  posthorn.clock.advance(HOUR_MS + MINUTE_MS);
  await posthorn.settle();
  expect(posthorn.transport.sent).toHaveLength(0);
});

test("nothing of it leaves while the installation is held", async () => {
  await using posthorn = await started();
  const { id } = await putOn(posthorn, { perHour: 36_000 });
  await posthorn.settle();
  await send(posthorn, 5);
  await posthorn.settle();
  const { length } = posthorn.transport.sent;
  expect(length).toBeLessThan(5);
  await posthorn.store.write(holdAll);
  posthorn.clock.advance(MINUTE_MS);
  await posthorn.settle();
  await posthorn.call(`DELETE /queue/brakes/${id}`);
  await posthorn.settle();
  expect(posthorn.transport.sent).toHaveLength(length);
  await posthorn.store.write(releaseAll);
  posthorn.clock.advance(MINUTE_MS);
  await posthorn.settle();
  expect(posthorn.transport.sent).toHaveLength(5);
});

test("nothing is moved to a backlog that has ended in another process", async () => {
  await using posthorn = await started();
  const { store, clock } = posthorn;
  await send(posthorn, 3);
  const backlogs = new Backlogs({ store, clock, leaseMs: MINUTE_MS, limitsOf: () => [], placeOf: () => IN_ORDER });
  const [mail, ...mails] = await store.write(
    (tx) => tx.all<{ seq: number; domain: number }>`
      select e.seq, c.domain from emails e join contents c on c.seq = e.content order by e.seq`,
  );
  const { seq = 0, domain = 0 } = mail ?? {};
  await store.write((tx) => tx.run`update emails set status = 'SENDING', attempts = 1 where seq = ${seq}`);
  await backlogs.put({ seq, attempts: 1 }, 0, { workspace: 1, domain, mailbox: "gmail" });
  await store.write(async (tx) => {
    for (const backlog of await allBacklogs(tx, 10)) {
      await returnPaced(tx, backlog.seq, 0, 10);
      await deleteBacklog(tx, backlog.seq);
    }
  });
  await backlogs.sweep();
  const holds = await store.read((reader) => reader.all<{ hold: string | null }>`select hold from emails`);
  expect(holds.map(({ hold }) => hold)).toEqual([null, ...mails.map(() => null)]);
  await posthorn.settle();
  expect(posthorn.transport.sent).toHaveLength(3);
});
