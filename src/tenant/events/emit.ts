// The one way to emit an event: a row in the log, in the transaction of the change itself.
import { newId } from "../../base/ids.ts";
import { loader } from "../../store/loads.ts";
import { insertion, seqsOf } from "../../store/row-statement.ts";
import type { Tx } from "../../store/store.ts";
import { columnsOf, typeOf } from "./catalog.ts";
import { notifyChange } from "./notify.ts";
import { hearersOf, putInOutbox } from "./outbox.ts";
import { subjectsOfEvent } from "./subjects.ts";

export type NewEvent = {
  readonly workspace: number;
  readonly name: string;
  readonly contact: number | null;
  readonly email?: number;
  /** The cause: causeOf (access/caller.ts), or the public id of an import or bulk change. */
  readonly cause?: string | null | undefined;
  readonly data: Readonly<Record<string, unknown>>;
};

const EVENTS = insertion(
  "events",
  {
    id: "text",
    workspace: "bigint",
    name: "text",
    contact: "bigint",
    email: "bigint",
    cause: "text",
    data: "json",
    created_at: "text",
  },
  "returning seq",
);

const insert = loader<NewEvent & { readonly id: string }, number>({
  stage: "change",
  ask: async (tx, events) => {
    const rows = events.map(({ id, workspace, name, contact, email, cause, data }) => [
      id,
      workspace,
      name,
      contact,
      email ?? null,
      cause ?? null,
      JSON.stringify(data),
      tx.now,
    ]);
    return seqsOf(await tx.runEach<{ seq: number }>(EVENTS, rows));
  },
});

/** Answers the event's public id. */
export async function emit(tx: Tx, event: NewEvent): Promise<string> {
  const { workspace, name, contact } = event;
  const [id, subjects] = [newId(tx.nowMs), subjectsOfEvent(name)];
  const [seq, hearers] = await Promise.all([insert(tx, { ...event, id }), hearersOf(tx, { workspace, subjects })]);
  putInOutbox(tx, { workspace, subjects, contact, event: seq }, hearers);
  notifyChange(tx, "events", workspace);
  const { pages } = columnsOf(typeOf(name));
  if (pages) notifyChange(tx, pages, workspace);
  return id;
}

/** As `emit`, for many events; answers their ids, in their order. */
export function emitAll(tx: Tx, events: readonly NewEvent[]): Promise<string[]> {
  return Promise.all(events.map((event) => emit(tx, event)));
}

/** As `emit`, for many contacts with the same event; in their order. */
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
