// A message that was handed in whole: it leaves as it is, with our signature in front.
import { isAscii } from "node:buffer";
import { hasLongLine } from "../emails/message-bytes.ts";
import { sign, type DkimKey } from "./dkim.ts";
import { inSevenBits } from "./seven-bit.ts";
import type { FinishedMessage } from "./transport.ts";

export type Whole = { readonly raw: Uint8Array; readonly dkim: DkimKey | null; readonly dateMs: number };
export type Wire = Pick<FinishedMessage, "raw" | "sevenBit">;

/**
 * The message as it goes over the wire, and how to get one in ASCII for a next hop that takes nothing else. Lines that no
 * server would take are encoded at once. @throws Error if that cannot be done
 */
export async function passedThrough({ raw, dkim, dateMs }: Whole): Promise<Wire> {
  const given = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength);
  const message = hasLongLine(given) ? inSevenBits(given) : given;
  const signed = async (bytes: Buffer) => (dkim === null ? bytes : sign(bytes, dkim, dateMs));
  const wire = { raw: await signed(message) };
  return isAscii(message) ? wire : { ...wire, sevenBit: () => signed(inSevenBits(message)) };
}
