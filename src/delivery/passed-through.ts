// A message that was handed in whole: it leaves as it is, unless its opens and clicks are looked for, with our signature in front.
import { isAscii } from "node:buffer";
import { asciiField } from "../emails/mime/ascii-field.ts";
import { fieldsIn, hasLongLine, takenApart } from "../emails/mime/message-bytes.ts";
import { sign } from "./dkim.ts";
import type { Handover } from "./handover.ts";
import { inSevenBits } from "./seven-bit.ts";
import { trackedMessage } from "./tracking/message.ts";
import type { FinishedMessage } from "./transport.ts";

type Whole = Pick<Handover, "dkim" | "dateMs" | "tracking" | "links"> & { readonly raw: Uint8Array };
export type Wire = Pick<FinishedMessage, "raw" | "sevenBit">;

/**
 * The message as it goes over the wire, and how to get one in ASCII for a next hop that takes nothing else. Lines that no
 * server would take are encoded at once. `utf8`: its header may name addresses beyond ASCII. @throws Error if that cannot be done
 */
export async function passedThrough({ raw, dkim, dateMs, tracking, links }: Whole, utf8: boolean): Promise<Wire> {
  const whole = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength);
  const given = utf8 ? whole : withAsciiHeader(whole);
  const wanted = tracking === null ? given : trackedMessage(given, tracking, Object.values(links));
  const message = hasLongLine(wanted) ? inSevenBits(wanted) : wanted;
  const signed = async (bytes: Buffer) => (dkim === null ? bytes : sign(bytes, dkim, dateMs));
  const wire = { raw: await signed(message) };
  return isAscii(message) ? wire : { ...wire, sevenBit: () => signed(inSevenBits(message)) };
}

function withAsciiHeader(raw: Buffer): Buffer {
  const { header, body } = takenApart(raw);
  if (isAscii(Buffer.from(header, "latin1"))) return raw;
  const fields = fieldsIn(header).map((field) => asciiField(`${field}\r\n`));
  return Buffer.concat([Buffer.from(`${fields.join("")}\r\n`, "latin1"), body]);
}
