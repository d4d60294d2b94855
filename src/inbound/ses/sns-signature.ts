// Whether a message comes from Amazon SNS: its signature, versions 1 and 2, and the places that may be asked about it.
import { verify, X509Certificate, type KeyObject } from "node:crypto";
import type { SnsMessage } from "./sns-shape.ts";

const HOST = /^sns\.[a-z]{2}(-[a-z]+)+-\d{1,2}\.amazonaws\.com(\.cn)?$/;
const CERTIFICATE = /^\/SimpleNotificationService-[\w-]{1,100}\.pem$/;

const SIGNED = {
  Notification: ["Message", "MessageId", "Subject", "Timestamp", "TopicArn", "Type"],
  SubscriptionConfirmation: ["Message", "MessageId", "SubscribeURL", "Timestamp", "Token", "TopicArn", "Type"],
  UnsubscribeConfirmation: ["Message", "MessageId", "SubscribeURL", "Timestamp", "Token", "TopicArn", "Type"],
} as const;

/** What is signed: the names and values of the fields that a message of its type has, each on a line. */
export function signedText(message: SnsMessage): string {
  const present = SIGNED[message.Type].filter((name) => typeof message[name] === "string");
  return present.map((name) => `${name}\n${message[name]}\n`).join("");
}

export function isSignedBy(message: SnsMessage, key: KeyObject): boolean {
  const hash = message.SignatureVersion === "1" ? "sha1" : "sha256";
  return verify(hash, Buffer.from(signedText(message)), key, Buffer.from(message.Signature, "base64"));
}

/** Null for what is no RSA certificate, or one that is not valid at this moment. */
export function keyOfCertificate(pem: string, nowMs: number): KeyObject | null {
  try {
    const { publicKey, validFrom, validTo } = new X509Certificate(pem);
    const isCurrent = Date.parse(validFrom) <= nowMs && nowMs <= Date.parse(validTo);
    return isCurrent && publicKey.asymmetricKeyType === "rsa" ? publicKey : null;
  } catch {
    return null;
  }
}

export function isCertificateUrl(text: string): boolean {
  const url = snsUrl(text);
  return url !== null && CERTIFICATE.test(url.pathname) && url.search === "";
}

/** The address that confirms a subscription to this topic, and no other. */
export function isConfirmationUrl(text: string, topic: string): boolean {
  const query = snsUrl(text)?.searchParams;
  return query?.get("Action") === "ConfirmSubscription" && query.get("TopicArn") === topic;
}

/** `https://sns.<region>.amazonaws.com/…`, nothing hidden in it. */
function snsUrl(text: string): URL | null {
  const url = URL.parse(text);
  const isPlain = url?.protocol === "https:" && url.port === "" && url.username === "" && url.password === "";
  return url && isPlain && HOST.test(url.hostname) && url.hash === "" ? url : null;
}
