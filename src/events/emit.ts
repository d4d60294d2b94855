// The one way to say that something happened: a row in the log, in the transaction of the change itself.
import { newId } from "../ids.ts";
import type { Tx } from "../store/store.ts";
import { putInOutbox } from "./outbox.ts";
import { eventTopic } from "./topics.ts";

export type Happening = {
  readonly workspace: number;
  readonly name: string;
  readonly contact: number | null;
  readonly email?: number;
  readonly data: Readonly<Record<string, unknown>>;
};

/** Answers the event's public id. */
export async function emit(tx: Tx, { workspace, name, contact, email, data }: Happening): Promise<string> {
  const id = newId(tx.nowMs);
  const row = await tx.get<{ seq: number }>`
    insert into events (id, workspace, name, contact, email, data, created_at)
    values (${id}, ${workspace}, ${name}, ${contact}, ${email ?? null}, jsonb(${JSON.stringify(data)}), ${tx.now})
    returning seq`;
  await putInOutbox(tx, { workspace, contact, topics: [eventTopic(name)] }, row?.seq ?? null);
  return id;
}
