// Notices for endpoints alone: they are not events of the log, start no workflow, and are written only if an endpoint
// listens.
import { newId } from "../../base/ids.ts";
import type { Tx } from "../../store/store.ts";
import type { FactData, NoticeType } from "./catalog.ts";
import { hearersOf, putInOutbox, type EventData } from "./outbox.ts";
import { typeSubject } from "./subjects.ts";

export type EventNotice = {
  /** The public id. */
  readonly id: string;
  readonly type: string;
  readonly data: EventData;
  readonly createdAt: string;
};

type NoticeSubject = { readonly workspace: number; readonly contact: number | null };

/** Whether any endpoint of the workspace listens to the type. */
function isToldOf(tx: Tx, workspace: number, type: NoticeType): Promise<boolean> {
  return hearersOf(tx, { workspace, subjects: [typeSubject(type)] }).then(({ endpoints }) => endpoints);
}

/** Runs in the transaction of the change. */
export async function tellEndpoints<Type extends NoticeType>(
  tx: Tx,
  about: NoticeSubject,
  type: Type,
  data: FactData<Type>,
): Promise<void> {
  if (await isToldOf(tx, about.workspace, type)) putNotice(tx, about, type, data);
}

/** For callers that know that an endpoint listens. */
export function putNotice<Type extends NoticeType>(
  tx: Tx,
  { workspace, contact }: NoticeSubject,
  type: Type,
  data: FactData<Type>,
): void {
  const notice = { id: newId(tx.nowMs), type, data, createdAt: tx.now } satisfies EventNotice;
  const change = { workspace, contact, subjects: [typeSubject(type)], event: null, notice: JSON.stringify(notice) };
  putInOutbox(tx, change, { inside: false, endpoints: true });
}
