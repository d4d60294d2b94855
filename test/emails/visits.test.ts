// Opens and clicks that come at the same moment: they are recorded together, and each counts as if it had come alone.
import { expect, test } from "bun:test";
import { recordVisits, type MailVisit } from "../../src/mail/emails/feedback/visits.ts";
import { letter } from "../support/mails.ts";
import type { Posthorn } from "../support/posthorn.ts";
import { readEmail } from "../support/tracking.ts";
import { addWorkspace } from "../support/workspaces.ts";
import { workspace } from "../support/workspace.ts";

const LINK = "https://shop.example/";
const open = (emailId: string): MailVisit => ({ emailId, link: null, isMachine: false });
const click = (emailId: string): MailVisit => ({ emailId, link: LINK, isMachine: false });
const glance = (emailId: string): MailVisit => ({ emailId, link: null, isMachine: true });

/** Mails to these people, which have left unless said otherwise. */
async function mailsTo(posthorn: Posthorn, people: readonly string[], changes: object = {}): Promise<string[]> {
  const to = people.map((name) => `${name}@example.com`);
  const { body } = await posthorn.call("POST /v1/send", { ...letter, to, ...changes });
  await posthorn.settle();
  return body.data.emails.map(({ email }: { email: string }) => email);
}

function comeTogether({ store }: Posthorn, visits: readonly MailVisit[]): Promise<PromiseSettledResult<null>[]> {
  return Promise.allSettled(visits.map((visit) => store.writeTogether(recordVisits, visit)));
}

async function counted(posthorn: Posthorn, id: string): Promise<[number, number]> {
  const { opens, clicks } = await readEmail(posthorn, id);
  return [opens, clicks];
}

/** Name and running total of what was told, in its order. */
async function told(posthorn: Posthorn): Promise<string[]> {
  const events = (await posthorn.events()).filter(({ name }) => name === "email.open" || name === "email.click");
  return events.map(({ name, data }) => `${name} ${data["opens"] ?? data["clicks"]}`);
}

test("each is counted and told in the order of arrival, with those of others in between (slow)", async () => {
  await using posthorn = await workspace({ tracking: true });
  const [ada = "", bob = ""] = await mailsTo(posthorn, ["ada", "bob"]);
  await posthorn.store.write((tx) =>
    recordVisits(tx, [open(ada), open(bob), glance(ada), open(ada), click(ada), open("nobody's"), open(ada)]),
  );
  expect([await counted(posthorn, ada), await counted(posthorn, bob)]).toEqual([
    [3, 1],
    [1, 0],
  ]);
  expect(await told(posthorn)).toEqual([
    "email.open 1",
    "email.open 1",
    "email.open 2",
    "email.click 1",
    "email.open 3",
  ]);
  const { timeline } = await readEmail(posthorn, ada);
  expect(timeline.filter(({ detail }: { detail: { bot?: boolean } }) => detail.bot)).toHaveLength(1);
});

test("one that cannot be recorded takes none of the others along", async () => {
  await using posthorn = await workspace({ tracking: true });
  const [ada = "", bob = ""] = await mailsTo(posthorn, ["ada", "bob"]);
  const broken = { ...click(ada), link: 1n as never };
  const outcomes = await comeTogether(posthorn, [open(ada), broken, open(bob), click(bob)]);
  expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled", "fulfilled"]);
  expect([await counted(posthorn, ada), await counted(posthorn, bob)]).toEqual([
    [1, 0],
    [1, 1],
  ]);
});

test("no more are counted than of visits that come one by one, of people and of machines", async () => {
  await using posthorn = await workspace({ tracking: true });
  const [ada = ""] = await mailsTo(posthorn, ["ada"]);
  posthorn.mailsAreMadeUp = true;
  await posthorn.store.write((tx) => tx.run`update emails set opens = 998, opened_at = ${tx.now}`);
  await comeTogether(posthorn, [open(ada), click(ada), ...Array.from({ length: 5 }, () => open(ada))]);
  expect([await counted(posthorn, ada), (await told(posthorn)).sort()]).toEqual([
    [1_000, 1],
    ["email.click 1", "email.open 1000", "email.open 999"],
  ]);
  await comeTogether(
    posthorn,
    Array.from({ length: 110 }, () => glance(ada)),
  );
  const { timeline } = await readEmail(posthorn, ada);
  expect(timeline.filter(({ detail }: { detail: { bot?: boolean } }) => detail.bot)).toHaveLength(100);
});

test("a mail that waits is not opened by anybody, and one of another workspace is told there alone", async () => {
  await using posthorn = await workspace({ tracking: true });
  const others = await addWorkspace(posthorn, { name: "other", domain: "other.test" });
  const headers = { authorization: `Bearer ${others.secret}` };
  const { body } = await posthorn.call("POST /v1/send", { ...letter, from: "me@other.test" }, headers);
  const theirs: string = body.data.emails[0].email;
  const [waiting = ""] = await mailsTo(posthorn, ["ada"], { sendAt: "2026-03-05T09:00:00Z" });
  const [ours = ""] = await mailsTo(posthorn, ["bob"]);
  await comeTogether(posthorn, [open(waiting), open(ours), open(theirs)]);
  expect(await counted(posthorn, waiting)).toEqual([0, 0]);
  const toldTo = (headers: Record<string, string> = {}) =>
    posthorn.call("GET /events?eventName=email.open", undefined, headers).then(({ body }) => body.events);
  expect(await toldTo()).toMatchObject([{ data: { emailId: ours } }]);
  expect(await toldTo(headers)).toMatchObject([{ data: { emailId: theirs } }]);
});

test("those who record visits to the same mails at once do not wait for each other in a circle", async () => {
  await using posthorn = await workspace({ tracking: true });
  const people = Array.from({ length: 20 }, (_, n) => `p${n}`);
  const ids = await mailsTo(posthorn, people);
  const { store } = posthorn;
  const rounds = Array.from({ length: 10 }, (_, n) =>
    store.write((tx) =>
      recordVisits(
        tx,
        (n % 2 === 0 ? ids : ids.toReversed()).flatMap((id) => [open(id), click(id)]),
      ),
    ),
  );
  await Promise.all(rounds);
  expect(await Promise.all(ids.map((id) => counted(posthorn, id)))).toEqual(ids.map(() => [10, 10]));
});
