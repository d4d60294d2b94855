// A message at the door: looked over, and stored slice by slice, so that no write takes long.
import { SmtpReply } from "../smtp-listener/smtp-reply.ts";
import type { Store } from "../store/store.ts";
import { begin, finish, giveUp, goOn, keep, SLICE_BYTES, type Addressee, type Session } from "./message.ts";

const MOST_HEADER_BYTES = 128 * 1024;
/** RFC 5321 §6.3: a message that has been through so many servers goes in a circle. */
const MOST_HOPS = 30;

export type Arrival = {
  readonly session: Session;
  readonly addressees: readonly Addressee[];
  readonly bytes: Uint8Array;
};

/** Stores the message for each addressee; durable when it answers. @throws SmtpReply for a message that is not taken */
export async function storeArrival(store: Store, { session, addressees, bytes }: Arrival): Promise<void> {
  lookAtHeader(bytes);
  const slices = Array.from({ length: Math.ceil(bytes.length / SLICE_BYTES) || 1 }, (_, number) =>
    bytes.subarray(number * SLICE_BYTES, (number + 1) * SLICE_BYTES),
  );
  const [first = bytes, ...others] = slices;
  const last = others.pop();
  if (!last) return store.write((tx) => keep(tx, session, addressees, first));
  const seqs = await store.write((tx) => begin(tx, session, addressees, first));
  try {
    for (const [place, slice] of others.entries()) await store.write((tx) => goOn(tx, seqs, place + 1, slice));
    await store.write((tx) => finish(tx, seqs, slices.length - 1, last));
  } catch (error) {
    await store.write((tx) => giveUp(tx, seqs)).catch(() => undefined);
    throw error;
  }
}

function lookAtHeader(bytes: Uint8Array): void {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, MOST_HEADER_BYTES)).toString(
    "latin1",
  );
  const end = text.indexOf("\r\n\r\n");
  if (end < 0 && bytes.length >= MOST_HEADER_BYTES)
    throw new SmtpReply(552, "5.3.4", "The header is larger than 128 KB");
  const hops = (end < 0 ? text : text.slice(0, end)).match(/^Received:/gim)?.length ?? 0;
  if (hops >= MOST_HOPS) throw new SmtpReply(554, "5.4.6", "The message has been through too many servers");
}
