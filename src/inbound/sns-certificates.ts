// The certificates of Amazon SNS, fetched where messages say that they are, and kept for a day.
import type { KeyObject } from "node:crypto";
import type { Clock } from "../clock.ts";
import { AppError } from "../errors.ts";
import type { FetchText } from "./fetch-text.ts";
import { keyOfCertificate } from "./sns-signature.ts";

const KEPT_MS = 24 * 60 * 60 * 1000;
/** There is one a region, and a new one every year or so. */
const MOST_KEPT = 20;
/** Anybody can make us fetch: not more of them at once. */
const MOST_AT_ONCE = 4;

type Kept = { readonly pem: Promise<string>; readonly untilMs: number };

export class SnsCertificates {
  readonly #fetchText: FetchText;
  readonly #clock: Clock;
  readonly #kept = new Map<string, Kept>();
  #underWay = 0;

  constructor(fetchText: FetchText, clock: Clock) {
    this.#fetchText = fetchText;
    this.#clock = clock;
  }

  /**
   * The public key of the certificate at `url`, which was found good before; null if that is none, or not valid now.
   * @throws AppError NOTICE_EARLY if it cannot be fetched
   */
  async keyAt(url: string): Promise<KeyObject | null> {
    return keyOfCertificate(await this.#pemAt(url), this.#clock.nowMs());
  }

  #pemAt(url: string): Promise<string> {
    const kept = this.#kept.get(url);
    if (kept && this.#clock.monotonicMs() < kept.untilMs) return kept.pem;
    if (this.#underWay >= MOST_AT_ONCE) throw cannotBeFetched();
    const pem = this.#fetch(url);
    this.#keep(url, pem);
    return pem;
  }

  #keep(url: string, pem: Promise<string>): void {
    const oldest = this.#kept.keys().next().value;
    if (this.#kept.size >= MOST_KEPT && oldest !== undefined) this.#kept.delete(oldest);
    this.#kept.set(url, { pem, untilMs: this.#clock.monotonicMs() + KEPT_MS });
  }

  /** What could not be fetched is asked for again the next time. */
  async #fetch(url: string): Promise<string> {
    this.#underWay++;
    try {
      return await this.#fetchText(url);
    } catch (error) {
      this.#kept.delete(url);
      throw cannotBeFetched(error);
    } finally {
      this.#underWay--;
    }
  }
}

function cannotBeFetched(cause?: unknown): AppError {
  const error = new AppError("NOTICE_EARLY", "The certificate of Amazon SNS cannot be fetched at the moment.");
  error.cause = cause;
  return error;
}
