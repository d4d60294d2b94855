// How long a client may take: for the whole way to a mail, and for each byte of one.
import type { SMTPServerDataStream } from "smtp-server";

const TO_LOG_IN_MS = 60_000;
const BETWEEN_STEPS_MS = 300_000;
/** A message may take a minute, and one second more for each of these. */
const BYTES_A_SECOND = 1_024;

export class Visit {
  #lastStepMs: number;
  #mustLogIn: boolean;
  #message: SMTPServerDataStream | null = null;
  #pending = false;

  constructor(startedMs: number, mustLogIn: boolean) {
    this.#lastStepMs = startedMs;
    this.#mustLogIn = mustLogIn;
  }

  /** Whether somebody waits for our answer, or is in the middle of a message. */
  get isBusy(): boolean {
    return this.#pending;
  }

  loggedIn(nowMs: number): void {
    this.#mustLogIn = false;
    this.#lastStepMs = nowMs;
  }

  begins(): void {
    this.#pending = true;
  }

  receives(stream: SMTPServerDataStream): void {
    this.#message = stream;
  }

  ends(nowMs: number): void {
    this.#pending = false;
    this.#message = null;
    this.#lastStepMs = nowMs;
  }

  /** Why the connection should be ended, or null. */
  isOverdue(nowMs: number): string | null {
    const tookMs = nowMs - this.#lastStepMs;
    if (this.#message && !this.#message.writableEnded) {
      const allowedMs = TO_LOG_IN_MS + (this.#message.byteLength * 1000) / BYTES_A_SECOND;
      return tookMs > allowedMs ? "The message comes too slowly" : null;
    }
    if (this.#pending) return null;
    if (this.#mustLogIn && tookMs > TO_LOG_IN_MS) return "You took too long to log in";
    return tookMs > BETWEEN_STEPS_MS ? "Nothing has come for too long" : null;
  }
}
