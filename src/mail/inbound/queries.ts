// The SQL of messages from outside: their arrival, and their wait until they are read.
import { flag, json } from "../../store/columns.ts";
import { changing, insertion, seqsOf } from "../../store/row-statement.ts";
import { sqlList, sql } from "../../store/sql.ts";
import type { Reader, Tx } from "../../store/store.ts";
import type { TurnQueue } from "../../store/turns.ts";
import type { AttachedFile, InboundEnvelope } from "./reading/reading.ts";

type NewMessage = InboundEnvelope & {
  /** Null: for return paths. */
  readonly workspace: number | null;
  readonly whole: boolean;
  readonly dueAt: string;
};

const MESSAGES = insertion(
  "messages",
  {
    workspace: "bigint",
    whole: "smallint",
    client_address: "text",
    helo: "text",
    sender: "text",
    recipients: "text",
    received_at: "text",
    due_at: "text",
  },
  "returning seq",
);

/** Answers the seq of each. */
export async function insertMessages(tx: Tx, messages: readonly NewMessage[]): Promise<number[]> {
  const rows = messages.map(({ workspace, whole, clientAddress, helo, sender, recipients, dueAt }) => [
    workspace,
    whole ? 1 : 0,
    clientAddress,
    helo,
    sender,
    JSON.stringify(recipients),
    tx.now,
    dueAt,
  ]);
  return seqsOf(await tx.runEach<{ seq: number }>(MESSAGES, rows));
}

export type MessageSlice = { readonly message: number; readonly number: number; readonly bytes: Uint8Array };

const SLICES = insertion("message_slices", { message: "bigint", number: "bigint", bytes: "bytes" });

export async function insertSlices(tx: Tx, slices: readonly MessageSlice[]): Promise<void> {
  await tx.runEach(
    SLICES,
    slices.map(({ message, number, bytes }) => [message, number, bytes]),
  );
}

/** Answers 0 if the message was removed. */
export function setWhole(tx: Tx, seq: number): Promise<number> {
  return tx.run`update messages set whole = 1, received_at = ${tx.now}, due_at = ${tx.now} where seq = ${seq} and whole = 0`;
}

export function deleteMessages(tx: Tx, seqs: readonly number[]): Promise<number> {
  return tx.run`delete from messages where seq in (${sqlList(seqs)}) and content is null`;
}

/** The message is done, but its bytes stay. */
export function keepRead(tx: Tx, seq: number): Promise<number> {
  return tx.run`update messages set due_at = null where seq = ${seq}`;
}

/** Answers 0 if its last piece has arrived. */
export function deleteUnfinished(tx: Tx, seq: number): Promise<number> {
  return tx.run`delete from messages where seq = ${seq} and whole = 0`;
}

export type WaitingMessage = {
  readonly seq: number;
  readonly workspace: number | null;
  readonly isWhole: boolean;
  readonly envelope: InboundEnvelope;
  readonly receivedAt: string;
  readonly attempts: number;
};

type MessageRow = Omit<WaitingMessage, "isWhole" | "envelope"> &
  Omit<InboundEnvelope, "recipients"> & { readonly whole: 0 | 1; /** JSON array. */ readonly recipients: string };

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

/** Claims waiting messages of a workspace, and messages whose lease has run out; also incomplete ones. */
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

/** The messages that may be claimed, with leases until `leaseUntil`; those to return paths have their own turn. */
export function messageQueue(leaseUntil: string): TurnQueue<WaitingMessage> {
  return {
    name: "messages",
    take: (tx, workspace, most) => claimMessages(tx, workspace, most, leaseUntil),
    // The plus removes the column's type, which the indexed expression does not have.
    firstDue: sql`(
      select m.due_at from messages m where coalesce(m.workspace, 0) = +turns.workspace and m.due_at is not null
      order by m.due_at limit 1)`,
  };
}

export function renewMessages(tx: Tx, seqs: readonly number[], leaseUntil: string): Promise<number> {
  return tx.run`update messages set due_at = ${leaseUntil} where due_at is not null and seq in (${sqlList(seqs)})`;
}

/**
 * Ends the leases of a dead process: the messages that it was reading are due again, and those that it was receiving
 * stay incomplete.
 */
export function endMessageLeases(tx: Tx): Promise<number> {
  return tx.run`update messages set due_at = ${tx.now} where due_at is not null and due_at > ${tx.now}`;
}

export async function sliceOfMessage(reader: Reader, message: number, number: number): Promise<Uint8Array | null> {
  const row = await reader.get<{ bytes: Uint8Array }>`
    select bytes from message_slices where message = ${message} and number = ${number}`;
  return row?.bytes ?? null;
}

/**
 * Locks the messages, in a fixed order; answers those still in the state of these attempts, not deleted and not claimed
 * since.
 */
export async function lockClaimed<Claimed extends Pick<WaitingMessage, "seq" | "attempts">>(
  tx: Tx,
  claimed: readonly Claimed[],
): Promise<Claimed[]> {
  const seqs = claimed.map(({ seq }) => seq);
  const locked = await tx.all<{ seq: number; attempts: number }>`
    select seq, attempts from messages where ${tx.dialect.isAmong(sql`seq`, seqs)} and due_at is not null
    order by seq${tx.dialect.forUpdate}`;
  const attemptOf = new Map(locked.map(({ seq, attempts }) => [seq, attempts]));
  return claimed.filter(({ seq, attempts }) => attemptOf.get(seq) === attempts);
}

type ReadMessage = { readonly seq: number; readonly content: number; readonly files: readonly AttachedFile[] };

const READ = changing("messages", { seq: "bigint", content: "bigint", files: "text" }, ({ seq, content, files }) => ({
  set: `content = ${content}, files = ${files}, due_at = null`,
  where: `messages.seq = ${seq}`,
  returning: "messages.seq",
}));

export async function setRead(tx: Tx, messages: readonly ReadMessage[]): Promise<void> {
  await tx.runEach(
    READ,
    messages.map(({ seq, content, files }) => [seq, content, JSON.stringify(files)]),
  );
}

/** The files attached to a received mail. */
export async function filesOfContent(reader: Reader, content: number): Promise<readonly AttachedFile[]> {
  const row = await reader.get<{ files: string | null }>`select files from messages where content = ${content}`;
  return row?.files ? json<AttachedFile[]>(row.files) : [];
}

export function deferMessage(tx: Tx, { seq, attempts }: WaitingMessage, dueAt: string): Promise<number> {
  return tx.run`update messages set due_at = ${dueAt} where seq = ${seq} and attempts = ${attempts} and due_at is not null`;
}

/** Notes that the message has stopped the reading thread while it was the only one. */
export function noteUnread(tx: Tx, seq: number): Promise<number> {
  return tx.run`update messages set unread_at = ${tx.now} where seq = ${seq}`;
}

export type UnreadCount = { readonly count: number; readonly since: string };

/** Messages that wait to be read again, or have stayed unread since then; null = none. */
export async function unreadMessages(reader: Reader, since: string): Promise<UnreadCount | null> {
  const row = await reader.get<{ count: number; since: string | null }>`
    select count(*) as count, min(unread_at) as since from messages
    where unread_at is not null and (due_at is not null or unread_at >= ${since})`;
  return row && row.since !== null ? { count: row.count, since: row.since } : null;
}

/** Answers 0 if it was taken before. */
export function rememberNotice(tx: Tx, id: string): Promise<number> {
  return tx.run`insert into notices (id, seen_at) values (${id}, ${tx.now}) on conflict do nothing`;
}

export function noticeTaken(reader: Reader, id: string): Promise<{ id: string } | null> {
  return reader.get`select id from notices where id = ${id}`;
}

/** Deletes a part of the older ones; answers their number. */
export function forgetNoticesBefore(tx: Tx, seenBefore: string, most: number): Promise<number> {
  return tx.run`
    delete from notices where id in (select id from notices where seen_at <= ${seenBefore} order by seen_at limit ${most})`;
}
