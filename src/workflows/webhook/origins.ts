// Where webhooks go: how many hands each origin has, so that one that does not answer takes up few of them.
import { BoundedMap } from "../../bounded-map.ts";
import type { InHand } from "../../jobs/in-hand.ts";
import type { Candidate } from "./queries.ts";

const HANDS_AN_ORIGIN = 50;
/** Where the last attempts found nobody, so many look whether that has changed. */
const HANDS_AT_A_SILENT_ORIGIN = 2;
const FAULTS_TO_BE_SILENT = 3;
/** An origin that is never called again leaves nothing behind for good. */
const MOST_SILENT = 10_000;

export class Origins {
  readonly #hands = new Map<string, number>();
  readonly #faultsInARow = new BoundedMap<string, number>(MOST_SILENT);

  taken(origin: string): void {
    this.#hands.set(origin, (this.#hands.get(origin) ?? 0) + 1);
  }

  freed(origin: string): void {
    const hands = (this.#hands.get(origin) ?? 1) - 1;
    if (hands === 0) this.#hands.delete(origin);
    else this.#hands.set(origin, hands);
  }

  /** What an attempt there has come to. */
  noticed(origin: string, isReached: boolean): void {
    if (isReached) this.#faultsInARow.delete(origin);
    else this.#faultsInARow.set(origin, (this.#faultsInARow.get(origin) ?? 0) + 1);
  }

  /** How many more may be called there at once. */
  room(origin: string): number {
    const isSilent = (this.#faultsInARow.get(origin) ?? 0) >= FAULTS_TO_BE_SILENT;
    const hands = isSilent ? HANDS_AT_A_SILENT_ORIGIN : HANDS_AN_ORIGIN;
    return Math.max(0, hands - (this.#hands.get(origin) ?? 0));
  }

  get full(): string[] {
    return [...this.#hands.keys()].filter((origin) => this.room(origin) === 0);
  }
}

/** What is called next: at each origin no more than it has room for. */
export class Choice {
  readonly #taken = new Set<number>();
  readonly #at = new Map<string, number>();
  /** Where something is due that there is no room for. */
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
