// The signature of webhooks (docs/webhooks.md).
import { createHmac } from "node:crypto";

/** The prefix of the header names. Svix, the origin of the standard, has its own. */
export type SignatureName = "webhook" | "svix";

export type SignatureInput = {
  readonly id: string;
  readonly as: SignatureName;
  /** `whsec_…`: a signature by each. */
  readonly secrets: readonly string[];
};

/** The headers of Standard Webhooks (its §"Signature scheme"). */
export function signatureOf({ id, as, secrets }: SignatureInput, body: string, nowMs: number): Record<string, string> {
  const timestamp = String(Math.floor(nowMs / 1000));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
    return `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64")}`;
  });
  return { [`${as}-id`]: id, [`${as}-timestamp`]: timestamp, [`${as}-signature`]: signatures.join(" ") };
}
