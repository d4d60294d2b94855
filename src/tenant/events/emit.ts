// The one way to emit an event: a row in the log, in the transaction of the change itself.
import { newId } from "../../base/ids.ts";
import { eachOfWorkspace, loader } from "../../store/loads.ts";
import { insertion, seqsOf } from "../../store/row-statement.ts";
import type { Tx } from "../../store/store.ts";
import { columnsOf, typeOf } from "./catalog.ts";
import { notifyChange } from "./notify.ts";
import type { ListenerKinds } from "./interests.ts";
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

/** Answers the event's public id. */
export const emit = loader<NewEvent, string>({
  stage: "change",
  ask: eachOfWorkspace(async (tx, workspace, events) => {
    const ids = events.map(() => newId(tx.nowMs));
    const rows = events.map(({ name, contact, email = null, cause = null, data }, at) => {
      return [ids[at] as string, workspace, name, contact, email, cause, JSON.stringify(data), tx.now];
    });
    const names = [...new Set(events.map(({ name }) => name))];
    const [made, ...hearers] = await Promise.all([
      tx.runEach<{ seq: number }>(EVENTS, rows),
      ...names.map((name) => hearersOf.within(tx, { workspace, subjects: subjectsOfEvent(name) })),
    ]);
    seqsOf(made).forEach((event, at) => {
      const { name, contact } = events[at] as NewEvent;
      const change = { workspace, subjects: subjectsOfEvent(name), contact, event };
      putInOutbox(tx, change, hearers[names.indexOf(name)] as ListenerKinds);
    });
    notifyChange(tx, "events", workspace);
    for (const page of new Set(names.map((name) => columnsOf(typeOf(name)).pages)))
      if (page) notifyChange(tx, page, workspace);
    return ids;
  }),
});

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
