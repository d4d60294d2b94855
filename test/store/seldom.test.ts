// Statements that only long tests come to, on rows that are not there: each engine understands them and touches
// nothing.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { passing } from "../../src/programs/campaigns/account/queries.ts";
import { countFound, type ContactList } from "../../src/audience/contacts/list/queries.ts";
import { keepNextSlotMs, lockBucket } from "../../src/sending/open-ways/pacer-queries.ts";
import { releaseHeld, setHeld } from "../../src/mail/emails/campaign-queries.ts";
import { cancelClaimed } from "../../src/mail/emails/cancel-queries.ts";
import { setContentDomain } from "../../src/mail/emails/content/queries.ts";
import {
  idByRemoteId,
  noteReturnOfDelivered,
  setReturnedUnlessDelivered,
} from "../../src/mail/emails/soft-bounces/feedback-queries.ts";
import { renewLeases } from "../../src/mail/emails/queue/queue-queries.ts";
import { setParked } from "../../src/mail/emails/queue/outcome-queries.ts";
import { sliceOfContent } from "../../src/mail/emails/received-queries.ts";
import { settledOf, waitingOf } from "../../src/mail/emails/list/queries.ts";
import { keepFault, type Retry } from "../../src/mail/emails/retry/queries.ts";
import { filesOfContent, noticeTaken, rememberNotice, renewMessages } from "../../src/mail/inbound/queries.ts";
import { freeKey } from "../../src/http/queries.ts";
import { hasNotices } from "../../src/desk/overview/queries.ts";
import { keepLease, type DuplicateSearch } from "../../src/desk/bulk/duplicates/queries.ts";
import { moveImportedBack } from "../../src/audience/contacts/past/imported-queries.ts";
import { namesOf } from "../../src/operator/team/audit/naming-queries.ts";
import { sql } from "../../src/store/sql.ts";
import type { Reader, Tx } from "../../src/store/store.ts";
import { eventsSince } from "../../src/programs/workflows/execution/queries.ts";
import { workflowsPage } from "../../src/programs/workflows/definition/queries.ts";
import { givenUpAt } from "../../src/programs/workflows/webhook/repeat-queries.ts";
import { domainsOf } from "../../src/tenant/domains/queries.ts";
import { privateKeyOf } from "../../src/tenant/domains/key-queries.ts";
import { setMarketingStopped } from "../../src/tenant/workspaces/queries.ts";
import { TestClock } from "../support/clock.ts";
import { freshStore, type FreshStore } from "../support/store.ts";

const NOBODY = 999;
const LATER = "2026-03-02T09:00:00.000Z";
const retry = { seq: NOBODY, attempts: 0, processed: 0 } as Retry;
const search = { workspace: NOBODY, id: "s" } as DuplicateSearch;
const attempt = { seq: NOBODY, attempts: 1 };
const CONTACTS: ContactList = {
  ...{
    workspace: NOBODY,
    workspaceId: "w",
    topics: ["news"],
    subscribed: null,
    status: null,
    saying: null,
    since: null,
    inSegment: null,
    byImport: null,
  },
  ...{ sort: "createdAt", dir: "desc", from: null },
};
const EVERYBODY = { condition: sql`1 = 1` };
const GIVEN_UP = { before: 9, limit: 1, maxAttempts: 3 };

let fresh: FreshStore;
beforeAll(async () => {
  fresh = await freshStore(new TestClock());
});
afterAll(() => fresh.remove());

test.each<[string, (tx: Tx) => Promise<unknown>, unknown]>([
  ["a mail is held", (tx) => setHeld(tx, attempt), 0],
  ["a mail in hand is cancelled with its campaign", (tx) => cancelClaimed(tx, attempt), 0],
  ["held mails are released", (tx) => releaseHeld(tx, NOBODY, 10), 0],
  ["a mail is parked", (tx) => setParked(tx, attempt), 0],
  ["leases of mails are renewed", (tx) => renewLeases(tx, [attempt], LATER), []],
  ["leases of messages are renewed", (tx) => renewMessages(tx, [NOBODY], LATER), 0],
  ["a content gets another domain", (tx) => setContentDomain(tx, NOBODY, NOBODY), 0],
  ["a bounce without a reason", (tx) => setReturnedUnlessDelivered(tx, NOBODY, null), 0],
  ["a bounce of what was delivered", (tx) => noteReturnOfDelivered(tx, NOBODY), 0],
  ["a notice is remembered", (tx) => rememberNotice(tx, "n1"), 1],
  ["marketing mail is stopped", (tx) => setMarketingStopped(tx, NOBODY, "bounces"), 0],
  ["a retry of mails has failed", (tx) => keepFault(tx, retry, null, "no more"), 0],
  ["the next slot is looked up", (tx) => lockBucket(tx, "outgoing"), 0],
  ["the next slot is kept", (tx) => keepNextSlotMs(tx, "outgoing", 0), 1],
  ["a long search for duplicates goes on", (tx) => keepLease(tx, search, LATER), 0],
  ["what an import did is another contact's again", (tx) => moveImportedBack(tx, { from: 1, to: 2 }, [NOBODY]), 0],
  ["the key of a refused request is free", (tx) => freeKey(tx, { workspace: NOBODY, route: "POST /x", key: "k" }), 0],
])("%s", async (_, change, answer) => {
  expect(await fresh.store.write(change)).toEqual(answer);
});

test.each<[string, (reader: Reader) => Promise<unknown>, unknown]>([
  ["a slice of a received mail", (reader) => sliceOfContent(reader, NOBODY, 1), null],
  ["the files of a received mail", (reader) => filesOfContent(reader, NOBODY), []],
  [
    "past events",
    (reader) => eventsSince(reader, NOBODY, "bought", LATER),
    { events: 0, contacts: 0, isLowerBound: false },
  ],
  ["a mail by the name that SES gave it", (reader) => idByRemoteId(reader, "r1"), null],
  ["mails of a campaign that failed", (reader) => settledOf(reader, NOBODY, ["FAILED"], 1), []],
  ["mails of a campaign that wait", (reader) => waitingOf(reader, NOBODY, 1), []],
  ["whether SES has sent notices", async (reader) => typeof (await hasNotices(reader)), "boolean"],
  ["a notice", (reader) => noticeTaken(reader, "n2"), null],
  ["the domains of a workspace", (reader) => domainsOf(reader, NOBODY), []],
  ["a private key", (reader) => privateKeyOf(reader, NOBODY), null],
  ["a number in a list", (reader) => withItem(reader, 7), []],
  ["contacts of a standing", (reader) => countFound(reader, { ...CONTACTS, status: "PENDING" }, [], 9), 0],
  ["contacts that a condition finds", (reader) => countFound(reader, { ...CONTACTS, inSegment: EVERYBODY }, [], 9), 0],
  ["recipients in a stretch", (reader) => passing(reader, NOBODY, { checks: [], after: 0, most: 1 }, 9), []],
  ["webhooks that were given up before", (reader) => givenUpAt(reader, "s", GIVEN_UP), []],
  ["names of templates", (reader) => namesOf(reader, { workspace: NOBODY, kind: "templates" }, ["x"]), new Map()],
  [
    "workflows that are on",
    (reader) => workflowsPage(reader, { workspace: NOBODY, search: "", status: "active" }, 20, 0),
    [],
  ],
  ["names of workflows", (reader) => namesOf(reader, { workspace: NOBODY, kind: "workflows" }, ["x"]), new Map()],
])("%s", async (_, read, answer) => {
  expect(await fresh.store.read(read)).toEqual(answer);
});

function withItem(reader: Reader, item: number): Promise<unknown[]> {
  const { hasItem } = reader.dialect.jsonAt(sql`data`, ["sizes"]);
  return reader.all`select seq from contacts where ${hasItem(item)}`;
}
