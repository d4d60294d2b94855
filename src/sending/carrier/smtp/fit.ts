// The messages that a relay can carry: text beyond ASCII needs extensions (RFC 6152, RFC 6531), and large messages its
// consent (RFC 1870).
import { isAscii } from "node:buffer";
import { needsUtf8 } from "../transport/envelope.ts";
import type { FinishedMessage, HopRefusal } from "../transport/transport.ts";
import type { RelayConnection } from "./opening.ts";

const NO_UTF8: HopRefusal = {
  kind: "failed",
  reply: "The relay does not offer SMTPUTF8, which an address with non-ASCII letters before the @ needs",
};

const NO_8BIT: HopRefusal = { kind: "failed", reply: "The relay does not offer 8BITMIME, which the message needs" };

/** The message in a form that the relay can carry, or why it has no such form. */
export async function fitFor(
  { extensions, mostBytes }: Pick<RelayConnection, "extensions" | "mostBytes">,
  { raw, sevenBit, envelope }: Pick<FinishedMessage, "raw" | "sevenBit" | "envelope">,
): Promise<Buffer | HopRefusal> {
  if (needsUtf8(envelope) && !extensions.has("SMTPUTF8")) return NO_UTF8;
  const fit = extensions.has("8BITMIME") || isAscii(raw) ? raw : await inSevenBits(sevenBit);
  const isTooLarge = !("kind" in fit) && mostBytes > 0 && fit.length > mostBytes;
  return isTooLarge ? { kind: "failed", reply: `Message size larger than allowed ${mostBytes}` } : fit;
}

async function inSevenBits(sevenBit: FinishedMessage["sevenBit"]): Promise<Buffer | HopRefusal> {
  if (!sevenBit) return NO_8BIT;
  return sevenBit().catch((error: Error) => ({ ...NO_8BIT, reply: `${NO_8BIT.reply}: ${error.message}` }));
}
