// The origins of webhooks, and the concurrent calls that each may have: a silent one holds up few.
import { BoundedMap } from "../../../base/brakes/bounded-map.ts";
import type { ClaimedWork } from "../../../base/jobs/in-hand.ts";
import type { WebhookCandidate } from "./queries.ts";

/** The limit of all workspaces together. One workspace gets half of it. */
const MAX_CALLS_AN_ORIGIN = 100;
/** Enough to notice when it answers again. */
const MAX_CALLS_AT_A_SILENT_ORIGIN = 4;
const FAULTS_TO_BE_SILENT = 3;
/** The limit of all silent origins together. One workspace gets half of it, so that its other origins go on. */
const MAX_CALLS_AT_ALL_SILENT = 100;
/** An endpoint is one among many, and all that are silent must leave room for the others. */
const MAX_CALLS_AN_ENDPOINT = 20;
const MAX_CALLS_AT_A_SILENT_ENDPOINT = 1;
/** The prefix of an endpoint's own origin: its calls wait for no other endpoint, even of the same server. */
const ENDPOINT = "endpoint ";
/** So that origins that are never called again are forgotten. */
const MAX_REMEMBERED = 10_000;

export class Origins {
  readonly #calls = new OriginCounts();
  /** By workspace and origin. */
  readonly #callsOf = new OriginCounts();
  /** Failures in a row of called origins; one whose first call fails is silent until it answers. */
  readonly #faultsInARow = new BoundedMap<string, number>(MAX_REMEMBERED);

  callBegun(workspace: number, origin: string): void {
    this.#calls.add(origin, 1);
    this.#callsOf.add(`${workspace} ${origin}`, 1);
  }

  callEnded(workspace: number, origin: string): void {
    this.#calls.add(origin, -1);
    this.#callsOf.add(`${workspace} ${origin}`, -1);
  }

  /** `isReached`: an attempt there got an answer. */
  noteReached(origin: string, isReached: boolean): void {
    const before = this.#faultsInARow.get(origin) ?? FAULTS_TO_BE_SILENT - 1;
    this.#faultsInARow.set(origin, isReached ? 0 : before + 1);
  }

  isSilent(origin: string): boolean {
    return (this.#faultsInARow.get(origin) ?? 0) >= FAULTS_TO_BE_SILENT;
  }

  /** How many more calls a workspace may make to origins that are silent. */
  silentRoom(workspace: number): number {
    const silent = this.#calls.keys.filter((origin) => this.isSilent(origin));
    const theirs = silent.reduce((sum, origin) => sum + this.callsOf(workspace, origin), 0);
    const all = silent.reduce((sum, origin) => sum + this.#calls.of(origin), 0);
    return Math.min(MAX_CALLS_AT_ALL_SILENT - all, MAX_CALLS_AT_ALL_SILENT / 2 - theirs);
  }

  /** The room for further concurrent calls. */
  room(origin: string): number {
    // An origin that has never been called has to answer first.
    const answers = this.#faultsInARow.get(origin) !== undefined && !this.isSilent(origin);
    return Math.max(0, mostAt(origin, answers) - this.#calls.of(origin));
  }

  /** The origins where a workspace may make no further call at present. */
  fullFor(workspace: number): string[] {
    return this.#calls.keys.filter((origin) => this.callsOf(workspace, origin) >= this.room(origin));
  }

  /** The calls that a workspace has there. */
  callsOf(workspace: number, origin: string): number {
    return this.#callsOf.of(`${workspace} ${origin}`);
  }
}

function mostAt(origin: string, answers: boolean): number {
  if (origin.startsWith(ENDPOINT)) return answers ? MAX_CALLS_AN_ENDPOINT : MAX_CALLS_AT_A_SILENT_ENDPOINT;
  return answers ? MAX_CALLS_AN_ORIGIN : MAX_CALLS_AT_A_SILENT_ORIGIN;
}

class OriginCounts {
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

/** The webhooks of a workspace to call next: at each origin at most half of the remaining room. */
export class OriginChoice {
  readonly #taken = new Map<number, WebhookCandidate>();
  readonly #at = new OriginCounts();
  /** Origins at which it has more due than it may call. */
  readonly #full = new Set<string>();
  #silentRoom: number;

  constructor(
    private readonly workspace: number,
    private readonly origins: Origins,
    private readonly inHand: Pick<ClaimedWork, "has">,
  ) {
    this.#silentRoom = origins.silentRoom(workspace);
  }

  get chosen(): WebhookCandidate[] {
    return [...this.#taken.values()];
  }

  get full(): string[] {
    return [...this.#full];
  }

  /** False for a silent origin once there are enough calls to silent ones. */
  mayTake(origin: string): boolean {
    return this.#silentRoom > 0 || !this.origins.isSilent(origin);
  }

  add(candidates: readonly WebhookCandidate[]): void {
    for (const candidate of candidates) {
      const { seq, origin } = candidate;
      if (this.#taken.has(seq) || this.inHand.has(seq)) continue;
      const here = this.#at.of(origin);
      if (
        !this.mayTake(origin) ||
        this.origins.callsOf(this.workspace, origin) + here >= this.origins.room(origin) - here
      ) {
        this.#full.add(origin);
        continue;
      }
      this.#at.add(origin, 1);
      if (this.origins.isSilent(origin)) this.#silentRoom--;
      this.#taken.set(seq, candidate);
    }
  }
}
