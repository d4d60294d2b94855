// What is kept of a mail of a campaign whose person was erased: its state, for the counters, and nobody's name.
import type { Mail } from "../../src/mail/emails/queries.ts";
import { expect, test } from "bun:test";
import {
  findLeftMail,
  markComplained,
  markReturned,
  markUndelivered,
} from "../../src/mail/emails/feedback/feedback.ts";
import type { Tx } from "../../src/store/store.ts";
import { addReaders, look, recipients, send, statistics } from "../support/campaigns.ts";
import { mailsSent } from "../support/mails.ts";
import { startPosthorn, type Json, type Posthorn } from "../support/posthorn.ts";
import { ask, countOf, everything } from "../support/scenario.ts";
import { readEmail, visit } from "../support/tracking.ts";
import { RecordingTransport } from "../support/transport.ts";
import { workspace } from "../support/workspace.ts";

const PERSON = "reader1@example.com";
const LINK = `https://shop.example/?e=${encodeURIComponent(PERSON)}`;
const BOT = { userAgent: "Googlebot/2.1" };

type Sent = { readonly campaign: string; readonly email: string; readonly pixel: string; readonly link: string };

/** A campaign whose link names its recipient has gone to one person. */
async function sentToOne(posthorn: Posthorn): Promise<Sent> {
  await addReaders(posthorn, 1);
  const campaign = await send(posthorn, { body: "<a href='https://shop.example/?e={{ email }}'>a</a>" });
  const html = String((await mailsSent(posthorn))[0]?.html);
  const path = (kind: string) => new RegExp(`http://127\\.0\\.0\\.1:8484(/${kind}/[\\w-]+)`).exec(html)?.[1] as string;
  const [mail] = (await ask(posthorn, "GET /emails")).body.data;
  return { campaign, email: mail.id, pixel: path("o"), link: path("c") };
}

async function erase(posthorn: Posthorn): Promise<void> {
  const [contact] = (await ask(posthorn, "GET /contacts")).body.data;
  expect((await ask(posthorn, `DELETE /contacts/${contact.id}`)).status).toBe(204);
}

const stored = async (posthorn: Posthorn) => JSON.stringify(await everything(posthorn));

test("what the person did with it before goes, what a machine fetched too (slow)", async () => {
  await using posthorn = await workspace({ tracking: true });
  const { link, pixel } = await sentToOne(posthorn);
  for (const visitor of [{}, BOT]) for (const path of [link, pixel]) await visit(posthorn, path, visitor);
  expect(await countOf(posthorn, "machine_visits")).toBe(2);
  await erase(posthorn);
  expect(await countOf(posthorn, "machine_visits")).toBe(0);
  expect(await stored(posthorn)).not.toContain(PERSON);
});

test("its links lead on, and nobody's opens and clicks are recorded", async () => {
  await using posthorn = await workspace({ tracking: true });
  const { campaign, email, link, pixel } = await sentToOne(posthorn);
  await erase(posthorn);
  const before = await statistics(posthorn, campaign);
  for (const visitor of [{}, BOT]) {
    const reply = await visit(posthorn, link, visitor);
    expect([reply.status, reply.headers.get("location")]).toEqual([302, LINK]);
    expect((await visit(posthorn, pixel, visitor)).status).toBe(200);
  }
  const left = await stored(posthorn);
  for (const spelling of [PERSON, encodeURIComponent(PERSON)]) expect(left).not.toContain(spelling);
  expect(await posthorn.eventNames()).toEqual([]);
  expect(await statistics(posthorn, campaign)).toEqual(before);
  expect(await readEmail(posthorn, email)).toMatchObject({ opens: 0, clicks: 0 });
});

test("it shows no subject and no message: both were made for the person", async () => {
  await using posthorn = await workspace();
  const { email } = await sentToOne(posthorn);
  expect((await ask(posthorn, `GET /emails/${email}/raw`)).status).toBe(200);
  await erase(posthorn);
  expect(await readEmail(posthorn, email)).toMatchObject({ status: "SENT", subject: "", to: "", contactId: null });
  expect((await ask(posthorn, "GET /emails")).body.data).toMatchObject([{ id: email, subject: "" }]);
  const { status, body } = await ask(posthorn, `GET /emails/${email}/raw`);
  expect([status, body.error.code]).toEqual([404, "EMAIL_NOT_FOUND"]);
});

const NOTICES: Readonly<Record<string, (tx: Tx, mail: Mail) => Promise<void>>> = {
  BOUNCED: (tx, mail) =>
    markReturned(tx, mail, { reason: `550 5.1.1 <${PERSON}>: no such user`, byCarrier: false }, "Permanent"),
  "BOUNCED for now": (tx, mail) =>
    markReturned(tx, mail, { reason: `452 4.2.2 <${PERSON}>: mailbox full`, byCarrier: false }, "Transient"),
  FAILED: (tx, mail) =>
    markUndelivered(tx, mail, { reason: `550 5.7.26 <${PERSON}>: unauthenticated`, byCarrier: false }),
  COMPLAINED: markComplained,
};

for (const [status, take] of Object.entries(NOTICES))
  test(`a notice that comes later makes it ${status}, and what the notice says is not kept`, async () => {
    await using posthorn = await workspace();
    const { email } = await sentToOne(posthorn);
    await erase(posthorn);
    await posthorn.store.write(async (tx) => take(tx, (await findLeftMail(tx, email)) as Mail));
    const mail: Json = await readEmail(posthorn, email);
    expect([mail.status, mail.error, mail.timeline]).toEqual([
      status.split(" ")[0],
      null,
      [expect.objectContaining({ what: "queued" })],
    ]);
    expect(await posthorn.eventNames()).toEqual([]);
    expect(await stored(posthorn)).not.toContain(PERSON);
  });

type Outcome = Awaited<ReturnType<RecordingTransport["send"]>>;

/** The relay answers only once the person is erased. */
async function erasedInHand(outcome: Outcome): Promise<{ posthorn: Posthorn; campaign: string }> {
  const transport = new RecordingTransport();
  const posthorn = await startPosthorn({ transport });
  transport.answer = async () => {
    await erase(posthorn);
    return outcome;
  };
  await addReaders(posthorn, 1);
  const campaign = await send(posthorn);
  await posthorn.settle();
  expect(transport.sent).toHaveLength(1);
  return { posthorn, campaign };
}

const OUTCOMES: readonly [state: string, outcome: Outcome][] = [
  ["SENT", { kind: "accepted", reply: `250 Ok <${PERSON}>` }],
  ["BOUNCED", { kind: "bounced", reply: `550 5.1.1 <${PERSON}>: no such user` }],
  ["FAILED", { kind: "failed", reply: `550 5.7.1 <${PERSON}>: no` }],
];

for (const [state, outcome] of OUTCOMES)
  test(`in hand at the relay when the person is erased, it counts as ${state} (slow)`, async () => {
    const { posthorn, campaign } = await erasedInHand(outcome);
    await using _ = posthorn;
    expect(await recipients(posthorn, campaign)).toEqual([state]);
    expect(await look(posthorn, campaign)).toMatchObject({ status: "SENT" });
    expect(await statistics(posthorn, campaign)).toMatchObject({ [`${state.toLowerCase()}Count`]: 1, skippedCount: 0 });
    expect(await posthorn.eventNames()).toEqual([]);
    expect(await stored(posthorn)).not.toContain(PERSON);
    expect(posthorn.logLines.filter((line) => /error|warn/i.test(line))).toEqual([]);
  });

test("deferred by the relay when the person is erased, it never leaves (slow)", async () => {
  const { posthorn, campaign } = await erasedInHand({ kind: "later", reply: `451 4.7.1 <${PERSON}>: later` });
  await using _ = posthorn;
  expect(await stored(posthorn)).not.toContain(PERSON);
  posthorn.clock.advance(24 * 3_600_000);
  await posthorn.settle();
  expect(posthorn.transport.sent).toHaveLength(1);
  expect(await recipients(posthorn, campaign)).toEqual(["SKIPPED erased"]);
  expect(await look(posthorn, campaign)).toMatchObject({ status: "SENT" });
});
