// DKIM signatures (RFC 6376): rsa-sha256, relaxed/relaxed, over whole messages.
import { createHash } from "node:crypto";
import { fieldsIn, takenApart } from "../../../content/mime/message-bytes.ts";
import { release } from "../../../base/jobs/large-memory.ts";
import { privateKeyOf, signBeside, type SignBytes } from "../signing/rsa.ts";
import { fieldName, relaxedBody, relaxedField } from "./dkim-canonical.ts";

export type DkimKey = {
  readonly domain: string;
  readonly selector: string;
  readonly privateKeyPem: string;
  /** Fields that the next hop rewrites, in lower case: signing them would break the signature. */
  readonly leaveOut?: readonly string[];
};

// RFC 6376 §5.4.1, RFC 8058 §4 (List-Unsubscribe-Post), RFC 9477 §3.1 (CFBL-Address), and the fields that describe the
// body.
const SIGNED_FIELDS = new Set(
  `from sender reply-to subject date message-id to cc in-reply-to references mime-version content-type
  content-transfer-encoding content-id content-description resent-date resent-from resent-sender resent-to
  resent-cc resent-message-id list-id list-help list-unsubscribe list-unsubscribe-post list-subscribe list-post
  list-owner list-archive feedback-id cfbl-address cfbl-feedback-id`.split(/\s+/),
);

/** Named once more than they occur, so that adding one in transit breaks the signature (RFC 6376 §5.4.2, §8.15). */
const OVERSIGNED_FIELDS = ["from", "subject", "to", "date", "reply-to", "message-id", "content-type"];

let signBytes: SignBytes = signBeside;

/** Sets the signer for this thread. */
export function signWith(sign: SignBytes): void {
  signBytes = sign;
}

/**
 * The message with a DKIM-Signature in front (RFC 6376 §5). `raw` has CRLF line ends. The private-key operation runs
 * beside the event loop, so several signatures in parallel use several cores.
 * @throws if the message has no From or the key cannot be read
 */
export async function sign(raw: Buffer, key: DkimKey, signedAtMs: number): Promise<Buffer> {
  // An unreadable key is refused before anything is hashed.
  privateKeyOf(key.privateKeyPem);
  const { header, body } = takenApart(raw);
  const isSigned = (name: string) => SIGNED_FIELDS.has(name) && !key.leaveOut?.includes(name);
  const signed = fieldsIn(header)
    .map((field) => ({ name: fieldName(field), field }))
    .filter(({ name }) => isSigned(name))
    .reverse();
  const names = signed.map(({ name }) => name);
  if (!names.includes("from")) throw new Error("a message without From cannot be signed");
  const relaxed = relaxedBody(body);
  const bodyHash = createHash("sha256").update(relaxed).digest("base64");
  if (relaxed !== body) release(relaxed);
  const unsigned = signatureField(key, [...names, ...OVERSIGNED_FIELDS.filter(isSigned)], bodyHash, signedAtMs);
  const relaxedFields = signed.map(({ name, field }) => relaxedField(field, name));
  const input = [...relaxedFields, relaxedField(unsigned)].join("\r\n");
  const signature = await signBytes(Buffer.from(input, "latin1"), key.privateKeyPem);
  const folded = Buffer.from(signature)
    .toString("base64")
    .replace(/.{70}(?=.)/g, "$&\r\n ");
  return Buffer.concat([Buffer.from(`${unsigned}${folded}\r\n`, "latin1"), raw]);
}

function signatureField(key: DkimKey, names: readonly string[], bodyHash: string, signedAtMs: number): string {
  const seconds = Math.floor(signedAtMs / 1000);
  return [
    `DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=${key.domain};`,
    `s=${key.selector}; t=${seconds};`,
    `bh=${bodyHash};`,
    `h=${names.join(":").replace(/.{48,}?:/g, "$&\r\n ")};`,
    "b=",
  ].join("\r\n ");
}
