// The one way to emit an event: a row in the log, in the transaction of the change itself.
import { newId } from "../ids.ts";
import { inPieces, joined, sql } from "../store/sql.ts";
import type { Tx } from "../store/store.ts";
import { tellEvent } from "./news.ts";
import { putEachInOutbox, putInOutbox } from "./outbox.ts";
import { eventTopic } from "./topics.ts";

type NewEvent = {
  readonly workspace: number;
  readonly name: string;
  readonly contact: number | null;
  readonly email?: number;
  readonly data: Readonly<Record<string, unknown>>;
};

/** Answers the event's public id. */
export async function emit(tx: Tx, { workspace, name, contact, email, data }: NewEvent): Promise<string> {
  const id = newId(tx.nowMs);
  const row = await tx.get<{ seq: number }>`
    insert into events (id, workspace, name, contact, email, data, created_at)
    values (${id}, ${workspace}, ${name}, ${contact}, ${email ?? null}, jsonb(${JSON.stringify(data)}), ${tx.now})
    returning seq`;
  await putInOutbox(tx, { workspace, contact, topics: [eventTopic(name)] }, row?.seq ?? null);
  tellEvent(tx, name, workspace);
  return id;
}

/** As `emit`, for many contacts to whom the same has happened; in their order. */
export async function emitEach(
  tx: Tx,
  { workspace, name, data }: Pick<NewEvent, "workspace" | "name" | "data">,
  contacts: readonly number[],
): Promise<void> {
  const text = JSON.stringify(data);
  const seqs = new Map<number, number>();
  for (const piece of inPieces(contacts)) {
    const rows = piece.map(
      (contact) => sql`(${newId(tx.nowMs)}, ${workspace}, ${name}, ${contact}, jsonb(${text}), ${tx.now})`,
    );
    const made = await tx.all<{ seq: number; contact: number }>`
      insert into events (id, workspace, name, contact, data, created_at) values ${joined(rows, ", ")}
      returning seq, contact`;
    for (const { seq, contact } of made) seqs.set(contact, seq);
  }
  const entries = contacts.map((contact) => ({ contact, event: seqs.get(contact) ?? null }));
  await putEachInOutbox(tx, workspace, [eventTopic(name)], entries);
  tellEvent(tx, name, workspace);
}
