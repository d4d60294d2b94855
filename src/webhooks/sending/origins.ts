// The origins that webhooks go to, and how many calls each may have at once: a silent one holds up few.
import { BoundedMap } from "../../brakes/bounded-map.ts";
import type { InHand } from "../../jobs/in-hand.ts";
import type { Candidate } from "./queries.ts";

/** Of all workspaces. One workspace gets half of them. */
const MAX_CALLS_AN_ORIGIN = 100;
/** Enough to notice when it answers again. */
const MAX_CALLS_AT_A_SILENT_ORIGIN = 4;
const FAULTS_TO_BE_SILENT = 3;
/** An endpoint is one among many, and all that are silent must leave room for the others. */
const MAX_CALLS_AN_ENDPOINT = 20;
const MAX_CALLS_AT_A_SILENT_ENDPOINT = 1;
/** Begins what an endpoint's calls have for an origin: they wait for no other endpoint, also of the same server. */
const ENDPOINT = "endpoint ";
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
    return Math.max(0, mostAt(origin, isSilent) - this.#calls.of(origin));
  }

  /** Where a workspace may make no further call at present. */
  fullFor(workspace: number): string[] {
    return this.#calls.keys.filter((origin) => this.callsOf(workspace, origin) >= this.room(origin));
  }

  /** How many a workspace has there. */
  callsOf(workspace: number, origin: string): number {
    return this.#callsOf.of(`${workspace} ${origin}`);
  }
}

function mostAt(origin: string, isSilent: boolean): number {
  if (origin.startsWith(ENDPOINT)) return isSilent ? MAX_CALLS_AT_A_SILENT_ENDPOINT : MAX_CALLS_AN_ENDPOINT;
  return isSilent ? MAX_CALLS_AT_A_SILENT_ORIGIN : MAX_CALLS_AN_ORIGIN;
}

class Counts {
  readonly #counts = new Map<string, number>();

  get keys(): string[] {
    return [...this.#counts.keys()];
  }

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
  readonly #taken = new Map<number, Candidate>();
  readonly #at = new Counts();
  /** Origins at which it has more due than it may call. */
  readonly #full = new Set<string>();

  constructor(
    private readonly workspace: number,
    private readonly origins: Origins,
    private readonly inHand: Pick<InHand, "has">,
  ) {}

  get chosen(): Candidate[] {
    return [...this.#taken.values()];
  }

  get full(): string[] {
    return [...this.#full];
  }

  add(candidates: readonly Candidate[]): void {
    for (const candidate of candidates) {
      const { seq, origin } = candidate;
      if (this.#taken.has(seq) || this.inHand.has(seq)) continue;
      const here = this.#at.of(origin);
      if (this.origins.callsOf(this.workspace, origin) + here >= this.origins.room(origin) - here) {
        this.#full.add(origin);
        continue;
      }
      this.#at.add(origin, 1);
      this.#taken.set(seq, candidate);
    }
  }
}
