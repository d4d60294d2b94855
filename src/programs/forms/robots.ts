// The stateless tests for robots: a token with the time at which the form was opened, and a proof that a program of the
// page has worked for this address.
import { randomBytes } from "node:crypto";
import { HOUR_MS } from "../../base/clock.ts";
import type { Secrets } from "../../base/secrets.ts";

const PURPOSE = "form-token";
const NAMED_BYTES = 10;
const SIGNATURE_BYTES = 12;
/** No person is quicker than that. */
export const LEAST_MS = 2_000;
const VALID_MS = 12 * HOUR_MS;
/** Bits of a hash that are zero: a million tries for each address, a second or two of a browser's time. */
export const PROOF_BITS = 20;

/** For a form that is opened now. */
export function newToken(secrets: Secrets, form: string, nowMs: number): string {
  const named = Buffer.alloc(NAMED_BYTES);
  named.writeUIntBE(nowMs, 0, 6);
  randomBytes(4).copy(named, 6);
  return Buffer.concat([named, secrets.sign(PURPOSE, about(form, named), SIGNATURE_BYTES)]).toString("base64url");
}

type RobotSigns = {
  readonly form: string;
  readonly token: unknown;
  /** As it was entered. */
  readonly email: unknown;
  readonly proof: unknown;
  readonly trap: unknown;
};

type RobotTest = { readonly secrets: Secrets; readonly proofBits: number; readonly nowMs: number };

/** `robot`: impossible by hand. `proven`: a program of the page has worked for it. */
export type RobotVerdict = "robot" | "unknown" | "proven";

export function verdictOn(sent: RobotSigns, { secrets, proofBits, nowMs }: RobotTest): RobotVerdict {
  if (typeof sent.trap === "string" && sent.trap !== "") return "robot";
  const openedMs = typeof sent.token === "string" ? openedAt(secrets, sent.form, sent.token) : null;
  if (openedMs === null || nowMs - openedMs > VALID_MS) return "unknown";
  if (nowMs - openedMs < LEAST_MS) return "robot";
  return isProven(sent, proofBits) ? "proven" : "unknown";
}

/** Null = we have not signed it for this form. */
function openedAt(secrets: Secrets, form: string, token: string): number | null {
  const bytes = Buffer.from(token, "base64url");
  if (bytes.length !== NAMED_BYTES + SIGNATURE_BYTES) return null;
  const named = bytes.subarray(0, NAMED_BYTES);
  return secrets.verify(PURPOSE, about(form, named), bytes.subarray(NAMED_BYTES)) ? named.readUIntBE(0, 6) : null;
}

/** Checks the proof that forms/form-script.txt finds. */
function isProven({ token, email, proof }: RobotSigns, bits: number): boolean {
  if (typeof email !== "string" || typeof proof !== "string" || proof.length > 20) return false;
  const hash = new Bun.CryptoHasher("sha256")
    .update(`${String(token)}:${email.trim().toLowerCase()}:${proof}`)
    .digest();
  return hash.readUInt32BE(0) >>> (32 - bits) === 0;
}

function about(form: string, named: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from(form), named]);
}
