// The one way to emit an event: a row in the log, in the transaction of the change itself.
import { newId } from "../ids.ts";
import { insertion, seqsOf } from "../store/row-statement.ts";
import type { Tx } from "../store/store.ts";
import { tellEvent } from "./notify.ts";
import { putAllInOutbox, wantedAmong } from "./outbox.ts";
import { eventTopic } from "./topics.ts";

export type NewEvent = {
  readonly workspace: number;
  readonly name: string;
  readonly contact: number | null;
  readonly email?: number;
  /** The public id of the import or bulk change that did it. */
  readonly job?: string | undefined;
  readonly data: Readonly<Record<string, unknown>>;
};

const EVENTS = insertion(
  "events",
  {
    ...{ id: "text", workspace: "bigint", name: "text", contact: "bigint" },
    ...{ email: "bigint", job: "text", data: "json", created_at: "text" },
  },
  "returning seq",
);

/** Answers the event's public id. */
export async function emit(tx: Tx, event: NewEvent): Promise<string> {
  return (await emitAll(tx, [event]))[0] as string;
}

/** As `emit`, of many; answers their ids, in their order. */
export async function emitAll(tx: Tx, events: readonly NewEvent[]): Promise<string[]> {
  const ids = events.map(() => newId(tx.nowMs));
  const rows = events.map(({ workspace, name, contact, email, job, data }, index) => [
    ...[ids[index] as string, workspace, name, contact, email ?? null, job ?? null, JSON.stringify(data), tx.now],
  ]);
  const changes = events.map(({ workspace, name, contact }) => ({ workspace, contact, topics: [eventTopic(name)] }));
  const [made, wanted] = await Promise.all([tx.runEach<{ seq: number }>(EVENTS, rows), wantedAmong(tx, changes)]);
  const seqs = seqsOf(made);
  const entries = changes.map((change, index) => ({ ...change, event: seqs[index] as number }));
  await putAllInOutbox(tx, entries, wanted);
  for (const { name, workspace } of new Map(events.map((one) => [`${one.name} ${one.workspace}`, one])).values())
    tellEvent(tx, name, workspace);
  return ids;
}

/** As `emit`, for many contacts to whom the same has happened; in their order. */
export async function emitEach(
  tx: Tx,
  event: Omit<NewEvent, "contact" | "email">,
  contacts: readonly number[],
): Promise<void> {
  await emitAll(
    tx,
    contacts.map((contact) => ({ ...event, contact })),
  );
}
