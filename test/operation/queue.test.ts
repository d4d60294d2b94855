// The operator's hand in the queue: list, retry, hold, drop by filter; nothing without --yes, and what is in hand is
// left alone.
import { expect, test } from "bun:test";
import { DAY_MS, HOUR_MS, iso } from "../../src/base/clock.ts";
import { mailQueue } from "../../src/mail/emails/queue/queue-queries.ts";
import { takeInTurn } from "../../src/store/turns.ts";
import { addReaders, look, send as sendCampaign } from "../support/campaigns.ts";
import { cliBeside, jsonBeside } from "../support/cli.ts";
import { TestClock } from "../support/clock.ts";
import { ask } from "../support/scenario.ts";
import { letter } from "../support/mails.ts";
import { startPosthorn, type Posthorn } from "../support/posthorn.ts";
import { addWorkspace } from "../support/workspaces.ts";

/** The command line beside it asks the machine what time it is. */
function start(): Promise<Posthorn> {
  return startPosthorn({ clock: new TestClock(new Date().toISOString()) });
}

async function send(posthorn: Posthorn, to: string, more: object = {}): Promise<string> {
  const { status, body } = await posthorn.call("POST /v1/send", { ...letter, to, ...more });
  expect(status).toBe(200);
  return body.data.emails[0].email;
}

async function statusOf(posthorn: Posthorn, id: string): Promise<string> {
  const { status, body } = await posthorn.call(`GET /emails/${id}`);
  return status === 200 ? `${body.status}${body.held === null ? "" : ` ${body.held}`}` : String(status);
}

/** One that is due, one that was deferred, one for later. */
async function queueOfThree(posthorn: Posthorn) {
  posthorn.transport.answer = () => ({ kind: "later", reply: "451 4.7.1 <ada@example.com> later" });
  const deferred = await send(posthorn, "ada@example.com");
  await posthorn.settle();
  posthorn.transport.answer = () => ({ kind: "accepted", reply: "250 ok" });
  const due = await send(posthorn, "bob@elsewhere.test");
  const sendAt = iso(posthorn.clock.nowMs() + DAY_MS);
  const scheduled = await send(posthorn, "eva@other.test", { sendAt });
  return { deferred, due, scheduled };
}

test("what waits is listed with its state, without addresses unless they are asked for", async () => {
  await using posthorn = await start();
  const { deferred, due, scheduled } = await queueOfThree(posthorn);
  const { total, mails } = await jsonBeside(posthorn, ["queue", "list"]);
  expect([total, mails.length]).toEqual([3, 3]);
  expect(mails[0]).toEqual({
    ...{ id: deferred, workspace: "default", state: "deferred", kind: "transactional", attempts: 1, code: "451 4.7.1" },
    ...{ acceptedAt: expect.any(String), dueAt: expect.any(String) },
  });
  expect(mails[1]).toMatchObject({ id: due, state: "due", attempts: 0, code: null });
  expect(mails[2]).toMatchObject({ id: scheduled, state: "scheduled" });
  const { out } = await cliBeside(posthorn, ["queue", "list"]);
  expect(out).not.toContain("@");
  const loud = await jsonBeside(posthorn, ["queue", "list", "--addresses", "--to-domain", "EXAMPLE.com"]);
  expect(loud.mails).toMatchObject([{ to: "ada@example.com", error: "451 4.7.1 <ada@example.com> later" }]);
});

test("filters find by state, age, mail and workspace", async () => {
  await using posthorn = await start();
  await addWorkspace(posthorn, { name: "acme", domain: "acme.example" });
  const { deferred, due, scheduled } = await queueOfThree(posthorn);
  posthorn.clock.jump(-2 * HOUR_MS);
  const old = await send(posthorn, "eve@example.com");
  const found = async (...words: string[]) =>
    (await jsonBeside(posthorn, ["queue", "list", ...words])).mails.map(({ id }: { id: string }) => id);
  expect(await found("--mail", due)).toEqual([due]);
  expect(await found("--workspace", "acme")).toEqual([]);
  expect(await found("--workspace", "default")).toEqual([deferred, due, scheduled, old]);
  expect(await found("--older-than", "1h")).toEqual([old]);
  expect(await found("--newer-than", "1h")).toEqual([deferred, due, scheduled]);
  expect(await found("--state", "deferred")).toEqual([deferred]);
  expect(await found("--state", "due")).toEqual([due, old]);
  expect(await found("--state", "held")).toEqual([]);
});

test("nothing is done without --yes, and nothing to all without --all", async () => {
  await using posthorn = await start();
  const { due } = await queueOfThree(posthorn);
  const dry = await cliBeside(posthorn, ["queue", "drop", "--workspace", "default"]);
  expect(dry).toEqual({
    ...{ code: 0, err: "" },
    out: "3 mails would be cancelled:\n  3 of default\nNothing was done. To do it, add --yes.",
  });
  expect(await statusOf(posthorn, due)).toBe("QUEUED");
  const { code, err } = await cliBeside(posthorn, ["queue", "drop", "--yes"]);
  expect([code, err.split("\n")[0]]).toEqual([2, "posthorn queue drop needs a filter, or --all"]);
  const wrong = await cliBeside(posthorn, ["queue", "hold", "--state", "sent"]);
  expect([wrong.code, wrong.err.split("\n")[0]]).toEqual([
    2,
    "posthorn queue hold has no state sent: it is one of due, deferred, scheduled, held",
  ]);
});

test("what is dropped is cancelled by the command line and never leaves, and is in the audit log", async () => {
  await using posthorn = await start();
  const { deferred, due } = await queueOfThree(posthorn);
  const dropped = await jsonBeside(posthorn, ["queue", "drop", "--to-domain", "example.com", "--yes"]);
  expect(dropped).toEqual({ act: "drop", done: true, mails: 1, workspaces: [{ workspace: "default", mails: 1 }] });
  const { status, cancelledBy } = (await ask(posthorn, `GET /emails/${deferred}`)).body;
  expect([status, cancelledBy]).toEqual(["CANCELLED", { kind: "COMMAND_LINE", id: null, name: null }]);
  await posthorn.settle();
  expect(await statusOf(posthorn, due)).toBe("SENT");
  expect(posthorn.logLines.filter((line) => line.includes('action="queue drop"'))).toHaveLength(1);
});

test("mail that an operator holds says so and waits until it is called", async () => {
  await using posthorn = await start();
  const { due } = await queueOfThree(posthorn);
  expect(await jsonBeside(posthorn, ["queue", "hold", "--mail", due, "--yes"])).toMatchObject({ mails: 1 });
  await posthorn.settle();
  expect(await statusOf(posthorn, due)).toBe("QUEUED OPERATOR");
  const { reasons } = (await posthorn.call("GET /queue")).body;
  const count = { count: 1, isLowerBound: false };
  expect(reasons).toContainEqual({ reason: "OPERATOR", lane: "TRANSACTIONAL", count, nextAt: null });
  const { body } = await posthorn.call("GET /emails?held=true");
  expect(body.data.map(({ id }: { id: string }) => id)).toEqual([due]);
  expect(await jsonBeside(posthorn, ["queue", "hold", "--all", "--state", "held"])).toMatchObject({ mails: 0 });
  await jsonBeside(posthorn, ["queue", "retry", "--state", "held", "--yes"]);
  posthorn.clock.advance(HOUR_MS);
  await posthorn.settle();
  expect(await statusOf(posthorn, due)).toBe("SENT");
});

test.each([
  ["mail", "There is no email NONSENSE."],
  ["campaign", "There is no campaign NONSENSE."],
  ["workspace", "There is no workspace NONSENSE."],
  ["to-domain", '"NONSENSE" is not a domain name.'],
])("what there is not is no empty list: --%s", async (option, err) => {
  await using posthorn = await start();
  for (const words of [["list"], ["retry", "--yes"], ["hold", "--yes"], ["drop", "--yes"]])
    expect(await cliBeside(posthorn, ["queue", ...words, `--${option}`, "NONSENSE"])).toMatchObject({ code: 1, err });
});

test("a mail that is being handed over is left alone", async () => {
  await using posthorn = await start();
  const { due } = await queueOfThree(posthorn);
  await posthorn.store.write((tx) =>
    takeInTurn(tx, mailQueue({ lane: 0, leaseUntil: iso(tx.nowMs + HOUR_MS), only: null }), 5),
  );
  expect(await jsonBeside(posthorn, ["queue", "drop", "--mail", due, "--yes"])).toMatchObject({ mails: 0 });
  expect(await statusOf(posthorn, due)).toBe("SENDING");
});

test("the mails of a campaign that are dropped are its own alone, and it ends without them", async () => {
  await using posthorn = await start();
  await addReaders(posthorn, 2);
  posthorn.transport.answer = () => ({ kind: "later", reply: "451 4.7.1 later" });
  const campaign = await sendCampaign(posthorn);
  const other = await send(posthorn, "ada@example.com");
  await posthorn.settle();
  expect(await look(posthorn, campaign)).toMatchObject({ status: "SENDING" });
  const dropped = await jsonBeside(posthorn, ["queue", "drop", "--campaign", campaign, "--yes"]);
  expect(dropped).toMatchObject({ mails: 2 });
  posthorn.clock.advance(HOUR_MS);
  await posthorn.settle();
  expect(await look(posthorn, campaign)).toMatchObject({ status: "SENT" });
  expect(await statusOf(posthorn, other)).toBe("QUEUED");
});
