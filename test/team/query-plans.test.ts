// What is asked at every request of a person, and what expires, is found by index: SQLite says so itself.
import { Database } from "bun:sqlite";
import { beforeAll, expect, test } from "bun:test";
import { migrateSqlite } from "../../src/store/migrations.ts";
import { flatten, Sql, type Bindable } from "../../src/store/sql.ts";
import { SQLITE } from "../../src/store/sqlite-connection.ts";
import { preparable } from "../../src/store/sqlite-statements.ts";
import type { Tx } from "../../src/store/store.ts";
import { countEntries, deleteEntriesBefore, entriesPage } from "../../src/team/audit-queries.ts";
import {
  countInvitations,
  deleteEndedInvitations,
  deleteInvitationsTo,
  deleteLinksOf,
  invitationsPage,
  invitationTo,
  invitationWith,
} from "../../src/team/invitation-queries.ts";
import { deleteEndedSpent, passkeysOf, passkeyWith } from "../../src/team/passkeys/queries.ts";
import {
  countMembers,
  memberWith,
  membersPage,
  memberWithAddress,
  rolesAmong,
  usersPage,
} from "../../src/team/people-queries.ts";
import { hasUsers, lockOwners, membershipsOf, userByEmail, userById } from "../../src/team/queries.ts";
import {
  deleteEndedSessions,
  deleteOldestSessions,
  deleteOtherSessions,
  sessionsOf,
  signedInWith,
} from "../../src/team/session-queries.ts";

const NOW = "2026-03-01T09:00:00.000Z";
const database = new Database(":memory:", { strict: true });
let plan: string[] = [];

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
  plan = (rows as { detail: string }[]).map(({ detail }) => detail);
  return answer;
}

beforeAll(() => migrateSqlite(database, NOW));

const ALL = { workspace: 1, actor: null, kind: null };

const ASKED: readonly (readonly [what: string, ask: (tx: Tx) => Promise<unknown>, index: string])[] = [
  ["who is behind a cookie", (tx) => signedInWith(tx, "h", "w"), "sqlite_autoindex_sessions_2 (token_hash=?)"],
  ["a user by address", (tx) => userByEmail(tx, "a"), "sqlite_autoindex_users_2 (email=?)"],
  ["a user by id", (tx) => userById(tx, "a"), "sqlite_autoindex_users_1 (id=?)"],
  ["the owners", lockOwners, "users_owning"],
  ["whether there is a user", hasUsers, "users"],
  ["a page of users", (tx) => usersPage(tx, 20, 0), "sqlite_autoindex_users_2"],
  ["one's own workspaces", (tx) => membershipsOf(tx, 1, 9), "PRIMARY KEY (person=?)"],
  ["roles of some people", (tx) => rolesAmong(tx, [1, 2]), "PRIMARY KEY (person=?)"],
  ["a member by id", (tx) => memberWith(tx, 1, "a"), "sqlite_autoindex_users_1 (id=?)"],
  ["a member by address", (tx) => memberWithAddress(tx, 1, "a"), "sqlite_autoindex_users_2 (email=?)"],
  ["one's own sessions", (tx) => sessionsOf(tx, 1), "sessions_of_person (person=?)"],
  ["other sessions", (tx) => deleteOtherSessions(tx, 1, 2), "sessions_of_person (person=?)"],
  ["sessions beyond the most", (tx) => deleteOldestSessions(tx, 1, 50), "sessions_of_person (person=?"],
  ["sessions that are over", (tx) => deleteEndedSessions(tx, NOW, 9), "sessions_ending (ends_at<?)"],
  ["one's own passkeys", (tx) => passkeysOf(tx, 1), "passkeys_of_person (person=?)"],
  ["a passkey", (tx) => passkeyWith(tx, "c"), "sqlite_autoindex_passkeys_2 (credential=?)"],
  ["old challenges", (tx) => deleteEndedSpent(tx, NOW, 9), "spent_challenges_ending (ends_at<?)"],
  ["a link", (tx) => invitationWith(tx, "h"), "sqlite_autoindex_invitations_2 (token_hash=?)"],
  [
    "the invitation of an address",
    (tx) => invitationTo(tx, 1, "a"),
    "invitations_to_workspace (workspace=? AND email=?)",
  ],
  ["the one before it", (tx) => deleteInvitationsTo(tx, 1, "a"), "invitations_to_workspace (workspace=? AND email=?)"],
  ["links of a user", (tx) => deleteLinksOf(tx, 1), "invitations_of_person (person=?)"],
  [
    "a page of invitations",
    (tx) => invitationsPage(tx, 1, NOW, { limit: 9, offset: 0 }),
    "invitations_to_workspace (workspace=?)",
  ],
  ["how many are open", (tx) => countInvitations(tx, 1, NOW), "invitations_to_workspace (workspace=?)"],
  ["links that are over", (tx) => deleteEndedInvitations(tx, NOW, 9), "invitations_ending (ends_at<?)"],
  ["a page of the audit list", (tx) => entriesPage(tx, ALL, 20, 0), "audit_of_workspace (workspace=?)"],
  [
    "what one person changed",
    (tx) => entriesPage(tx, { ...ALL, actor: "a" }, 20, 0),
    "audit_of_actor (workspace=? AND actor=?)",
  ],
  [
    "what keys changed",
    (tx) => entriesPage(tx, { ...ALL, kind: "KEY" }, 20, 0),
    "audit_of_kind (workspace=? AND kind=?)",
  ],
  ["that of the installation", (tx) => entriesPage(tx, { ...ALL, workspace: null }, 20, 0), "audit_of_"],
  ["how long it is", (tx) => countEntries(tx, ALL), "audit_of_"],
  ["old entries", (tx) => deleteEntriesBefore(tx, NOW, 9), "audit_by_time (at<?)"],
];

test.each(ASKED)("%s: found by index, not by looking through or sorting", async (_, ask, index) => {
  await ask(explaining);
  expect(plan.join("\n")).toContain(index);
  expect(plan.filter((step) => /^SCAN (?!.*(USING|LIST))|TEMP B-TREE/.test(step))).toEqual([]);
});

test.each<[string, (tx: Tx) => Promise<unknown>]>([
  ["a page of members", (tx) => membersPage(tx, 1, 20, 0)],
  ["how many members there are", (tx) => countMembers(tx, 1)],
])("%s: found by index, however many users there are", async (_, ask) => {
  await ask(explaining);
  const all = plan.join("\n");
  expect(all).toContain("memberships_of_workspace (workspace=?)");
  expect(all).toContain("users_owning");
  expect(plan.filter((step) => /^SCAN (?!those|users USING COVERING INDEX users_owning)/.test(step))).toEqual([]);
});
