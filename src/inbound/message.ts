// A message from outside: stored as it comes in, durable before it is answered, and settled once when it has been read.
import { parseAddress, type Mailbox } from "../addresses.ts";
import { receive } from "../emails/receive.ts";
import type { ReturnPathOptions } from "../emails/return-path.ts";
import { iso, MINUTE_MS } from "../clock.ts";
import type { Reader, Store, Tx } from "../store/store.ts";
import type { Notice } from "./bounces/notice.ts";
import {
  deleteMessages,
  insertMessage,
  insertSlice,
  lockClaimed,
  putOffMessage,
  setRead,
  setWhole,
  sliceOfMessage,
  type WaitingMessage,
} from "./message-queries.ts";
import type { Envelope, Reading } from "./reading.ts";
import { takeNotice } from "./bounces/take-notice.ts";

/** Signalled when there may be a message to read. */
export const MAIL_RECEIVED = "received";

/** What is written at once, and the most that a message takes of memory while it comes in. */
export const SLICE_BYTES = 256 * 1024;

/** A client that takes longer to send a message has been cut off (smtp-listener/session-limits.ts). */
const MAX_ARRIVAL_MS = 30 * MINUTE_MS;

/** Whom a message is for; `workspace` null = our return paths. A message for several workspaces is stored once for each. */
export type Addressee = { readonly workspace: number | null; readonly recipients: readonly string[] };

export type Session = Pick<Envelope, "clientAddress" | "helo" | "sender">;

/** Stores a message that has one slice, for each addressee. */
export async function storeMessage(
  tx: Tx,
  session: Session,
  addressees: readonly Addressee[],
  bytes: Uint8Array,
): Promise<void> {
  for (const addressee of addressees) {
    const seq = await insertMessage(tx, { ...session, ...addressee, whole: true, dueAt: tx.now });
    await insertSlice(tx, seq, 0, bytes);
  }
  tx.signal(MAIL_RECEIVED);
}

/** Stores the first slice of a message that has more; answers the messages to which the other slices belong. */
export async function beginMessage(
  tx: Tx,
  session: Session,
  addressees: readonly Addressee[],
  bytes: Uint8Array,
): Promise<readonly number[]> {
  const dueAt = iso(tx.nowMs + MAX_ARRIVAL_MS);
  const seqs: number[] = [];
  for (const addressee of addressees)
    seqs.push(await insertMessage(tx, { ...session, ...addressee, whole: false, dueAt }));
  await addSlice(tx, seqs, 0, bytes);
  return seqs;
}

export async function addSlice(tx: Tx, seqs: readonly number[], number: number, bytes: Uint8Array): Promise<void> {
  for (const seq of seqs) await insertSlice(tx, seq, number, bytes);
}

/** Adds the last slice. @throws Error if the message took so long that it was given up */
export async function finishMessage(tx: Tx, seqs: readonly number[], number: number, bytes: Uint8Array): Promise<void> {
  await addSlice(tx, seqs, number, bytes);
  for (const seq of seqs)
    if ((await setWhole(tx, seq)) === 0) throw new Error("The message was given up on its way in.");
  tx.signal(MAIL_RECEIVED);
}

/** Deletes messages that did not come in whole. */
export async function dropMessages(tx: Tx, seqs: readonly number[]): Promise<void> {
  if (seqs.length > 0) await deleteMessages(tx, seqs);
}

export function envelopeOf({ client_address, helo, sender, recipients }: WaitingMessage): Envelope {
  return { clientAddress: client_address, helo, sender, recipients: JSON.parse(recipients) as string[] };
}

/** All of a message's bytes, read slice by slice; `first` is the first one. */
export async function bytesOf(store: Store, seq: number, first: Uint8Array): Promise<Uint8Array> {
  const slices = [first];
  for (let last = first; last.length === SLICE_BYTES;) {
    const slice = await store.read((reader) => sliceOfMessage(reader, seq, slices.length));
    if (!slice) break;
    slices.push(slice);
    last = slice;
  }
  return joined(slices);
}

export function firstSlice(reader: Reader, seq: number): Promise<Uint8Array | null> {
  return sliceOfMessage(reader, seq, 0);
}

/** In memory of its own, which can be given to another thread. */
export function joined(slices: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(slices.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const slice of slices) {
    bytes.set(slice, at);
    at += slice.length;
  }
  return bytes;
}

type Read = { readonly reading: Reading; readonly tookMs: number };

/** Makes mails and events of what was read, once: an attempt that another one has followed changes nothing. */
export async function settle(tx: Tx, message: WaitingMessage, { reading, tookMs }: Read): Promise<void> {
  if (message.workspace === null || !(await lockClaimed(tx, message))) return;
  const { sender, recipients } = envelopeOf(message);
  const { contents, verdicts } = reading;
  const { files, isAutomatic, ...said } = contents;
  const content = await receive(tx, {
    ...said,
    workspace: message.workspace,
    recipients,
    returnPath: sender,
    receivedAt: message.received_at,
    sender: contents.sender ?? mailboxOf(sender),
    attachments: files.length,
    isAutomatic: isAutomatic || sender === "",
    verdicts,
    processingTimeMillis: Math.round(tookMs),
  });
  await setRead(tx, message.seq, content, JSON.stringify(files));
}

function mailboxOf(sender: string): Mailbox | null {
  const address = parseAddress(sender);
  return address === null ? null : { address, name: null };
}

/** A notice may be faster than the record of the hand-over of its mail; it is taken again then. */
const EARLY_NOTICE_REST_MS = 30_000;
const MAX_EARLY_ATTEMPTS = 10;

/** Does what a notice says to the mails whose return paths it came to; the notice is not kept. */
export async function settleNotice(
  tx: Tx,
  message: WaitingMessage,
  notice: Notice,
  options: ReturnPathOptions,
): Promise<void> {
  if (!(await lockClaimed(tx, message))) return;
  let isEarly = false;
  for (const address of envelopeOf(message).recipients)
    isEarly = (await takeNotice(tx, notice, address, options)) === "early" || isEarly;
  if (isEarly && message.attempts < MAX_EARLY_ATTEMPTS)
    await putOffMessage(tx, message, iso(tx.nowMs + EARLY_NOTICE_REST_MS));
  else await deleteMessages(tx, [message.seq]);
}
