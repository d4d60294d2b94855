// An incoming message: its header is checked, and it is stored slice by slice, so that no write takes long. It is
// durable before it is answered.
import { iso, MINUTE_MS } from "../../base/clock.ts";
import { SmtpReply } from "../../ground/smtp-listener/smtp-reply.ts";
import type { Store, Tx } from "../../store/store.ts";
import { deleteMessages, insertMessages, insertSlices, setWhole } from "./queries.ts";
import type { InboundEnvelope } from "./reading/reading.ts";
import { noteReturned } from "../../store/installation.ts";

/** Signalled when there may be a message to read. */
export const MAIL_RECEIVED = "received";

/** The size of a write, and the most memory that an incoming message takes. */
export const SLICE_BYTES = 256 * 1024;

/** A client that takes longer to send a message has been cut off (smtp-listener/session-limits.ts). */
const MAX_ARRIVAL_MS = 30 * MINUTE_MS;

/** `workspace` null = our return paths. A message for several workspaces is stored once for each. */
export type ArrivalAddressee = { readonly workspace: number | null; readonly recipients: readonly string[] };

type ArrivalSession = Pick<InboundEnvelope, "clientAddress" | "helo" | "sender">;

const MAX_HEADER_BYTES = 128 * 1024;
/** RFC 5321 §6.3: a message with more Received fields is in a loop. */
const MAX_RECEIVED_FIELDS = 30;

export type Arrival = {
  readonly session: ArrivalSession;
  /** Called when the first slice has arrived. */
  readonly addressees: () => Promise<readonly ArrivalAddressee[]>;
  /** All of SLICE_BYTES, except for the last, which is shorter. */
  readonly slices: AsyncIterable<Uint8Array>;
  /** Runs in the transaction after which the whole message is there. */
  readonly whenWhole?: (tx: Tx) => Promise<unknown>;
};

/** A smaller message is stored together with others of the same moment; for a larger one they would wait. */
const SMALL_BYTES = 64 * 1024;

/**
 * Stores the message for each addressee; durable when it returns.
 * @throws SmtpReply for a refused message; then nothing of it is kept
 */
export async function storeArrival(store: Store, arrival: Arrival): Promise<void> {
  const { session, addressees, slices, whenWhole } = arrival;
  let seqs: readonly number[] = [];
  let number = 0;
  try {
    for await (const bytes of slices) {
      const next = number;
      if (next === 0) {
        checkHeader(bytes);
        const beginning = { session, addressees: await addressees(), bytes };
        if (bytes.length < SMALL_BYTES && !whenWhole) seqs = await store.writeTogether(beginEach, beginning);
        else
          seqs = await store.write(async (tx) => {
            const [begun = []] = await beginEach(tx, [beginning]);
            if (isWhole(bytes)) await whenWhole?.(tx);
            return begun;
          });
      } else if (bytes.length < SLICE_BYTES)
        await store.write(async (tx) => {
          await finishMessage(tx, seqs, next, bytes);
          await whenWhole?.(tx);
        });
      else await store.write((tx) => addSlice(tx, seqs, next, bytes));
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

type ArrivalStart = {
  readonly session: ArrivalSession;
  readonly addressees: readonly ArrivalAddressee[];
  /** The first slice; a short one is the whole message. */
  readonly bytes: Uint8Array;
};

/**
 * Stores the first slice of each message for each of its addressees. Answers the messages that wait for more slices.
 */
export async function beginEach(tx: Tx, beginnings: readonly ArrivalStart[]): Promise<(readonly number[])[]> {
  const messages = beginnings.flatMap(({ session, addressees, bytes }) => {
    const whole = isWhole(bytes);
    const dueAt = whole ? tx.now : iso(tx.nowMs + MAX_ARRIVAL_MS);
    return addressees.map((addressee) => ({ ...session, ...addressee, whole, dueAt, bytes }));
  });
  const seqs = await insertMessages(tx, messages);
  await insertSlices(
    tx,
    messages.map(({ bytes }, index) => ({ message: seqs[index] as number, number: 0, bytes })),
  );
  if (messages.some(({ workspace }) => workspace === null)) await noteReturned(tx);
  if (beginnings.some(({ bytes }) => isWhole(bytes))) tx.signal(MAIL_RECEIVED);
  let first = 0;
  return beginnings.map(({ addressees: { length }, bytes }) => {
    const own = seqs.slice(first, (first += length));
    return isWhole(bytes) ? [] : own;
  });
}

function isWhole(first: Uint8Array): boolean {
  return first.length < SLICE_BYTES;
}

function addSlice(tx: Tx, seqs: readonly number[], number: number, bytes: Uint8Array): Promise<void> {
  return insertSlices(
    tx,
    seqs.map((message) => ({ message, number, bytes })),
  );
}

/**
 * Adds the last slice.
 * @throws Error if the message took so long that it was removed
 */
export async function finishMessage(tx: Tx, seqs: readonly number[], number: number, bytes: Uint8Array): Promise<void> {
  await addSlice(tx, seqs, number, bytes);
  for (const seq of seqs)
    if ((await setWhole(tx, seq)) === 0) throw new Error("The message was given up on its way in.");
  tx.signal(MAIL_RECEIVED);
}
