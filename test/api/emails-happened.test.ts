// GET /emails by what has happened to a mail, whatever came after it, and by when that was.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { DAY_MS } from "../../src/base/clock.ts";
import { findLeftMail, markComplained, markDelivered, markReturned } from "../../src/mail/emails/feedback/feedback.ts";
import { recordVisits } from "../../src/mail/emails/feedback/visits.ts";
import type { Mail } from "../../src/mail/emails/queries.ts";
import type { Tx } from "../../src/store/store.ts";
import { letter } from "../support/mails.ts";
import type { Json, Posthorn } from "../support/posthorn.ts";
import { ask } from "../support/scenario.ts";
import { addWorkspace } from "../support/workspaces.ts";
import { workspace } from "../support/workspace.ts";

const AT_FIRST = "2026-03-01T12:00:00.000Z";
const LATER = "2026-03-03T00:00:00.000Z";

let posthorn: Posthorn;
let other: { readonly secret: string };
let contact: string;

/** Accepted on the first day; what its name says happens on the third. */
const STORIES: Readonly<Record<string, readonly ((tx: Tx, mail: Mail) => Promise<unknown>)[]>> = {
  plain: [],
  delivered: [markDelivered],
  opened: [visited(null)],
  "opened-twice": [visited(null), visited(null)],
  clicked: [visited(null), visited("https://example.com/")],
  complained: [markDelivered, markComplained],
  bounced: [
    markDelivered,
    (tx, mail) => markReturned(tx, mail, { reason: "550 5.1.1 No", byCarrier: false }, "Permanent"),
  ],
};

function visited(link: string | null) {
  return (tx: Tx, { id }: Mail) => recordVisits(tx, [{ emailId: id, link, isMachine: false }]);
}

beforeAll(async () => {
  posthorn = await workspace();
  other = await addWorkspace(posthorn, { name: "other", domain: "other.example" });
  posthorn.transport.answer = ({ envelope: { recipient } }) =>
    recipient.startsWith("failed") ? { kind: "failed", reply: "554 5.7.1 No" } : { kind: "accepted", reply: "250 Ok" };
  const ids = new Map<string, string>();
  for (const name of [...Object.keys(STORIES), "failed"]) {
    const { body } = await ask(posthorn, "POST /v1/send", { body: { ...letter, to: `${name}@example.com` } });
    ids.set(name, body.data.emails[0].email);
    if (name === "opened") contact = body.data.emails[0].contact.id;
  }
  await posthorn.settle();
  posthorn.clock.advance(2 * DAY_MS);
  for (const [name, story] of Object.entries(STORIES))
    for (const becomes of story)
      await posthorn.store.write(async (tx) => {
        const mail = await findLeftMail(tx, ids.get(name) ?? "");
        if (mail && mail !== "early") await becomes(tx, mail);
      });
  await posthorn.settle();
});
afterAll(() => posthorn[Symbol.asyncDispose]());

async function listed(query: string): Promise<Json> {
  const { status, body } = await ask(posthorn, `GET /emails?${query}`);
  expect([query, status]).toEqual([query, 200]);
  return body;
}

const namesIn = ({ data }: Json): string[] => data.map(({ to }: Json) => to.replace("@example.com", ""));

const LEFT = ["bounced", "complained", "clicked", "opened-twice", "opened", "delivered", "plain"];
const SEEN = ["clicked", "opened-twice", "opened"];

describe("mails to which something happened", () => {
  const cases: readonly [query: string, found: readonly string[]][] = [
    ["happened=sent", LEFT],
    ["happened=delivered", ["bounced", "complained", "delivered"]],
    ["happened=opened", SEEN],
    ["happened=clicked", ["clicked"]],
    ["happened=unsubscribed", []],
    ["happened=bounced", ["bounced"]],
    ["happened=complained", ["complained"]],
    ["happened=failed", ["failed"]],
    [`happened=opened&since=${LATER}`, SEEN],
    [`happened=opened&until=${LATER}`, []],
    [`happened=sent&since=${LATER}`, []],
    [`happened=sent&until=${LATER}`, LEFT],
    [`happened=sent&since=${AT_FIRST}&until=${LATER}`, []],
    [`happened=delivered&since=${LATER}&until=2026-03-10T00:00:00Z`, ["bounced", "complained", "delivered"]],
    ["happened=delivered&status=BOUNCED", ["bounced"]],
    ["happened=opened&status=BOUNCED", []],
    ["happened=opened&contactId=$contact", ["opened"]],
    ["happened=clicked&contactId=$contact", []],
    ["happened=opened&domain=example.test", SEEN],
    ["happened=opened&domain=ample.test", []],
    ["happened=opened&search=clicked@", ["clicked"]],
    ["happened=opened&provider=gmail", []],
    ["happened=bounced&reason=NO_MAILBOX", ["bounced"]],
    ["happened=opened&reason=NO_MAILBOX", []],
  ];
  test.each(cases)("%s", async (query, found) => {
    const body = await listed(query.replace("$contact", contact));
    expect(namesIn(body)).toEqual([...found]);
    expect(body).toMatchObject({ cursor: null, hasMore: false });
  });

  test("go from page to page without a gap or a repetition", async () => {
    for (const query of ["happened=opened", `happened=opened&since=${LATER}`, "happened=delivered"]) {
      const seen: string[] = [];
      for (let cursor = ""; ;) {
        const page = await listed(`${query}&limit=1${cursor}`);
        seen.push(...namesIn(page));
        if (!page.hasMore) break;
        cursor = `&cursor=${page.cursor}`;
      }
      expect(seen).toEqual(namesIn(await listed(query)));
    }
  });

  test("are those that the statistics count in the same days", async () => {
    const { body } = await ask(posthorn, "GET /statistics/mails?from=2026-03-03T00:00:00Z&to=2026-03-04T00:00:00Z");
    const { from, to, series } = body;
    for (const what of ["sent", "delivered", "opened", "clicked", "bounced", "complained", "failed"]) {
      const { data } = await listed(`happened=${what}&since=${from}&until=${to}&limit=100`);
      expect([what, data.length]).toEqual([what, series[0].totals[what]]);
    }
  });

  test("are nobody else's", async () => {
    for (const what of ["sent", "delivered", "opened", "bounced"]) {
      const { body } = await ask(posthorn, `GET /emails?happened=${what}`, { key: { bearer: other.secret } });
      expect(body.data).toEqual([]);
    }
  });
});

test("what cannot happen to a mail is refused", async () => {
  expect((await ask(posthorn, "GET /emails?happened=read")).status).toBe(400);
});

test("what happened may be a part of a view, and of what is sent again", async () => {
  const filter = { happened: "opened", since: "7d" };
  const saved = await ask(posthorn, "POST /views", { body: { list: "mails", name: "Opened this week", filter } });
  expect([saved.status, saved.body.filter]).toEqual([201, filter]);
  const again = await ask(posthorn, "POST /emails/retry", { body: { filter: { happened: "opened" } } });
  expect(again.status).toBe(422);
});
