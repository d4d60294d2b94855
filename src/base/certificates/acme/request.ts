// A request for a certificate (RFC 2986): which names, for which key. The names are in the extension alone; authorities
// require no more.
import { createPublicKey, sign, type KeyObject } from "node:crypto";
import { bitString, bytes, sequence, tlv } from "../der.ts";
import { ALTERNATIVE_NAMES, ECDSA_WITH_SHA256 } from "../self-signed.ts";

const EXTENSION_REQUEST = bytes(0x06, "2a864886f70d01090e");

/** `names` are in ASCII; the key is on P-256. Answers DER. */
export function certificateRequest(names: readonly string[], key: KeyObject): Buffer {
  const alternatives = sequence(...names.map((name) => tlv(0x82, Buffer.from(name))));
  const extensions = sequence(sequence(ALTERNATIVE_NAMES, tlv(0x04, alternatives)));
  const toBeSigned = sequence(
    tlv(0x02, Buffer.of(0)),
    sequence(),
    createPublicKey(key).export({ type: "spki", format: "der" }),
    tlv(0xa0, sequence(EXTENSION_REQUEST, tlv(0x31, extensions))),
  );
  return sequence(toBeSigned, ECDSA_WITH_SHA256, bitString(sign("sha256", toBeSigned, key)));
}
