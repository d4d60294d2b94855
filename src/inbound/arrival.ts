// A message on its way in: its header is checked, and it is stored slice by slice, so that no write takes long.
import { SmtpReply } from "../smtp-listener/smtp-reply.ts";
import type { Store } from "../store/store.ts";
import {
  addSlice,
  beginMessage,
  dropMessages,
  finishMessage,
  SLICE_BYTES,
  storeMessage,
  type Addressee,
  type Session,
} from "./message.ts";

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
        if (isLast) await store.write((tx) => storeMessage(tx, session, to, slice));
        else seqs = await store.write((tx) => beginMessage(tx, session, to, slice));
      }
      number++;
    }
  } catch (error) {
    if (seqs.length > 0) await store.write((tx) => dropMessages(tx, seqs)).catch(() => undefined);
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
