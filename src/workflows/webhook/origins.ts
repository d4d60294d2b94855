// The origins that webhooks go to, and how many calls each may have at once: a silent one holds up few.
import { BoundedMap } from "../../brakes/bounded-map.ts";
import type { InHand } from "../../jobs/in-hand.ts";
import type { Candidate } from "./queries.ts";

/** Of all workspaces. One workspace gets half of them. */
const MAX_CALLS_AN_ORIGIN = 100;
/** Enough to notice when it answers again. */
const MAX_CALLS_AT_A_SILENT_ORIGIN = 4;
const FAULTS_TO_BE_SILENT = 3;
/** So that origins that are never called again are forgotten. */
const MAX_REMEMBERED = 10_000;

export class Origins {
  readonly #calls = new Counts();
  /** By workspace and origin. */
  readonly #callsOf = new Counts();
  readonly #faultsInARow = new BoundedMap<string, number>(MAX_REMEMBERED);

  callBegun(workspace: number, origin: string): void {
    this.#calls.add(origin, 1);
    this.#callsOf.add(`${workspace} ${origin}`, 1);
  }

  callEnded(workspace: number, origin: string): void {
    this.#calls.add(origin, -1);
    this.#callsOf.add(`${workspace} ${origin}`, -1);
  }

  /** Whether an attempt there got an answer. */
  noteReached(origin: string, isReached: boolean): void {
    if (isReached) this.#faultsInARow.delete(origin);
    else this.#faultsInARow.set(origin, (this.#faultsInARow.get(origin) ?? 0) + 1);
  }

  /** How many more may be called there at once. */
  room(origin: string): number {
    const isSilent = (this.#faultsInARow.get(origin) ?? 0) >= FAULTS_TO_BE_SILENT;
    const atMost = isSilent ? MAX_CALLS_AT_A_SILENT_ORIGIN : MAX_CALLS_AN_ORIGIN;
    return Math.max(0, atMost - this.#calls.of(origin));
  }

  /** How many a workspace has there. */
  callsOf(workspace: number, origin: string): number {
    return this.#callsOf.of(`${workspace} ${origin}`);
  }
}

class Counts {
  readonly #counts = new Map<string, number>();

  of(what: string): number {
    return this.#counts.get(what) ?? 0;
  }

  add(what: string, count: number): void {
    const sum = this.of(what) + count;
    if (sum > 0) this.#counts.set(what, sum);
    else this.#counts.delete(what);
  }
}

/** The webhooks of a workspace to call next: at each origin at most half of the room that is left. */
export class Choice {
  readonly #taken = new Set<number>();
  readonly #at = new Counts();
  /** Origins at which it has more due than it may call. */
  readonly #full = new Set<string>();

  constructor(
    private readonly workspace: number,
    private readonly origins: Origins,
    private readonly inHand: Pick<InHand, "has">,
  ) {}

  get steps(): number[] {
    return [...this.#taken];
  }

  get full(): string[] {
    return [...this.#full];
  }

  add(candidates: readonly Candidate[]): void {
    for (const { step, origin } of candidates) {
      if (this.#taken.has(step) || this.inHand.has(step)) continue;
      const here = this.#at.of(origin);
      if (this.origins.callsOf(this.workspace, origin) + here >= this.origins.room(origin) - here) {
        this.#full.add(origin);
        continue;
      }
      this.#at.add(origin, 1);
      this.#taken.add(step);
    }
  }
}
