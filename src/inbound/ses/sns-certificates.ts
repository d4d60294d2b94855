// The certificates of Amazon SNS, fetched where messages say that they are, and kept for a day.
import type { KeyObject } from "node:crypto";
import { BoundedMap } from "../../bounded-map.ts";
import { DAY_MS, type Clock } from "../../clock.ts";
import { AppError } from "../../errors.ts";
import type { FetchText } from "../fetch-text.ts";
import { keyOfCertificate } from "./sns-signature.ts";

const KEPT_MS = DAY_MS;
/** There is one a region, and a new one every year or so. */
const MAX_CERTIFICATES = 20;
/** Strangers can make us fetch certificates. */
const MAX_FETCHES_AT_ONCE = 4;

type Kept = { readonly pem: Promise<string>; readonly untilMs: number };

export class SnsCertificates {
  readonly #fetchText: FetchText;
  readonly #clock: Clock;
  readonly #kept = new BoundedMap<string, Kept>(MAX_CERTIFICATES);
  #underWay = 0;

  constructor(fetchText: FetchText, clock: Clock) {
    this.#fetchText = fetchText;
    this.#clock = clock;
  }

  /**
   * The public key of the certificate at `url`, which was found good before. What is there and is no certificate that is valid
   * now (a proxy's page, an answer cut short) is asked for again the next time.
   * @throws AppError NOTICE_EARLY if there is none now
   */
  async keyAt(url: string): Promise<KeyObject> {
    const kept = this.#at(url);
    try {
      const key = keyOfCertificate(await kept.pem, this.#clock.nowMs());
      if (key) return key;
      throw new Error("What is there is no certificate that is valid now.");
    } catch (error) {
      if (this.#kept.get(url) === kept) this.#kept.delete(url);
      throw notNow(error);
    }
  }

  #at(url: string): Kept {
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
  const error = new AppError("NOTICE_EARLY", "The certificate of Amazon SNS cannot be had at the moment.");
  error.cause = cause;
  return error;
}
