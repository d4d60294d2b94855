// The SQL of the queues, for figures of the whole server. Due work is found by the turns of the workspaces that have
// some.
import { IN_TURN, inHeap, IS_HELD, MARKETING, TRANSACTIONAL, type Heap } from "../../mail/emails/queue/holds.ts";
import { isTrulyDue } from "../../store/clock-queries.ts";
import { sql, type Sql } from "../../store/sql.ts";
import type { Reader } from "../../store/store.ts";

export type WaitingHeap = Heap & { readonly workspace: number; readonly mails: number };

/** Mails that are not settled, also deferred ones and ones in hand. */
export function mailsWaiting(reader: Reader): Promise<WaitingHeap[]> {
  return reader.all<WaitingHeap>`
    select workspace, lane, null as hold, count(*) as mails from emails${reader.dialect.along("emails_due")}
    where ${IN_TURN} and due_at is not null group by lane, workspace
    union all select workspace, lane, hold, count(*) as mails from emails${reader.dialect.along("emails_held")}
    where ${IS_HELD} and due_at is not null group by workspace, hold, lane`;
}

export type DueCount = { readonly workspace: number; readonly count: number; readonly oldestAt: string };

/** The rows of each queue, `w`, that are due for the workspace of a turn `t`. */
const QUEUES = {
  transactional: sql`emails w on w.workspace = t.workspace and ${inHeap({ lane: TRANSACTIONAL, hold: null })}`,
  marketing: sql`emails w on w.workspace = t.workspace and ${inHeap({ lane: MARKETING, hold: null })}`,
  outbox: sql`outbox w on w.workspace = t.workspace and w.for_endpoints = 0`,
  endpoints: sql`outbox w on w.workspace = t.workspace and w.for_endpoints = 1`,
  executions: sql`executions w on w.workspace = t.workspace`,
  webhooks: sql`webhook_deliveries w on w.workspace = t.workspace`,
  messages: sql`messages w on coalesce(w.workspace, 0) = t.workspace`,
} as const satisfies Readonly<Record<string, Sql>>;

export type QueueName = keyof typeof QUEUES;
export const QUEUE_NAMES = Object.keys(QUEUES) as QueueName[];

/** By workspace. */
export function dueIn(reader: Reader, queue: QueueName, now: string): Promise<DueCount[]> {
  return reader.all<DueCount>`
    select t.workspace, count(*) as count, min(w.due_at) as "oldestAt" from turns t join ${QUEUES[queue]}
      and w.due_at is not null and w.due_at <= ${now} and ${isTrulyDue(sql`w.due_at`)}
    where t.queue = ${queue} and t.due_at is not null and t.due_at <= ${now} group by t.workspace`;
}

/** When the rate has its next slot, by the steady clock; 0 = it has never been used. */
export async function nextSlotMs(reader: Reader): Promise<number> {
  const row = await reader.get<{ at: number }>`select next_at_ms as at from pacers where name = 'outgoing'`;
  return row?.at ?? 0;
}

/** Sender domains whose record is gone, of all workspaces. */
export async function countFailingDomains(reader: Reader): Promise<number> {
  const row = await reader.get<{ domains: number }>`
    select count(*) as domains from domains where removed_at is null and failing_since is not null`;
  return row?.domains ?? 0;
}

export type WorkspaceName = { readonly seq: number; readonly id: string };

export function workspaceIds(reader: Reader): Promise<WorkspaceName[]> {
  return reader.all<WorkspaceName>`select seq, id from workspaces`;
}
