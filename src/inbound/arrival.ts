// A message on its way in: its header is checked, and it is stored slice by slice, so that no write takes long. It is durable before
// it is answered.
import { iso, MINUTE_MS } from "../clock.ts";
import { SmtpReply } from "../smtp-listener/smtp-reply.ts";
import type { Store, Tx } from "../store/store.ts";
import { deleteMessages, insertMessage, insertSlice, setWhole } from "./queries.ts";
import type { Envelope } from "./reading/reading.ts";

/** Signalled when there may be a message to read. */
export const MAIL_RECEIVED = "received";

/** What is written at once, and the most that a message takes of memory while it comes in. */
export const SLICE_BYTES = 256 * 1024;

/** A client that takes longer to send a message has been cut off (smtp-listener/session-limits.ts). */
const MAX_ARRIVAL_MS = 30 * MINUTE_MS;

/** `workspace` null = our return paths. A message for several workspaces is stored once for each. */
export type Addressee = { readonly workspace: number | null; readonly recipients: readonly string[] };

type Session = Pick<Envelope, "clientAddress" | "helo" | "sender">;

const MAX_HEADER_BYTES = 128 * 1024;
/** RFC 5321 §6.3: a message that has been through so many servers goes in a circle. */
const MAX_RECEIVED_FIELDS = 30;

export type Arrival = {
  readonly session: Session;
  /** Called when the first slice is there. */
  readonly addressees: () => Promise<readonly Addressee[]>;
  /** All of SLICE_BYTES, but for the last, which is shorter. */
  readonly slices: AsyncIterable<Uint8Array>;
};

/**
 * Stores the message for each addressee; durable when it returns.
 * @throws SmtpReply for a message that is not taken; nothing of it is kept then
 */
export async function storeArrival(store: Store, { session, addressees, slices }: Arrival): Promise<void> {
  let seqs: readonly number[] = [];
  let number = 0;
  try {
    for await (const slice of slices) {
      if (number === 0) checkHeader(slice);
      const isLast = slice.length < SLICE_BYTES;
      if (number > 0) await store.write((tx) => (isLast ? finishMessage : addSlice)(tx, seqs, number, slice));
      else {
        const to = await addressees();
        seqs = await store.write((tx) => beginMessage(tx, session, to, slice));
      }
      number++;
    }
  } catch (error) {
    if (seqs.length > 0) await store.write((tx) => deleteMessages(tx, seqs)).catch(() => undefined);
    throw error;
  }
}

function checkHeader(bytes: Uint8Array): void {
  const size = Math.min(bytes.length, MAX_HEADER_BYTES);
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, size).toString("latin1");
  const end = text.indexOf("\r\n\r\n");
  if (end < 0 && bytes.length >= MAX_HEADER_BYTES)
    throw new SmtpReply(552, "5.3.4", "The header is larger than 128 KB");
  const receivedFields = (end < 0 ? text : text.slice(0, end)).match(/^Received:/gim)?.length ?? 0;
  if (receivedFields >= MAX_RECEIVED_FIELDS)
    throw new SmtpReply(554, "5.4.6", "The message has been through too many servers");
}

/** Stores the first slice for each addressee; a short one is the whole message. Answers the messages that wait for more slices. */
export async function beginMessage(
  tx: Tx,
  session: Session,
  addressees: readonly Addressee[],
  bytes: Uint8Array,
): Promise<readonly number[]> {
  const whole = bytes.length < SLICE_BYTES;
  const dueAt = whole ? tx.now : iso(tx.nowMs + MAX_ARRIVAL_MS);
  const seqs: number[] = [];
  for (const addressee of addressees) seqs.push(await insertMessage(tx, { ...session, ...addressee, whole, dueAt }));
  await addSlice(tx, seqs, 0, bytes);
  if (whole) tx.signal(MAIL_RECEIVED);
  return whole ? [] : seqs;
}

async function addSlice(tx: Tx, seqs: readonly number[], number: number, bytes: Uint8Array): Promise<void> {
  for (const seq of seqs) await insertSlice(tx, seq, number, bytes);
}

/** Adds the last slice. @throws Error if the message took so long that it was given up */
export async function finishMessage(tx: Tx, seqs: readonly number[], number: number, bytes: Uint8Array): Promise<void> {
  await addSlice(tx, seqs, number, bytes);
  for (const seq of seqs)
    if ((await setWhole(tx, seq)) === 0) throw new Error("The message was given up on its way in.");
  tx.signal(MAIL_RECEIVED);
}
