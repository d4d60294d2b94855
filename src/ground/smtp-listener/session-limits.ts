// The limits of a client: the time to log in, to start a message and to send its bytes; commands in between; and
// connections.
import type { SMTPServerDataStream } from "smtp-server";
import { MINUTE_MS } from "../../base/clock.ts";
import { hostAt } from "../../base/ip-addresses.ts";

/**
 * The time to log in, and from one mail to the beginning of the next: with a check every few seconds, an idle client is
 * cut off within a minute.
 */
const TO_A_MAIL_MS = 55_000;
/** The least progress of a message, in so many bytes per time. */
const PACE_MS = 55_000;
const LEAST_BYTES = 55 * 1024;
/** The time for a whole message, at any pace. */
const TO_HAND_IN_MS = 25 * MINUTE_MS;
/** Enough for a mail to many recipients, including refused ones. */
const COMMANDS_A_MAIL = 250;

type TrafficMark = { readonly atMs: number; readonly bytes: number };

export class SessionLimits {
  #lastMailMs: number;
  #mustLogIn: boolean;
  #commands = 0;
  #pending = false;
  #message: SMTPServerDataStream | null = null;
  #messageSinceMs = 0;
  /** The progress of the message at the last checks. */
  #marks: TrafficMark[] = [];

  constructor(startedMs: number, mustLogIn: boolean) {
    this.#lastMailMs = startedMs;
    this.#mustLogIn = mustLogIn;
  }

  /** Whether the client waits for our answer, or is in the middle of a message. */
  get isBusy(): boolean {
    return this.#pending;
  }

  isOneCommandTooMany(): boolean {
    return ++this.#commands > COMMANDS_A_MAIL;
  }

  loggedIn(nowMs: number): void {
    this.#mustLogIn = false;
    this.#lastMailMs = nowMs;
  }

  begins(): void {
    this.#pending = true;
  }

  ends(): void {
    this.#pending = false;
  }

  receives(stream: SMTPServerDataStream, nowMs: number): void {
    this.#message = stream;
    this.#messageSinceMs = nowMs;
    this.#marks = [{ atMs: nowMs, bytes: 0 }];
  }

  /** The message is complete, accepted or not. */
  received(nowMs: number, isTaken: boolean): void {
    this.#message = null;
    this.#lastMailMs = nowMs;
    if (isTaken) this.#commands = 0;
  }

  /** Why the connection should be ended, or null. */
  isOverdue(nowMs: number): string | null {
    if (this.#message && !this.#message.writableEnded) return this.#isSlow(this.#message, nowMs);
    if (this.#pending) return null;
    if (nowMs - this.#lastMailMs < TO_A_MAIL_MS) return null;
    return this.#mustLogIn ? "You took too long to log in" : "No email for too long";
  }

  #isSlow({ byteLength: bytes, readableLength }: SMTPServerDataStream, nowMs: number): string | null {
    if (nowMs - this.#messageSinceMs > TO_HAND_IN_MS) return "The message takes too long";
    // Bytes that have arrived are unread: we are slow, not the client.
    if (readableLength > 0) this.#marks = [];
    this.#marks.push({ atMs: nowMs, bytes });
    while (this.#marks[1] && nowMs - this.#marks[1].atMs >= PACE_MS) this.#marks.shift();
    const [from] = this.#marks as [TrafficMark];
    const isSlow = nowMs - from.atMs >= PACE_MS && bytes - from.bytes < LEAST_BYTES;
    return isSlow ? "The message arrives too slowly" : null;
  }
}

/** One of a client's connections. */
export type ConnectionSlot = {
  /** May be called more than once. */
  readonly release: () => void;
};

/** Connections of each client: an IPv4 address, or the first 64 bits of an IPv6 address. */
export class ConnectionSlots {
  readonly #taken = new Map<string, number>();

  constructor(private readonly perClient: number) {}

  /** Null if the client has as many connections as it may, or has gone. */
  take(remoteAddress: string | undefined): ConnectionSlot | null {
    const host = hostAt(remoteAddress);
    if (host === null) return null;
    const here = this.#taken.get(host) ?? 0;
    if (here >= this.perClient) return null;
    this.#taken.set(host, here + 1);
    let isReleased = false;
    const release = () => {
      if (!isReleased) this.#free(host);
      isReleased = true;
    };
    return { release };
  }

  #free(host: string): void {
    const rest = (this.#taken.get(host) ?? 1) - 1;
    if (rest > 0) this.#taken.set(host, rest);
    else this.#taken.delete(host);
  }
}
