// The SQL of messages from outside: how they come in, and how they wait until they have been read.
import { flag, json } from "../store/columns.ts";
import { list, sql } from "../store/sql.ts";
import type { Reader, Tx } from "../store/store.ts";
import type { Queue } from "../store/turns.ts";
import type { AttachedFile, Envelope } from "./reading/reading.ts";

type NewMessage = Envelope & {
  /** Null: for return paths. */
  readonly workspace: number | null;
  readonly whole: boolean;
  readonly dueAt: string;
};

export async function insertMessage(tx: Tx, message: NewMessage): Promise<number> {
  const row = await tx.get<{ seq: number }>`
    insert into messages (workspace, whole, client_address, helo, sender, recipients, received_at, due_at)
    values (${message.workspace}, ${message.whole ? 1 : 0}, ${message.clientAddress}, ${message.helo}, ${message.sender},
      ${JSON.stringify(message.recipients)}, ${tx.now}, ${message.dueAt})
    returning seq`;
  return (row as { seq: number }).seq;
}

export function insertSlice(tx: Tx, message: number, number: number, bytes: Uint8Array): Promise<number> {
  return tx.run`insert into message_slices (message, number, bytes) values (${message}, ${number}, ${bytes})`;
}

/** Answers 0 if it has been given up. */
export function setWhole(tx: Tx, seq: number): Promise<number> {
  return tx.run`update messages set whole = 1, received_at = ${tx.now}, due_at = ${tx.now} where seq = ${seq} and whole = 0`;
}

export function deleteMessages(tx: Tx, seqs: readonly number[]): Promise<number> {
  return tx.run`delete from messages where seq in (${list(seqs)}) and content is null`;
}

/** Answers 0 if its last piece has arrived. */
export function deleteUnfinished(tx: Tx, seq: number): Promise<number> {
  return tx.run`delete from messages where seq = ${seq} and whole = 0`;
}

export type WaitingMessage = {
  readonly seq: number;
  readonly workspace: number | null;
  readonly isWhole: boolean;
  readonly envelope: Envelope;
  readonly receivedAt: string;
  readonly attempts: number;
};

type MessageRow = Omit<WaitingMessage, "isWhole" | "envelope"> &
  Omit<Envelope, "recipients"> & { readonly whole: 0 | 1; /** JSON array. */ readonly recipients: string };

function messageOf({
  seq,
  workspace,
  whole,
  receivedAt,
  attempts,
  recipients,
  ...session
}: MessageRow): WaitingMessage {
  const envelope = { ...session, recipients: json<string[]>(recipients) };
  return { seq, workspace, isWhole: flag(whole), envelope, receivedAt, attempts };
}

/** Takes messages of a workspace that wait, and those whose lease has run out; those that never came in whole as well. */
async function claimMessages(tx: Tx, workspace: number, limit: number, leaseUntil: string): Promise<WaitingMessage[]> {
  const rows = await tx.all<MessageRow>`
    update messages set due_at = ${leaseUntil}, attempts = attempts + 1
    where seq in (
      select seq from messages
      where coalesce(workspace, 0) = ${workspace} and due_at is not null and due_at <= ${tx.now} order by due_at
      limit ${limit}${tx.dialect.skipLocked})
    returning seq, workspace, whole, client_address as "clientAddress", helo, sender, recipients,
      received_at as "receivedAt", attempts`;
  return rows.sort((one, other) => one.seq - other.seq).map(messageOf);
}

/** The messages that may be claimed, until `leaseUntil`; those to return paths have a turn of their own. */
export function messageQueue(leaseUntil: string): Queue<WaitingMessage> {
  return {
    name: "messages",
    take: (tx, workspace, most) => claimMessages(tx, workspace, most, leaseUntil),
    // The plus takes the column's type away, which the indexed expression does not have.
    firstDue: sql`(
      select m.due_at from messages m where coalesce(m.workspace, 0) = +turns.workspace and m.due_at is not null
      order by m.due_at limit 1)`,
  };
}

export function renewMessages(tx: Tx, seqs: readonly number[], leaseUntil: string): Promise<number> {
  return tx.run`update messages set due_at = ${leaseUntil} where due_at is not null and seq in (${list(seqs)})`;
}

/** Of a process that is gone: what it was reading is due again, and what was coming in to it will not become whole. */
export function endMessageLeases(tx: Tx): Promise<number> {
  return tx.run`update messages set due_at = ${tx.now} where due_at is not null and due_at > ${tx.now}`;
}

export async function sliceOfMessage(reader: Reader, message: number, number: number): Promise<Uint8Array | null> {
  const row = await reader.get<{ bytes: Uint8Array }>`
    select bytes from message_slices where message = ${message} and number = ${number}`;
  return row?.bytes ?? null;
}

/** Locks the message as this attempt claimed it; null if another attempt has followed, or the message is gone. */
export function lockClaimed(tx: Tx, { seq, attempts }: WaitingMessage): Promise<{ seq: number } | null> {
  return tx.get`
    select seq from messages where seq = ${seq} and attempts = ${attempts} and due_at is not null${tx.dialect.forUpdate}`;
}

export function setRead(tx: Tx, seq: number, content: number, files: readonly AttachedFile[]): Promise<number> {
  return tx.run`
    update messages set content = ${content}, files = ${JSON.stringify(files)}, due_at = null where seq = ${seq}`;
}

/** The files attached to a received mail. */
export async function filesOfContent(reader: Reader, content: number): Promise<readonly AttachedFile[]> {
  const row = await reader.get<{ files: string | null }>`select files from messages where content = ${content}`;
  return row?.files ? json<AttachedFile[]>(row.files) : [];
}

export function putOffMessage(tx: Tx, { seq, attempts }: WaitingMessage, dueAt: string): Promise<number> {
  return tx.run`update messages set due_at = ${dueAt} where seq = ${seq} and attempts = ${attempts} and due_at is not null`;
}

/** Answers 0 if it was taken before. */
export function rememberNotice(tx: Tx, id: string): Promise<number> {
  return tx.run`insert into notices (id, seen_at) values (${id}, ${tx.now}) on conflict do nothing`;
}

export function noticeTaken(reader: Reader, id: string): Promise<{ id: string } | null> {
  return reader.get`select id from notices where id = ${id}`;
}

/** A part of those that are older; answers how many. */
export function forgetNoticesBefore(tx: Tx, seenBefore: string, most: number): Promise<number> {
  return tx.run`
    delete from notices where id in (select id from notices where seen_at <= ${seenBefore} order by seen_at limit ${most})`;
}
