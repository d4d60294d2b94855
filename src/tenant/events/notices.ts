// What endpoints alone are told: it is no event of the log, starts no workflow, and is written only where an endpoint
// listens.
import { newId } from "../../base/ids.ts";
import type { Tx } from "../../store/store.ts";
import type { NoticeData, NoticeType } from "./catalog.ts";
import { hearersOf, putInOutbox, type EventData } from "./outbox.ts";
import { typeTopic } from "./topics.ts";

export type EventNotice = {
  /** Public. */
  readonly id: string;
  readonly type: string;
  readonly data: EventData;
  readonly createdAt: string;
};

type NoticeSubject = { readonly workspace: number; readonly contact: number | null };

/** Whether any endpoint of the workspace wants to know. */
function isToldOf(tx: Tx, workspace: number, type: NoticeType): Promise<boolean> {
  return hearersOf(tx, { workspace, topics: [typeTopic(type)] }).then(({ endpoints }) => endpoints);
}

/** In the transaction of the change. */
export async function tellEndpoints<Type extends NoticeType>(
  tx: Tx,
  about: NoticeSubject,
  type: Type,
  data: NoticeData<Type>,
): Promise<void> {
  if (await isToldOf(tx, about.workspace, type)) putNotice(tx, about, type, data);
}

/** Where an endpoint is known to listen. */
export function putNotice<Type extends NoticeType>(
  tx: Tx,
  { workspace, contact }: NoticeSubject,
  type: Type,
  data: NoticeData<Type>,
): void {
  const notice = { id: newId(tx.nowMs), type, data, createdAt: tx.now } satisfies EventNotice;
  const change = { workspace, contact, topics: [typeTopic(type)], event: null, notice: JSON.stringify(notice) };
  putInOutbox(tx, change, { inside: false, endpoints: true });
}
