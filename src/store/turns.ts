// Workspaces take turns at each queue, so that a workspace waits for no more than one turn of each other, however much
// those have queued.
//
// - A row of `turns` is a workspace's place in a queue: no later than the moment at which its first work there is due.
//   A claim reads as many rows as it has slots, whatever the number of workspaces, and then takes each one's work off
//   an index.
// - Triggers write the rows, so no due work is forgotten, not even work that a process of another version on the same
//   PostgreSQL queues.
// - A turn may come too early, never too late. A turn without work is deferred until the workspace's next work is due.
//   On PostgreSQL, a transaction that queues work holds the turn (`for key share`), and a held turn is not deferred.
import { sql, steadyList, type Sql } from "./sql.ts";
import type { Reader, Tx } from "./store.ts";

/** The names that the triggers use. */
type TurnQueueName =
  "transactional" | "marketing" | "executions" | "webhooks" | "messages" | "outbox" | "endpoints" | "sweeps";

export type TurnQueue<Row> = {
  readonly name: TurnQueueName;
  /**
   * Takes up to `most` of a workspace's rows that are due, oldest first, and makes sure that they are not taken again.
   */
  readonly take: (tx: Tx, workspace: number, most: number) => Promise<readonly Row[]>;
  /** In a statement on `turns`: the moment at which the first row of `turns.workspace` is due, or null. */
  readonly firstDue: Sql;
};

/** Workspaces to pass over, such as those with enough in hand, and how many rows each of the others may take. */
export type Shares = {
  readonly without: readonly number[];
  readonly mostOf: (workspace: number) => number;
};
export const EQUAL: Shares = { without: [], mostOf: () => Infinity };

/** Slots that are left over after all have had their share go round again, a few times. */
const MAX_ROUNDS = 10;

type QueueTake<Row> = { readonly rows: readonly Row[]; readonly workspaces: readonly number[] };

/** Up to `most` rows, the same number from each workspace with due work, a row of each in turn. */
export async function takeInTurn<Row>(
  tx: Tx,
  queue: TurnQueue<Row>,
  most: number,
  shares: Shares = EQUAL,
): Promise<readonly Row[]> {
  const { rows, workspaces } = await take(tx, queue, most, shares);
  await endTurns(tx, queue, workspaces);
  return rows;
}

/** The same for batches whose work is done in the transaction that takes them (jobs/batches.ts). */
export function inTurn<Row>(queue: TurnQueue<Row>, work: (tx: Tx, rows: readonly Row[]) => Promise<void>) {
  const called = new WeakMap<Tx, readonly number[]>();
  return {
    take: async (tx: Tx, most: number): Promise<readonly Row[]> => {
      const { rows, workspaces } = await take(tx, queue, most, EQUAL);
      called.set(tx, workspaces);
      return rows;
    },
    // Last of all: a transaction that queues work waits for a turn that is being ended, and may hold a lock that the
    // work needs.
    work: async (tx: Tx, rows: readonly Row[]): Promise<void> => {
      await work(tx, rows);
      await endTurns(tx, queue, called.get(tx) ?? []);
    },
  };
}

async function take<Row>(tx: Tx, queue: TurnQueue<Row>, most: number, shares: Shares): Promise<QueueTake<Row>> {
  const taken = new Map<number, Row[]>();
  const others = (limit: number) => workspacesInTurn(tx, queue.name, limit, [...shares.without, ...taken.keys()]);
  let [waiting, remaining] = [await others(most), most];
  const mayBeMore = waiting.length === most;
  for (let round = 0; round < MAX_ROUNDS && remaining > 0 && waiting.length > 0; round++) {
    const share = Math.max(1, Math.floor(remaining / waiting.length));
    const still: number[] = [];
    for (const workspace of waiting.slice(0, remaining)) {
      const theirs = taken.get(workspace) ?? [];
      const wanted = Math.min(share, shares.mostOf(workspace) - theirs.length);
      const rows = wanted > 0 ? await queue.take(tx, workspace, wanted) : [];
      taken.set(workspace, theirs.concat(rows));
      remaining -= rows.length;
      if (rows.length === share) still.push(workspace);
    }
    waiting = mayBeMore && remaining > 0 ? [...(await others(remaining)), ...still] : still;
  }
  return { rows: alternating([...taken.values()]), workspaces: [...taken.keys()] };
}

/** The first of each, the second of each, and so on. */
function alternating<Row>(lists: readonly (readonly Row[])[]): Row[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, index) => lists.flatMap((rows) => rows.slice(index, index + 1))).flat();
}

/** The queues from which mail or calls leave this server. */
const WAYS_OUT: readonly TurnQueueName[] = ["transactional", "marketing", "webhooks"];
/** No mail and no call leaves a held installation (hold.ts). */
export const UNLESS_HELD = sql` and not exists (select 1 from installation where one = 1 and held_at is not null)`;

export type QueueTurn = { readonly workspace: number; readonly dueAt: string };

/** The next turns. One may come too early, and none too late. Nothing leaves a held installation (hold.ts). */
export function nextTurns(
  reader: Reader,
  queue: TurnQueueName,
  most: number,
  without: readonly number[] = [],
): Promise<QueueTurn[]> {
  return reader.all<QueueTurn>`
    select workspace, due_at as "dueAt" from turns where queue = ${queue} and due_at is not null${besides(without)}
    ${WAYS_OUT.includes(queue) ? UNLESS_HELD : sql``} order by due_at, served limit ${most}`;
}

/** When the next turn comes, or null. */
export async function nextTurnAt(
  reader: Reader,
  queue: TurnQueueName,
  without: readonly number[] = [],
): Promise<string | null> {
  const [next] = await nextTurns(reader, queue, 1, without);
  return next?.dueAt ?? null;
}

async function workspacesInTurn(
  tx: Tx,
  queue: TurnQueueName,
  most: number,
  without: readonly number[],
): Promise<readonly number[]> {
  const rows = await tx.all<{ workspace: number }>`
    select workspace from turns where queue = ${queue} and due_at is not null and due_at <= ${tx.now}${besides(without)}
    order by due_at, served limit ${most}`;
  return rows.map(({ workspace }) => workspace);
}

function besides(workspaces: readonly number[]): Sql {
  return workspaces.length === 0 ? sql`` : sql` and workspace not in (${steadyList(workspaces)})`;
}

/**
 * Puts their turns behind all others; a workspace without further due work waits until its next is due. A turn that
 * another process is ending is left to it, and a workspace that is just queueing work is not deferred: uncommitted work
 * cannot be seen.
 */
async function endTurns<Row>(tx: Tx, queue: TurnQueue<Row>, workspaces: readonly number[]): Promise<void> {
  if (workspaces.length === 0) return;
  const [, idle] = await Promise.all([passTurns(tx, queue.name, workspaces), idleAmong(tx, queue, workspaces)]);
  // In a statement of its own, which sees all commits before the lock was acquired.
  if (idle.length > 0) await deferTurns(tx, queue, idle);
}

function passTurns(tx: Tx, queue: TurnQueueName, workspaces: readonly number[]): Promise<number> {
  return tx.run`
    update turns set due_at = ${tx.now}, served = served + 1 where queue = ${queue} and workspace in (
      select workspace from turns
      where queue = ${queue} and workspace in (${steadyList(workspaces)})${tx.dialect.skipChanging})`;
}

/** Their turns are locked: no work is queued for them in the meantime. */
async function idleAmong<Row>(tx: Tx, queue: TurnQueue<Row>, workspaces: readonly number[]): Promise<number[]> {
  const rows = await tx.all<{ workspace: number }>`
    select workspace from turns
    where queue = ${queue.name} and workspace in (${steadyList(workspaces)})
      and coalesce(${queue.firstDue}, '9999') > ${tx.now}${tx.dialect.skipLocked}`;
  return rows.map(({ workspace }) => workspace);
}

function deferTurns<Row>(tx: Tx, { name, firstDue }: TurnQueue<Row>, workspaces: readonly number[]): Promise<number> {
  return tx.run`
    update turns set due_at = ${firstDue}
    where queue = ${name} and workspace in (${steadyList(workspaces)}) and coalesce(${firstDue}, '9999') > ${tx.now}`;
}

/** Brings all turns forward to now: a turn that comes too early does no harm. */
export function makeAllDue(tx: Tx): Promise<number> {
  return tx.run`update turns set due_at = ${tx.now} where coalesce(due_at, '9999') > ${tx.now}`;
}
