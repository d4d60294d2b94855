// A message at the door: looked over, and stored slice by slice, so that no write takes long.
import { SmtpReply } from "../smtp-listener/smtp-reply.ts";
import type { Store } from "../store/store.ts";
import { begin, finish, giveUp, goOn, keep, SLICE_BYTES, type Addressee, type Session } from "./message.ts";

const MOST_HEADER_BYTES = 128 * 1024;
/** RFC 5321 §6.3: a message that has been through so many servers goes in a circle. */
const MOST_HOPS = 30;

export type Arrival = {
  readonly session: Session;
  /** Asked when the first slice is there. */
  readonly addressees: () => Promise<readonly Addressee[]>;
  /** All of SLICE_BYTES, but for the last, which is shorter. */
  readonly slices: AsyncIterable<Uint8Array>;
};

/** Stores the message for each addressee; durable when it answers. @throws SmtpReply for a message that is not taken */
export async function storeArrival(store: Store, { session, addressees, slices }: Arrival): Promise<void> {
  let seqs: readonly number[] = [];
  let number = 0;
  try {
    for await (const slice of slices) {
      if (number === 0) lookAtHeader(slice);
      const isLast = slice.length < SLICE_BYTES;
      if (number > 0) await store.write((tx) => (isLast ? finish : goOn)(tx, seqs, number, slice));
      else {
        const to = await addressees();
        if (isLast) await store.write((tx) => keep(tx, session, to, slice));
        else seqs = await store.write((tx) => begin(tx, session, to, slice));
      }
      number++;
    }
  } catch (error) {
    if (seqs.length > 0) await store.write((tx) => giveUp(tx, seqs)).catch(() => undefined);
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
