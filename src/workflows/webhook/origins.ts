// The origins that webhooks go to: how many calls each may have at once, so that one that does not answer keeps up few of them.
import { BoundedMap } from "../../bounded-map.ts";
import type { InHand } from "../../jobs/in-hand.ts";
import type { Candidate } from "./queries.ts";

const MAX_CALLS_AN_ORIGIN = 50;
/** Where the last attempts got no answer: enough to notice when that changes. */
const MAX_CALLS_AT_A_SILENT_ORIGIN = 2;
const FAULTS_TO_BE_SILENT = 3;
/** An origin that is never called again leaves nothing behind for good. */
const MAX_REMEMBERED = 10_000;

export class Origins {
  readonly #calls = new Map<string, number>();
  readonly #faultsInARow = new BoundedMap<string, number>(MAX_REMEMBERED);

  callBegun(origin: string): void {
    this.#calls.set(origin, (this.#calls.get(origin) ?? 0) + 1);
  }

  callEnded(origin: string): void {
    const calls = (this.#calls.get(origin) ?? 1) - 1;
    if (calls === 0) this.#calls.delete(origin);
    else this.#calls.set(origin, calls);
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
    return Math.max(0, atMost - (this.#calls.get(origin) ?? 0));
  }

  get full(): string[] {
    return [...this.#calls.keys()].filter((origin) => this.room(origin) === 0);
  }
}

/** The webhooks to call next: at each origin no more than it has room for. */
export class Choice {
  readonly #taken = new Set<number>();
  readonly #at = new Map<string, number>();
  /** Origins with more due than they have room for. */
  readonly #full = new Set<string>();

  constructor(
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
    for (const { execution_step: step, origin } of candidates) {
      if (this.#taken.has(step) || this.inHand.has(step)) continue;
      const here = this.#at.get(origin) ?? 0;
      if (here >= this.origins.room(origin)) {
        this.#full.add(origin);
        continue;
      }
      this.#at.set(origin, here + 1);
      this.#taken.add(step);
    }
  }
}
