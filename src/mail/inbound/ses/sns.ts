// The proof that a message is from Amazon SNS: its signature, versions 1 and 2, and the certificate for it.
import { verify, X509Certificate, type KeyObject } from "node:crypto";
import { BoundedMap } from "../../../base/brakes/bounded-map.ts";
import { DAY_MS, type Clock } from "../../../base/clock.ts";
import { AppError } from "../../../base/errors.ts";
import type { FetchText } from "../../../http/fetch-text.ts";
import type { SnsMessage } from "./shape.ts";

const HOST = /^sns\.[a-z]{2}(-[a-z]+)+-\d{1,2}\.amazonaws\.com(\.cn)?$/;
const CERTIFICATE = /^\/SimpleNotificationService-[\w-]{1,100}\.pem$/;

const SIGNED = {
  Notification: ["Message", "MessageId", "Subject", "Timestamp", "TopicArn", "Type"],
  SubscriptionConfirmation: ["Message", "MessageId", "SubscribeURL", "Timestamp", "Token", "TopicArn", "Type"],
  UnsubscribeConfirmation: ["Message", "MessageId", "SubscribeURL", "Timestamp", "Token", "TopicArn", "Type"],
} as const;

/** The signed text: the names and values of the fields of a message's type, each on a line. */
export function signedText(message: SnsMessage): string {
  const present = SIGNED[message.Type].filter((name) => typeof message[name] === "string");
  return present.map((name) => `${name}\n${message[name]}\n`).join("");
}

export function isSignedBy(message: SnsMessage, key: KeyObject): boolean {
  const hash = message.SignatureVersion === "1" ? "sha1" : "sha256";
  return verify(hash, Buffer.from(signedText(message)), key, Buffer.from(message.Signature, "base64"));
}

/** Null if it is not an RSA certificate, or not valid at this moment. */
function keyOfCertificate(pem: string, nowMs: number): KeyObject | null {
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

/** `https://sns.<region>.amazonaws.com/…`, without any hidden part. */
function snsUrl(text: string): URL | null {
  const url = URL.parse(text);
  const isPlain = url?.protocol === "https:" && url.port === "" && url.username === "" && url.password === "";
  return url && isPlain && HOST.test(url.hostname) && url.hash === "" ? url : null;
}

const KEPT_MS = DAY_MS;
/** There is one a region, and a new one every year or so. */
const MAX_CERTIFICATES = 20;
/** Strangers can make us fetch certificates. */
const MAX_FETCHES_AT_ONCE = 4;

type SnsCertificateEntry = { readonly pem: Promise<string>; readonly untilMs: number };

export class SnsCertificates {
  readonly #fetchText: FetchText;
  readonly #clock: Clock;
  readonly #kept = new BoundedMap<string, SnsCertificateEntry>(MAX_CERTIFICATES);
  #underWay = 0;

  constructor(fetchText: FetchText, clock: Clock) {
    this.#fetchText = fetchText;
    this.#clock = clock;
  }

  /**
   * The public key of the certificate at `url`, which was checked before. An answer without a valid certificate (a
   * proxy's page, a truncated answer) is fetched again the next time.
   * @throws AppError NOTICE_EARLY if it cannot be fetched now
   */
  async keyAt(url: string): Promise<KeyObject> {
    const kept = this.#at(url);
    try {
      const key = keyOfCertificate(await kept.pem, this.#clock.nowMs());
      if (key) return key;
      throw new Error("It is not a certificate that is valid now.");
    } catch (error) {
      if (this.#kept.get(url) === kept) this.#kept.delete(url);
      throw notNow(error);
    }
  }

  #at(url: string): SnsCertificateEntry {
    const kept = this.#kept.get(url);
    if (kept && this.#clock.monotonicMs() < kept.untilMs) return kept;
    if (this.#underWay >= MAX_FETCHES_AT_ONCE) throw notNow();
    const fetched = { pem: this.#fetch(url), untilMs: this.#clock.monotonicMs() + KEPT_MS };
    this.#kept.set(url, fetched);
    return fetched;
  }

  async #fetch(url: string): Promise<string> {
    this.#underWay++;
    try {
      return await this.#fetchText(url);
    } finally {
      this.#underWay--;
    }
  }
}

function notNow(cause?: unknown): AppError {
  const error = new AppError("NOTICE_EARLY", "The certificate of Amazon SNS is not available at the moment.");
  error.cause = cause;
  return error;
}
