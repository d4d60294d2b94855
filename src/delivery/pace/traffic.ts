// What a mailbox provider took of late, and what it put off: for each workspace and way out, in memory.
import { BoundedMap } from "../../brakes/bounded-map.ts";
import { MINUTE_MS } from "../../clock.ts";
import type { Sign } from "./signs.ts";

const MOST_KEPT = 20_000;
const WINDOW_MS = 5 * MINUTE_MS;
/** So many deferrals, and such a share of all, are no chance. */
const MOST_PUT_OFF = 10;
const MOST_PUT_OFF_SHARE = 0.2;
/** One message may be spam, and one server may have a bad moment. */
const STRIKES = 3;

type Flow = {
  minute: number;
  taken: number;
  takenBefore: number;
  takenAtMs: number;
  windowAtMs: number;
  answers: number;
  putOff: number;
  strikes: number;
};

export class Traffic {
  readonly #flows = new BoundedMap<string, Flow>(MOST_KEPT);

  taken(key: string, nowMs: number): void {
    const flow = this.#flowOf(key, nowMs);
    flow.taken++;
    flow.answers++;
    flow.strikes = 0;
    flow.takenAtMs = nowMs;
  }

  /** What a sign asks for: less mail, none, or nothing yet. `isKnown`: a provider with the mailboxes of many domains. */
  asked(key: string, sign: Sign, isKnown: boolean, nowMs: number): "less" | "none" | null {
    const flow = this.#flowOf(key, nowMs);
    flow.answers++;
    if (sign === "put off") {
      if (!isKnown) return null;
      flow.putOff++;
      return flow.putOff >= MOST_PUT_OFF && flow.putOff >= flow.answers * MOST_PUT_OFF_SHARE ? "less" : null;
    }
    flow.strikes++;
    const isSure = isKnown && sign !== "spam";
    if (!isSure && flow.strikes < STRIKES) return null;
    return sign === "slow" ? "less" : "none";
  }

  /** Of the minute that goes by, or the one before if more was taken then. */
  perHour(key: string, nowMs: number): number {
    const flow = this.#flowOf(key, nowMs);
    return Math.max(flow.taken, flow.takenBefore) * 60;
  }

  hasTakenSince(key: string, sinceMs: number): boolean {
    return (this.#flows.get(key)?.takenAtMs ?? -Infinity) > sinceMs;
  }

  #flowOf(key: string, nowMs: number): Flow {
    const flow = this.#flows.get(key) ?? newFlow(nowMs);
    const minute = Math.floor(nowMs / MINUTE_MS);
    if (minute !== flow.minute) {
      flow.takenBefore = minute === flow.minute + 1 ? flow.taken : 0;
      flow.taken = 0;
      flow.minute = minute;
    }
    if (nowMs - flow.windowAtMs >= WINDOW_MS)
      Object.assign(flow, { windowAtMs: nowMs, answers: 0, putOff: 0, strikes: 0 });
    this.#flows.set(key, flow);
    return flow;
  }
}

function newFlow(nowMs: number): Flow {
  const counts = { taken: 0, takenBefore: 0, answers: 0, putOff: 0, strikes: 0 };
  return { ...counts, minute: Math.floor(nowMs / MINUTE_MS), takenAtMs: -Infinity, windowAtMs: nowMs };
}
