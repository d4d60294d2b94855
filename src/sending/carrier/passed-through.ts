// A complete message: it leaves unchanged, with our signature in front, unless its opens and clicks are tracked. Text
// beyond ASCII is encoded (message/seven-bit.ts) where the next hop cannot carry it, or the mail fails with that
// reason.
import { isAscii } from "node:buffer";
import { asciiField } from "../../content/mime/ascii-field.ts";
import { fieldsIn, hasLongLine, takenApart } from "../../content/mime/message-bytes.ts";
import { sign } from "./message/dkim.ts";
import { inSevenBits } from "./message/seven-bit.ts";
import { trackedMessage } from "./tracking/message.ts";
import type { FinishedMessage } from "./transport/transport.ts";
import type { Handover } from "./handover.ts";
import { messageAlong } from "./sent-along.ts";

type RawHandover = Pick<Handover, "id" | "dkim" | "dateMs" | "tracking" | "links" | "sentAlong"> & {
  readonly raw: Uint8Array;
};
export type WireForm = Pick<FinishedMessage, "raw" | "sevenBit">;

/**
 * The message as it goes over the wire, and a way to get it in ASCII for a next hop that takes nothing else. Over-long
 * lines are always encoded. `utf8`: its header may have addresses beyond ASCII.
 * @throws Error if it cannot be encoded
 */
export async function passedThrough({ raw, ...mail }: RawHandover, utf8: boolean): Promise<WireForm> {
  const { dkim, dateMs, tracking, links } = mail;
  const bytes = messageAlong(Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength), mail.id, mail.sentAlong);
  const given = utf8 ? bytes : withAsciiHeader(bytes);
  const wanted = tracking === null ? given : trackedMessage(given, tracking, Object.values(links));
  const message = hasLongLine(wanted) ? inSevenBits(wanted) : wanted;
  const signed = async (unsigned: Buffer) => (dkim === null ? unsigned : sign(unsigned, dkim, dateMs));
  const wire = { raw: await signed(message) };
  return isAscii(message) ? wire : { ...wire, sevenBit: () => signed(inSevenBits(message)) };
}

function withAsciiHeader(raw: Buffer): Buffer {
  const { header, body } = takenApart(raw);
  if (isAscii(Buffer.from(header, "latin1"))) return raw;
  const fields = fieldsIn(header).map((field) => asciiField(`${field}\r\n`));
  return Buffer.concat([Buffer.from(`${fields.join("")}\r\n`, "latin1"), body]);
}
