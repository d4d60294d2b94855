// Every statement of pruning finds its rows by an index, however many others there are: both engines say so themselves.
import { Database } from "bun:sqlite";
import { beforeAll, expect, test } from "bun:test";
import { countPruned, keepFigures } from "../../src/campaigns/pruning-queries.ts";
import { bodyGoneAt, reuseContent, reuseShared } from "../../src/emails/content/reuse-queries.ts";
import * as bodies from "../../src/emails/pruning/body-queries.ts";
import * as mails from "../../src/emails/pruning/queries.ts";
import * as events from "../../src/events/pruning-queries.ts";
import * as inbound from "../../src/inbound/pruning-queries.ts";
import { KINDS, type Kind, type KindName } from "../../src/retention/kinds.ts";
import { firstAhead, reachedIn, setBegun, setReached } from "../../src/retention/queries.ts";
import { migrateSqlite } from "../../src/store/migrations.ts";
import { flatten, Sql, type Bindable } from "../../src/store/sql.ts";
import { SQLITE } from "../../src/store/sqlite-connection.ts";
import { preparable } from "../../src/store/sqlite-statements.ts";
import type { Tx } from "../../src/store/store.ts";
import { ENGINE } from "../support/database.ts";
import { startPosthorn } from "../support/posthorn.ts";

const NOW = "2026-03-01T09:00:00.000Z";
const PIECE = { workspace: 1, after: 5, upTo: 9, before: NOW };
const PLACE = { workspace: 1, kind: "mails" };
const database = new Database(":memory:", { strict: true });
let plans: string[][] = [];

beforeAll(() => void migrateSqlite(database, NOW));

/** Asks for the plans of statements instead of running them. */
const explaining: Tx = {
  dialect: SQLITE,
  now: NOW,
  nowMs: Date.parse(NOW),
  all: async (strings, ...values) => explain(strings, values, []),
  get: async (strings, ...values) => explain(strings, values, null),
  run: async (strings, ...values) => explain(strings, values, 0),
  runEach: async () => [],
  keyedHash: (text) => text,
  deferred: () => {},
  afterCommit: () => {},
  signal: () => {},
  tally: () => {},
};

function explain<Answer>(strings: TemplateStringsArray, values: Bindable[], answer: Answer): Answer {
  const { text, values: bound } = flatten(new Sql(strings, values), () => "?");
  const rows = database.query(`explain query plan ${preparable(text)}`).all(...(bound as string[]));
  plans.push((rows as { detail: string }[]).map(({ detail }) => detail));
  return answer;
}

const ONE = { seq: 1, content: 2, campaign: 3, contact: 4, status: "SENT", queuedAt: NOW } as unknown as mails.OldMail;

type Asked = [what: string, ask: (tx: Tx) => Promise<unknown>, finds: readonly string[]];

function aheadOf(index: string): (name: KindName) => Asked {
  const kind = (name: KindName) => KINDS.find((one) => one.name === name) as Kind;
  return (name) => [`the first of the ${name} ahead`, (tx) => firstAhead(tx, kind(name)), [index]];
}

const BY_MAIL = "emails_in_order (workspace=? AND seq>? AND seq<?)";
const ROWS: readonly Asked[] = [
  ["the next old mails", (tx) => mails.endOfOldMails(tx, PIECE, 9), ["emails_in_order (workspace=? AND seq>?)"]],
  ["settled mails", (tx) => mails.takeOldMails(tx, PIECE), [BY_MAIL]],
  ["mails to delete", (tx) => mails.deleteOldMails(tx, [1, 2]), ["INTEGER PRIMARY KEY"]],
  [
    "attempts and visits of old mails",
    (tx) => mails.deleteOldAttempts(tx, PIECE),
    [BY_MAIL, "sqlite_autoindex_attempts_1 (email=?)", "sqlite_autoindex_machine_visits_1 (email=?)"],
  ],
  [
    "contents of old mails",
    (tx) => bodies.oldContents(tx, PIECE),
    [BY_MAIL, "shared_contents_of_content", "campaigns_of_content"],
  ],
  ["contents of settled mails", (tx) => bodies.settledContents(tx, [1, 2]), ["emails_of_content"]],
  [
    "contents to empty",
    (tx) => bodies.emptyContents(tx, [1, 2], NOW),
    ["INTEGER PRIMARY KEY", "shared_contents_of_content", "campaigns_of_content"],
  ],
  [
    "parts of contents",
    (tx) => bodies.deleteParts(tx, [1, 2], 4),
    ["raw_slices", "attachments", "raw_messages", "messages_to_forget"],
  ],
  ["emptied contents", (tx) => bodies.moveTogether(tx, [1, 2]), []],
  ["what old mails knew of their recipients", (tx) => bodies.clearVariables(tx, PIECE, [1]), ["emails"]],
  ["the next old mails from outside", (tx) => inbound.endOfOldReceived(tx, PIECE, 9), ["emails_by_source"]],
  ["old mails from outside", (tx) => inbound.takeOldReceived(tx, PIECE), ["emails_by_source"]],
  ["messages to close", (tx) => inbound.closeReceived(tx, [1]), ["INTEGER PRIMARY KEY"]],
  ["slices of messages", (tx) => inbound.deleteSlicesOf(tx, [1, 2], 4), ["messages_of_content"]],
  ["mails from outside to delete", (tx) => inbound.deleteReceived(tx, [1]), ["INTEGER PRIMARY KEY"]],
  ["the next old events", (tx) => events.endOfOldEvents(tx, PIECE, 9), ["events_in_order (workspace=? AND seq>?)"]],
  ["old events", (tx) => events.deleteOldEvents(tx, PIECE), ["events_of_contact (contact=? AND name=? AND seq>?)"]],
  ["events of mails", (tx) => events.detachFromMails(tx, [1, 2]), ["events_of_email"]],
  ["what came with mails", (tx) => events.forgetWhatCame(tx, [1, 2]), ["events_of_email"]],
  ["what campaigns keep", (tx) => keepFigures(tx, [ONE]), ["recipients USING PRIMARY KEY"]],
  ["mails of campaigns that are gone", (tx) => countPruned(tx, [1, 2]), ["pruned_mails USING PRIMARY KEY"]],
  ["how far it has come", (tx) => reachedIn(tx, PLACE), ["prunings USING PRIMARY KEY"]],
  ["a place to begin again with", (tx) => setBegun(tx, PLACE), ["prunings USING PRIMARY KEY"]],
  ["how far it comes", (tx) => setReached(tx, PLACE, 5), ["workspaces USING INTEGER PRIMARY KEY"]],
  ...(["attempts", "bodies", "mails"] as const).map(aheadOf("emails_in_order (workspace=? AND seq>?)")),
  aheadOf("events_in_order (workspace=? AND seq>?)")("events"),
  aheadOf("emails_by_source")("inbound"),
  ["a content to take again", (tx) => reuseContent(tx, 1), ["INTEGER PRIMARY KEY"]],
  ["a shared content", (tx) => reuseShared(tx, 1, "x"), ["sqlite_autoindex_shared_contents_1"]],
  ["whether a text is gone", (tx) => bodyGoneAt(tx, 1), ["INTEGER PRIMARY KEY"]],
];

test.each(ROWS)("%s", async (_, ask, finds) => {
  plans = [];
  await ask(explaining);
  for (const index of finds) expect(plans.flat().join("\n")).toContain(index);
  // What is bound, counted or found already, and all workspaces: no table that grows.
  const grown = /^SCAN (?!next|CONSTANT ROW|\d+ CONSTANT ROW|made|\(subquery|parts|slices|w$)/;
  expect(plans.flat().filter((step) => grown.test(step))).toEqual([]);
});

/** Without what only SQLite does. */
const ON_BOTH = ROWS.filter(([, , finds]) => finds.length > 0);

test.skipIf(ENGINE !== "postgres").each(ON_BOTH)("%s, on PostgreSQL", async (_, ask) => {
  await using posthorn = await startPosthorn();
  const steps = await posthorn.store.write(async (tx) => {
    // With a few rows it would rather read them all.
    await tx.run`set local enable_seqscan = off`;
    const found: string[] = [];
    const explained = async (strings: TemplateStringsArray, values: Bindable[]) => {
      const rows = await tx.all<{ "QUERY PLAN": string }>`explain ${new Sql(strings, values)}`;
      found.push(...rows.map((row) => row["QUERY PLAN"]));
    };
    const all: Tx["all"] = async (strings, ...values) => (await explained(strings, values), []);
    const get: Tx["get"] = async (strings, ...values) => (await explained(strings, values), null);
    const run: Tx["run"] = async (strings, ...values) => (await explained(strings, values), 0);
    await ask({ ...explaining, dialect: tx.dialect, now: tx.now, nowMs: tx.nowMs, all, get, run });
    return found;
  });
  expect(steps.length).toBeGreaterThan(0);
  expect(steps.filter((step) => step.includes("Seq Scan"))).toEqual([]);
});
