// The loop that prunes: a piece at a time, for a few per cent of the time, once an hour through all workspaces.
import { HOUR_MS } from "../clock.ts";
import { isStoreAway } from "../errors.ts";
import { Stride } from "../jobs/stride.ts";
import type { Log } from "../log.ts";
import { allRetention, type RetainingWorkspace } from "../workspaces/queries.ts";
import { KINDS, type Kind, type KindName } from "./kinds.ts";
import { prunePiece, type Work } from "./prune.ts";

/** What is stored keeps the writer for so long, as a goal: rows in one piece, of which one may be a line, or ten megabytes. */
export const PIECE = { first: 20, least: 1, most: 500, aimMs: 3 };
/** It rests so much longer than it works: accepting mail must not feel it. */
const REST_FOR_WORK = 50;

type Next = { readonly workspace: RetainingWorkspace; readonly kind: Kind };

export class PruneLoop {
  readonly #work: Work & { readonly log: Log };
  readonly #strides = new Map(KINDS.map(({ name }) => [name, new Stride(PIECE)]));
  readonly #pruned = new Map<KindName, number>(KINDS.map(({ name }) => [name, 0]));
  #round: Next[] = [];
  #nextRoundMs = 0;

  constructor(work: Work & { readonly log: Log }) {
    this.#work = work;
  }

  /** Rows that this process has pruned since it started, by kind. */
  get pruned(): ReadonlyMap<KindName, number> {
    return this.#pruned;
  }

  /** Prunes a piece; answers how long to rest. */
  async step(): Promise<number> {
    const { clock } = this.#work;
    if (this.#round.length === 0 && clock.nowMs() < this.#nextRoundMs) return this.#nextRoundMs - clock.nowMs();
    const startMs = clock.monotonicMs();
    if (this.#round.length === 0) await this.#begin();
    const next = this.#round[0];
    if (next && !(await this.#piece(next))) this.#round.shift();
    if (this.#round.length === 0) return HOUR_MS;
    return (clock.monotonicMs() - startMs) * REST_FOR_WORK;
  }

  async #begin(): Promise<void> {
    const { store, clock } = this.#work;
    const workspaces = await store.read(allRetention);
    this.#round = workspaces.flatMap((workspace) => KINDS.map((kind) => ({ workspace, kind })));
    this.#nextRoundMs = clock.nowMs() + HOUR_MS;
  }

  /** False = there is no more, or something is wrong with it, which holds up no other. */
  async #piece({ workspace, kind }: Next): Promise<boolean> {
    try {
      const done = await prunePiece(this.#work, workspace, kind, this.#strides.get(kind.name) as Stride);
      if (done === null) return false;
      this.#pruned.set(kind.name, (this.#pruned.get(kind.name) ?? 0) + done.rows);
      return true;
    } catch (error) {
      if (isStoreAway(error)) throw error;
      this.#work.log.error("old rows could not be pruned; trying again in an hour", {
        ...{ kind: kind.name, workspace: workspace.seq, error },
      });
      return false;
    }
  }
}
