// Providers of relays as their documentation shows them: what they post, and how they sign it.
import { createHmac, generateKeyPairSync, sign } from "node:crypto";
import { secretsOf } from "../../src/base/secrets.ts";
import { providerUrl } from "../../src/mail/providers/place.ts";
import type { ProviderName } from "../../src/mail/providers/table.ts";
import { keyFile } from "../../src/base/secrets.ts";
import { readFileSync } from "node:fs";
import type { Posthorn } from "./posthorn.ts";

const pair = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
const MAILGUN_KEY = "key-0123456789abcdef";
const SVIX_KEY = Buffer.from("a secret of Resend, for tests").toString("base64");

/** `relay.provider_key` of each. */
export const KEYS: Readonly<Record<ProviderName, string | null>> = {
  mailgun: MAILGUN_KEY,
  sendgrid: pair.publicKey.export({ type: "spki", format: "der" }).toString("base64"),
  resend: `whsec_${SVIX_KEY}`,
  postmark: "posthorn:s3cret:word",
  brevo: null,
  mailjet: "mailjet:secret",
  sparkpost: "spark:secret",
  generic: null,
};

export type Request = { readonly body: string; readonly headers: Record<string, string> };
let count = 0;

const seconds = (posthorn: Posthorn) => Math.floor(posthorn.clock.nowMs() / 1000);

function basic(key: string | null): Record<string, string> {
  return key === null ? {} : { authorization: `Basic ${Buffer.from(key).toString("base64")}` };
}

/** What the provider posts about events, proved as it does; `key`: another one than ours. */
export function posted(posthorn: Posthorn, name: ProviderName, event: object, key = KEYS[name]): Request {
  const at = String(seconds(posthorn));
  if (name === "mailgun") {
    const token = `${String(++count).padStart(50, "0")}`;
    const signature = createHmac("sha256", key as string)
      .update(at + token)
      .digest("hex");
    return {
      body: JSON.stringify({ signature: { timestamp: at, token, signature }, "event-data": event }),
      headers: {},
    };
  }
  const body = JSON.stringify(event);
  if (name === "sendgrid") {
    const signature = sign("sha256", Buffer.from(at + body), pair.privateKey).toString("base64");
    const headers = {
      "x-twilio-email-event-webhook-signature": signature,
      "x-twilio-email-event-webhook-timestamp": at,
    };
    return { body: key === KEYS.sendgrid ? body : `${body} `, headers };
  }
  if (name !== "resend") return { body, headers: basic(key) };
  const id = `msg_${++count}`;
  const secret = Buffer.from((key as string).replace("whsec_", ""), "base64");
  const signature = createHmac("sha256", secret).update(`${id}.${at}.${body}`).digest("base64");
  return { body, headers: { "svix-id": id, "svix-timestamp": at, "svix-signature": `v1,b2xk v1,${signature}` } };
}

/** The path at which the server takes the reports of a provider. */
export function pathOf(posthorn: Posthorn, name: ProviderName): string {
  const key = Buffer.from(readFileSync(keyFile(posthorn.dataDir), "utf8").trim(), "hex");
  return providerUrl(secretsOf(key), "", name);
}

/** Posts it; answers status and body. */
export async function post(posthorn: Posthorn, name: ProviderName, { body, headers }: Request) {
  return posthorn.call(`POST ${pathOf(posthorn, name)}`, body, { authorization: "", ...headers });
}
