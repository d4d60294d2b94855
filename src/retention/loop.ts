// The loop that prunes: a piece at a time, for a few per cent of the time, once an hour through all workspaces.
import { HOUR_MS } from "../clock.ts";
import { isStoreAway } from "../errors.ts";
import { PRUNED, type LoopSpec } from "../jobs/loops.ts";
import { Stride } from "../jobs/stride.ts";
import type { Log } from "../log.ts";
import { allRetention, type RetainingWorkspace } from "../workspaces/queries.ts";
import { KINDS, type Kind } from "./kinds.ts";
import { prunePiece, type Done, type Work } from "./prune.ts";

/** How long a piece keeps the writer, as a goal: one row may be a line, or ten megabytes. */
export const PIECE = { first: 20, least: 1, most: 500, aimMs: 3 };
/** It rests so much longer than it keeps others waiting: accepting mail must not feel it. */
const REST_FOR_WORK = 300;
/** A slow moment of the machine does not stop it for long. */
const LONGEST_REST_MS = 2_000;

type Next = { readonly workspace: RetainingWorkspace; readonly kind: Kind };

export class PruneLoop {
  readonly #work: Work & { readonly log: Log };
  readonly #strides = new Map(KINDS.map(({ name }) => [name, new Stride(PIECE)]));
  #round: Next[] = [];
  #nextRoundMs = 0;

  constructor(work: Work & { readonly log: Log }) {
    this.#work = work;
  }

  /** Prunes a piece, and counts its rows by kind; answers how long to rest. */
  readonly step: LoopSpec["step"] = async (metrics) => {
    const { clock } = this.#work;
    if (this.#round.length === 0 && clock.nowMs() < this.#nextRoundMs) return this.#nextRoundMs - clock.nowMs();
    const startMs = clock.monotonicMs();
    if (this.#round.length === 0) await this.#begin();
    const next = this.#round[0];
    const done = next ? await this.#piece(next) : null;
    if (next) metrics.count({ metric: PRUNED, by: done?.rows ?? 0, labels: [`old ${next.kind.name}`] });
    if (done === null) this.#round.shift();
    if (this.#round.length === 0) return HOUR_MS;
    return Math.min(LONGEST_REST_MS, (done?.tookMs ?? clock.monotonicMs() - startMs) * REST_FOR_WORK);
  };

  async #begin(): Promise<void> {
    const { store, clock } = this.#work;
    const workspaces = await store.read(allRetention);
    this.#round = workspaces.flatMap((workspace) => KINDS.map((kind) => ({ workspace, kind })));
    this.#nextRoundMs = clock.nowMs() + HOUR_MS;
  }

  /** Null = there is no more, or something is wrong with it, which holds up no other. */
  async #piece({ workspace, kind }: Next): Promise<Done | null> {
    try {
      return await prunePiece(this.#work, workspace, kind, this.#strides.get(kind.name) as Stride);
    } catch (error) {
      if (isStoreAway(error)) throw error;
      this.#work.log.error("old rows could not be pruned; trying again in an hour", {
        ...{ kind: kind.name, workspace: workspace.seq, error },
      });
      return null;
    }
  }
}
