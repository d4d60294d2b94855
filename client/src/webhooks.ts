// Checks that a webhook comes from your Posthorn: Standard Webhooks signatures.
import type { components } from "./api.gen.ts";
import { WebhookSignatureError } from "./errors.ts";

export type WebhookEvent = components["schemas"]["WebhookEvent"];

type HeadersLike = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

export type Received = {
  /** As it came, before any parsing. */
  readonly body: string;
  readonly headers: HeadersLike;
  /** `whsec_…` of the webhook. */
  readonly secret: string;
  /** How old it may be; default: 300. */
  readonly toleranceSeconds?: number;
  /** Default: the clock of the machine. */
  readonly nowMs?: number;
};

/** Answers the event. @throws WebhookSignatureError */
export async function verifyWebhook<Event = WebhookEvent>(received: Received): Promise<Event> {
  const { body, secret, toleranceSeconds = 300, nowMs = Date.now() } = received;
  const [id, timestamp, signatures] = ["id", "timestamp", "signature"].map((name) =>
    header(received.headers, `webhook-${name}`),
  ) as [string, string, string];
  const ageSeconds = Math.abs(nowMs / 1000 - Number(timestamp));
  if (!(ageSeconds <= toleranceSeconds)) throw new WebhookSignatureError("The webhook is too old, or from the future.");
  const bytes = decoded(secret.replace(/^whsec_/, ""));
  if (bytes.length === 0) throw new WebhookSignatureError("The secret is none of a webhook: whsec_…");
  const key = await crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["verify"]);
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${body}`);
  for (const signature of signatures.split(" ")) {
    const [version, text = ""] = signature.split(",");
    if (version === "v1" && (await crypto.subtle.verify("HMAC", key, decoded(text), signed))) return JSON.parse(body);
  }
  throw new WebhookSignatureError("The webhook is not signed with this secret.");
}

function header(headers: HeadersLike, name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : headers[name];
  if (typeof value !== "string" || value === "") throw new WebhookSignatureError(`The header ${name} is missing.`);
  return value;
}

function decoded(base64: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
  } catch {
    return new Uint8Array(0);
  }
}
