// Facts are told once: `happened` does what the row of the fact says (catalog.ts). Facts about a contact, or about
// a mail, have columns of higher rooms as well: consent/happened.ts, emails/happened.ts.
import { newId } from "../../base/ids.ts";
import type { Tx } from "../../store/store.ts";
import { columnsOf, type FactData, type FactName } from "./catalog.ts";
import { emit } from "./emit.ts";
import { notifyChange } from "./notify.ts";
import { hearersOf, putInOutbox, touch, type EventData } from "./outbox.ts";
import { contactSubject, typeSubject } from "./subjects.ts";

/** The records that a fact is about. */
export type FactSubject = {
  readonly workspace: number;
  readonly contact?: number | null;
  readonly email?: number;
  /** The cause of an event (emit.ts). */
  readonly cause?: string | null | undefined;
};

/** Runs in the transaction of the change, once it has changed something. */
export async function happened<Name extends FactName>(
  tx: Tx,
  name: Name,
  { contact = null, ...about }: FactSubject,
  data: FactData<Name>,
): Promise<void> {
  const { told, pages, touches } = columnsOf(name);
  const { workspace } = about;
  if (pages) notifyChange(tx, pages, workspace);
  await Promise.all([
    touches && touch(tx, { workspace, contact, subjects: touches.map(contactSubject) }),
    told === "log" && emit(tx, { ...about, contact, name, data: data as EventData }),
    told === "endpoints" && tellEndpoints(tx, { workspace, contact }, name, data as EventData),
  ]);
}

type NoticeSubject = { readonly workspace: number; readonly contact: number | null };

/** A notice is no event of the log, starts no workflow, and is written only if an endpoint listens. */
async function tellEndpoints(tx: Tx, about: NoticeSubject, type: FactName, data: EventData): Promise<void> {
  const { endpoints } = await hearersOf(tx, { workspace: about.workspace, subjects: [typeSubject(type)] });
  if (endpoints) putNotice(tx, about, type, data);
}

export type EventNotice = {
  /** The public id. */
  readonly id: string;
  readonly type: string;
  readonly data: EventData;
  readonly createdAt: string;
};

/** For callers that know that an endpoint listens. */
export function putNotice(tx: Tx, { workspace, contact }: NoticeSubject, type: FactName, data: EventData): void {
  const notice = { id: newId(tx.nowMs), type, data, createdAt: tx.now } satisfies EventNotice;
  const change = { workspace, contact, subjects: [typeSubject(type)], event: null, notice: JSON.stringify(notice) };
  putInOutbox(tx, change, { inside: false, endpoints: true });
}
