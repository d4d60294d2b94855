// Whose mail leaves next: workspaces take turns, whatever one of them has queued.
import { expect, test } from "bun:test";
import { claim, type ClaimTerms } from "../../src/sending/delivery/claim.ts";
import { TestClock } from "../support/clock.ts";
import { startPosthorn, type Posthorn } from "../support/posthorn.ts";
import { addWorkspace } from "../support/workspaces.ts";
import { workspace } from "../support/workspace.ts";

const QUEUED_AT = "2026-03-01T08:00:00.000Z";
const UNPACED: ClaimTerms = {
  pace: null,
  pacer: "outgoing",
  only: null,
  clock: new TestClock(),
  leaseMs: 7_200_000,
};

/** Workspaces "w2", "w3" and so on beside the first one. */
async function addWorkspaces(posthorn: Posthorn, upTo: number): Promise<void> {
  for (let n = 2; n <= upTo; n++) await addWorkspace(posthorn, { name: `w${n}`, domain: `w${n}.example` });
}

type Backlog = { readonly workspace: number; readonly mails: number; readonly lane?: 0 | 1; readonly dueAt?: string };

/** Mails that are queued already, those of a later call later. */
async function stock(posthorn: Posthorn, { workspace, mails, lane = 0, dueAt = QUEUED_AT }: Backlog): Promise<void> {
  posthorn.mailsAreMadeUp = true;
  await posthorn.store.write(async (tx) => {
    const row = await tx.get<{ seq: number }>`
      insert into contents (workspace, kind, from_address, subject, html)
      values (${workspace}, ${lane === 0 ? "TRANSACTIONAL" : "MARKETING"}, 'hello@example.test', 'Hi', 'Hello') returning seq`;
    for (let n = 0; n < mails; n++)
      await tx.run`
        insert into emails (id, workspace, content, source_type, status, lane, due_at, to_address, created_at)
        values (${crypto.randomUUID()}, ${workspace}, ${row?.seq ?? 0}, 'TRANSACTIONAL', 'QUEUED', ${lane}, ${dueAt},
          'ada@example.com', ${dueAt})`;
  });
}

type Claimed = { readonly workspace: number; readonly lane: number; readonly due_at: string };

/**
 * Claims of these sizes, one after the other, with what a process remembers between them; each a moment after the last.
 */
async function claims({ store, clock }: Posthorn, sizes: readonly number[]): Promise<readonly Claimed[]> {
  const claimed: Claimed[] = [];
  let since = 0;
  for (const size of sizes) {
    clock.advance(1);
    const { mails, sinceMarketing } = await store.write((tx) => claim(tx, size, UNPACED, since));
    since = sinceMarketing;
    for (const { seq } of mails)
      claimed.push(
        (await store.read(
          (reader) => reader.get<Claimed>`select workspace, lane, created_at as due_at from emails where seq = ${seq}`,
        )) as Claimed,
      );
  }
  return claimed;
}

function countBy<Key extends keyof Claimed>(claimed: readonly Claimed[], key: Key): Record<string, number> {
  return Object.fromEntries(
    [...Map.groupBy(claimed, (one) => String(one[key]))].map(([of, some]) => [of, some.length]),
  );
}

const ones = (count: number) => Array<number>(count).fill(1);

test("one that has queued thousands keeps nobody's mail back for more than a turn (slow)", async () => {
  await using posthorn = await workspace();
  await addWorkspaces(posthorn, 2);
  await stock(posthorn, { workspace: 1, mails: 3_000 });
  expect(countBy(await claims(posthorn, ones(5)), "workspace")).toEqual({ 1: 5 });
  await stock(posthorn, { workspace: 2, mails: 1, dueAt: "2026-03-01T09:00:00.003Z" });
  const next = await claims(posthorn, ones(3));
  expect(countBy(next, "workspace")).toEqual({ 1: 2, 2: 1 });
});

test.each([
  ["one slot at a time", ones(100)],
  ["a few slots at a time", [3, 7, 1, 4, 2, 5, 3, 10, 8, 7, 13, 17, 20]],
  ["all slots at once", [100]],
])("ten with a backlog get a tenth each, with %s (slow)", async (_, sizes) => {
  await using posthorn = await startPosthorn();
  await addWorkspaces(posthorn, 10);
  for (let workspace = 10; workspace >= 1; workspace--)
    await stock(posthorn, { workspace, mails: workspace * 20, dueAt: `2026-03-01T08:0${workspace % 7}:00.000Z` });
  const shares = Object.values(countBy(await claims(posthorn, sizes), "workspace"));
  expect(shares.length).toBe(10);
  expect(Math.min(...shares)).toBeGreaterThanOrEqual(9);
  expect(Math.max(...shares)).toBeLessThanOrEqual(11);
});

test("what the others do not need is left to those who have more", async () => {
  await using posthorn = await workspace();
  await addWorkspaces(posthorn, 3);
  await stock(posthorn, { workspace: 1, mails: 200 });
  await stock(posthorn, { workspace: 2, mails: 3 });
  await stock(posthorn, { workspace: 3, mails: 1 });
  expect(countBy(await claims(posthorn, [40]), "workspace")).toEqual({ 1: 36, 2: 3, 3: 1 });
});

test("each one's mails leave in the order in which they fall due, none before", async () => {
  await using posthorn = await startPosthorn();
  const times = ["2026-03-01T08:30:00.000Z", "2026-03-01T08:10:00.000Z", "2026-03-01T08:20:00.000Z"];
  for (const dueAt of times) await stock(posthorn, { workspace: 1, mails: 1, dueAt });
  await stock(posthorn, { workspace: 1, mails: 1, dueAt: "2026-03-01T10:00:00.000Z" });
  const claimed = await claims(posthorn, ones(5));
  expect(claimed.map(({ due_at }) => due_at)).toEqual(times.toSorted());
  posthorn.clock.advance(3_600_000);
  expect((await claims(posthorn, [1])).map(({ due_at }) => due_at)).toEqual(["2026-03-01T10:00:00.000Z"]);
});

test("marketing mail gets one slot in ten while transactional mail never ends, and all when it does", async () => {
  await using posthorn = await workspace();
  await addWorkspaces(posthorn, 2);
  await stock(posthorn, { workspace: 1, mails: 180 });
  await stock(posthorn, { workspace: 2, mails: 100, lane: 1 });
  for (const sizes of [ones(40), [3, 7, 11, 19], [60]]) {
    const lanes = countBy(await claims(posthorn, sizes), "lane");
    expect(lanes).toEqual({ 0: expect.any(Number), 1: sizes.reduce((sum, size) => sum + size) / 10 });
  }
  expect(countBy(await claims(posthorn, ones(60)), "lane")).toEqual({ 0: 54, 1: 6 });
  expect(countBy(await claims(posthorn, [10, 10]), "lane")).toEqual({ 1: 20 });
});

test("marketing mail that was away has no more than the next slot to its credit", async () => {
  await using posthorn = await workspace();
  await stock(posthorn, { workspace: 1, mails: 200 });
  let since = 0;
  for (let n = 0; n < 100; n++)
    since = (await posthorn.store.write((tx) => claim(tx, 1, UNPACED, since))).sinceMarketing;
  expect(since).toBe(9);
});

test("of mails that several claim at the same time each is claimed once, and nobody is forgotten", async () => {
  await using posthorn = await startPosthorn();
  await addWorkspaces(posthorn, 4);
  for (const workspace of [1, 2, 3, 4]) await stock(posthorn, { workspace, mails: workspace * 10 });
  const seqs: number[] = [];
  for (let round = 0; round < 8; round++) {
    const some = await Promise.all([5, 6, 7].map((size) => posthorn.store.write((tx) => claim(tx, size, UNPACED, 0))));
    seqs.push(...some.flatMap(({ mails }) => mails.map(({ seq }) => seq)));
    posthorn.clock.advance(1);
  }
  expect(new Set(seqs).size).toBe(seqs.length);
  expect(seqs.length).toBe(100);
});

test("with 50,000 queued at 14 a second, another's mail leaves within two seconds (slow)", async () => {
  await using posthorn = await startPosthorn({ config: { delivery: { ratePerSecond: 14 } } });
  const other = await addWorkspace(posthorn, { name: "other", domain: "other.example" });
  posthorn.mailsAreMadeUp = true;
  await posthorn.store.write(async (tx) => {
    await tx.run`
      insert into contents (workspace, domain, kind, from_address, subject, html)
      values (1, 1, 'TRANSACTIONAL', 'hello@example.test', 'Hi', 'Hello')`;
    await tx.run`
      with recursive n (i) as (select 1 union all select i + 1 from n where i < 50000)
      insert into emails (id, workspace, content, source_type, status, lane, due_at, to_address, created_at)
      select '0199a3b4-0000-7000-8000-' || cast(100000000000 + i as text), 1, 1, 'TRANSACTIONAL', 'QUEUED', 0, ${QUEUED_AT}, 'ada@example.com', ${QUEUED_AT} from n`;
  });
  await posthorn.settle();
  const body = { to: "bob@example.com", from: "hello@other.example", subject: "Reset", body: "<p>Hello</p>" };
  await posthorn.call("POST /v1/send", body, { authorization: `Bearer ${other.secret}` });
  let waitedMs = 0;
  for (; !posthorn.transport.recipients.includes("bob@example.com") && waitedMs < 5_000; waitedMs += 50) {
    await posthorn.settle();
    posthorn.clock.advance(50);
  }
  expect(waitedMs).toBeLessThanOrEqual(2_000);
});
