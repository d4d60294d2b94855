// The mails that a mailbox provider took and deferred lately, for each workspace and way out, in memory.
import { BoundedMap } from "../../../base/brakes/bounded-map.ts";
import { HOUR_MS, MINUTE_MS } from "../../../base/clock.ts";
import type { PaceSign } from "./signs.ts";

const MOST_KEPT = 20_000;
const WINDOW_MS = 5 * MINUTE_MS;
/** More deferrals, and a greater share of all answers, are no coincidence. */
const MOST_DEFERRED = 10;
const MOST_DEFERRED_SHARE = 0.2;
/** A single message may be spam, and a single server may have a bad moment. */
const STRIKES = 3;
/** Reports come in slowly. */
const HEARD_FOR_MS = HOUR_MS;
/** Replies that blame single emails are no verdict on all. */
const LEAST_SPAM_SHARE = 0.05;

/** Pieces of a sliding minute, in which taken mails are counted. */
const PIECES = 12;
const PIECE_MS = MINUTE_MS / PIECES;

type Flow = {
  readonly taken: number[];
  /** The last piece that was counted. */
  piece: number;
  takenAtMs: number;
  windowAtMs: number;
  answers: number;
  deferred: number;
  strikes: number;
  heard: ReportWindow | null;
};

/** The reports of a period: their recipients, and the number of mails taken meanwhile. */
type ReportWindow = { readonly sinceMs: number; readonly recipients: Set<string>; taken: number };

export type PaceDemand = "less" | "none" | null;

export class Traffic {
  readonly #flows = new BoundedMap<string, Flow>(MOST_KEPT);

  noteAcceptance(key: string, nowMs: number): void {
    const flow = this.#flowOf(key, nowMs);
    flow.taken[flow.piece % PIECES] = (flow.taken[flow.piece % PIECES] ?? 0) + 1;
    flow.answers++;
    flow.strikes = 0;
    flow.takenAtMs = nowMs;
    if (flow.heard !== null) flow.heard.taken++;
  }

  /**
   * The demand in a sign: less mail, none, or nothing yet. `isKnown`: a provider with the mailboxes of many domains.
   */
  demandOf(key: string, sign: PaceSign, isKnown: boolean, nowMs: number): PaceDemand {
    const flow = this.#flowOf(key, nowMs);
    flow.answers++;
    if (sign === "deferred") {
      if (!isKnown) return null;
      flow.deferred++;
      return flow.deferred >= MOST_DEFERRED && flow.deferred >= flow.answers * MOST_DEFERRED_SHARE ? "less" : null;
    }
    flow.strikes++;
    const isSure = isKnown && sign !== "spam";
    if (!isSure && flow.strikes < STRIKES) return null;
    return sign === "slow" ? "less" : "none";
  }

  /** The same for a sign in a report, about mail that was taken at first: several recipients' reports have to agree. */
  heard(key: string, sign: PaceSign, recipient: string, nowMs: number): PaceDemand {
    if (sign === "deferred") return null;
    const flow = this.#flowOf(key, nowMs);
    if (flow.heard === null || nowMs - flow.heard.sinceMs >= HEARD_FOR_MS)
      flow.heard = { sinceMs: nowMs, recipients: new Set(), taken: 0 };
    const { recipients, taken } = flow.heard;
    recipients.add(recipient);
    if (recipients.size < STRIKES || (sign === "spam" && recipients.size < taken * LEAST_SPAM_SHARE)) return null;
    flow.heard = null;
    return sign === "slow" ? "less" : "none";
  }

  /** The rate of the last sixty seconds. */
  perHour(key: string, nowMs: number): number {
    return this.#flowOf(key, nowMs).taken.reduce((sum, one) => sum + one, 0) * 60;
  }

  hasTakenSince(key: string, sinceMs: number): boolean {
    return (this.#flows.get(key)?.takenAtMs ?? -Infinity) > sinceMs;
  }

  #flowOf(key: string, nowMs: number): Flow {
    const piece = Math.floor(nowMs / PIECE_MS);
    const flow = this.#flows.get(key) ?? newFlow(piece, nowMs);
    // After a clock was set back, counting begins anew.
    if (piece < flow.piece || piece - flow.piece >= PIECES) flow.taken.fill(0);
    else for (let next = flow.piece + 1; next <= piece; next++) flow.taken[next % PIECES] = 0;
    flow.piece = piece;
    if (nowMs - flow.windowAtMs >= WINDOW_MS)
      Object.assign(flow, { windowAtMs: nowMs, answers: 0, deferred: 0, strikes: 0 });
    this.#flows.set(key, flow);
    return flow;
  }
}

function newFlow(piece: number, nowMs: number): Flow {
  const counts = { answers: 0, deferred: 0, strikes: 0, heard: null };
  return { ...counts, taken: Array<number>(PIECES).fill(0), piece, takenAtMs: -Infinity, windowAtMs: nowMs };
}
