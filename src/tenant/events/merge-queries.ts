// The SQL of the events of contacts that are merged, and of what their consumers have not been told yet.
import { sql } from "../../store/sql.ts";
import type { Tx } from "../../store/store.ts";
import type { MergeDirection } from "../../store/table.ts";
import { seqsOf } from "../../store/row-statement.ts";

/** Changes of a contact that endpoints have not got yet, and that have no notice of their own. */
export async function untoldChanges(
  tx: Tx,
  workspace: number,
  contact: number,
): Promise<{ seq: number; subjects: string }[]> {
  const found = [];
  for (const isDue of [sql`for_endpoints = 1 and due_at is not null`, sql`for_endpoints = 1 and due_at is null`])
    found.push(
      ...(await tx.all<{ seq: number; subjects: string }>`
        select seq, subjects from outbox
        where workspace = ${workspace} and ${isDue} and contact = ${contact} and event is null and notice is null`),
    );
  return found;
}

/** The event for endpoints, independent of the contact's further changes. */
export function setNotice(tx: Tx, seq: number, notice: string): Promise<number> {
  return tx.run`update outbox set notice = ${notice} where seq = ${seq}`;
}

/** Moves what segments, workflows and endpoints have not been told yet. */
export async function moveOutbox(tx: Tx, workspace: number, { from, to }: MergeDirection): Promise<number[]> {
  const moved = [];
  for (const isDue of [sql`for_endpoints in (0, 1) and due_at is not null`, sql`due_at is null`])
    moved.push(
      ...seqsOf(
        await tx.all<{ seq: number }>`
        update outbox set contact = ${to} where workspace = ${workspace} and ${isDue} and contact = ${from}
        returning seq`,
      ),
    );
  return moved;
}

/** The events about contacts that were merged into this one. */
export function mergedTold(tx: Tx, contact: number): Promise<{ seq: number; data: string }[]> {
  return tx.all`select seq, "json"(data) as data from events where contact = ${contact} and name = 'contact.merged'`;
}

export function setTold(tx: Tx, seq: number, data: object): Promise<number> {
  return tx.run`update events set data = ${tx.dialect.json(JSON.stringify(data))} where seq = ${seq}`;
}

/** The names of these events. */
export async function namesOf(tx: Tx, events: readonly number[]): Promise<string[]> {
  const rows = await tx.all<{
    name: string;
  }>`select distinct name from events where ${tx.dialect.isAmong(sql`seq`, events)}`;
  return rows.map(({ name }) => name);
}
