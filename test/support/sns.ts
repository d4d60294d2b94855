// Messages of Amazon SNS, signed with a key of ours, and the place where its certificates lie.
import { sign } from "node:crypto";
import { readFileSync } from "node:fs";
import type { FetchText } from "../../src/http/fetch-text.ts";
import type { SnsMessage } from "../../src/mail/inbound/ses/shape.ts";
import { signedText } from "../../src/mail/inbound/ses/sns.ts";
import type { Posthorn, Reply } from "./posthorn.ts";
import { ask } from "./scenario.ts";

export const TOPIC = "arn:aws:sns:eu-west-1:123456789012:ses-notices";
const HOST = "https://sns.eu-west-1.amazonaws.com";
const pem = (name: string) => readFileSync(new URL(`certificates/${name}.pem`, import.meta.url), "utf8");

export const CERTIFICATES = {
  good: `${HOST}/SimpleNotificationService-0123456789abcdef0123456789abcdef.pem`,
  expired: `${HOST}/SimpleNotificationService-expired.pem`,
  other: `${HOST}/SimpleNotificationService-other.pem`,
  none: `${HOST}/SimpleNotificationService-none.pem`,
  away: `${HOST}/SimpleNotificationService-away.pem`,
} as const;

const LIES_AT: Readonly<Record<string, string>> = {
  [CERTIFICATES.good]: pem("sns.cert"),
  [CERTIFICATES.expired]: pem("sns-expired.cert"),
  [CERTIFICATES.other]: pem("sns-other.cert"),
  [CERTIFICATES.none]: "<html>Not a certificate</html>",
};

/** Amazon, as far as we ask it: certificates, and confirmations of subscriptions. */
export class Amazon {
  readonly asked: string[] = [];
  isAway = false;
  /** Between us and it stands somebody who answers everything with a page of their own. */
  isCaptive = false;

  readonly fetchText: FetchText = async (url) => {
    this.asked.push(url);
    if (this.isCaptive) return LIES_AT[CERTIFICATES.none] as string;
    const text = url.includes("ConfirmSubscription") ? "<ConfirmSubscriptionResponse/>" : LIES_AT[url];
    if (text === undefined || this.isAway) throw new Error("Nothing is there.");
    return text;
  };
}

type Fields = Partial<SnsMessage>;
let count = 0;

/** A signed notification with these fields; one of a kind. */
export function signed(fields: Fields = {}, key = "sns"): SnsMessage {
  const message: SnsMessage = {
    Type: "Notification",
    MessageId: `22b80b92-fdea-4c2c-8f9d-${String(++count).padStart(12, "0")}`,
    TopicArn: TOPIC,
    Timestamp: "2026-03-01T09:00:00.000Z",
    Message: "{}",
    SignatureVersion: "2",
    Signature: "",
    SigningCertURL: CERTIFICATES.good,
    ...fields,
  };
  const hash = message.SignatureVersion === "1" ? "sha1" : "sha256";
  return { ...message, Signature: sign(hash, Buffer.from(signedText(message)), pem(`${key}.key`)).toString("base64") };
}

/** Confirmation of a subscription to a topic. */
export function confirmation(fields: Fields = {}): SnsMessage {
  const topic = fields.TopicArn ?? TOPIC;
  return signed({
    Type: "SubscriptionConfirmation",
    Message: `You have chosen to subscribe to the topic ${topic}.`,
    Token: "2336412f37",
    SubscribeURL: `${HOST}/?Action=ConfirmSubscription&TopicArn=${topic}&Token=2336412f37`,
    ...fields,
  });
}

/** Posts it as SNS does. */
export function post(posthorn: Posthorn, message: unknown): Promise<Reply> {
  const body = typeof message === "string" ? message : JSON.stringify(message);
  return ask(posthorn, "POST /webhooks/ses", {
    key: "none",
    body,
    headers: { "content-type": "text/plain; charset=UTF-8" },
  });
}

type Mail = { readonly messageId: string; readonly tags?: object; readonly commonHeaders?: object };

/** What SES tells: of event publishing, or as a feedback notification. */
export function sesMessage(type: string, mail: Mail, details: object = {}, name = "eventType"): string {
  const section = type.charAt(0).toLowerCase() + type.slice(1);
  return JSON.stringify({
    [name]: type,
    [section]: { timestamp: "2026-03-01T09:00:00.000Z", ...details },
    mail: {
      timestamp: "2026-03-01T09:00:00.000Z",
      source: "hello@example.test",
      sendingAccountId: "123456789012",
      destination: ["ada@example.com"],
      ...mail,
    },
  });
}
