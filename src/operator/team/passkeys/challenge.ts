// Challenges: signed, so that none has to be stored before it is answered; kept by hash once it is, so that it is
// answered once.
import { randomBytes } from "node:crypto";
import { iso, MINUTE_MS } from "../../../base/clock.ts";
import { sha256Hex } from "../../../base/ids.ts";
import type { Secrets } from "../../../base/secrets.ts";
import type { Tx } from "../../../store/store.ts";
import { insertSpent } from "./queries.ts";

const VALID_MS = 5 * MINUTE_MS;
const TIME_BYTES = 6;
const RANDOM_BYTES = 16;
const SIGNATURE_BYTES = 16;
const SIGNED_BYTES = TIME_BYTES + RANDOM_BYTES;

/** The purpose and the person of a challenge: an answer for one is not valid for another. */
export type ChallengeSubject = "sign in" | `register ${string}`;

export function newChallenge(secrets: Secrets, subject: ChallengeSubject, nowMs: number): Uint8Array<ArrayBuffer> {
  const signed = Buffer.concat([Buffer.alloc(TIME_BYTES), randomBytes(RANDOM_BYTES)]);
  signed.writeUIntBE(nowMs + VALID_MS, 0, TIME_BYTES);
  return new Uint8Array(Buffer.concat([signed, secrets.sign(purposeOf(subject), signed, SIGNATURE_BYTES)]));
}

/** `challenge`: as browsers answer it, in base64url. */
export function isValid(secrets: Secrets, subject: ChallengeSubject, challenge: string, nowMs: number): boolean {
  const bytes = Buffer.from(challenge, "base64url");
  if (bytes.length !== SIGNED_BYTES + SIGNATURE_BYTES || bytes.readUIntBE(0, TIME_BYTES) <= nowMs) return false;
  return secrets.verify(purposeOf(subject), bytes.subarray(0, SIGNED_BYTES), bytes.subarray(SIGNED_BYTES));
}

/** False if it was answered before. */
export async function spend(tx: Tx, challenge: string): Promise<boolean> {
  return (await insertSpent(tx, sha256Hex(challenge), iso(tx.nowMs + VALID_MS))) > 0;
}

function purposeOf(subject: ChallengeSubject): string {
  return `passkey: ${subject}`;
}
