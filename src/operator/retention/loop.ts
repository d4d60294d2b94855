// The loop that prunes: a piece at a time, workspaces in turn, once an hour through all of them.
//
// Its pace goes by rows. Time would say that a server is busy where only the way to the database is long.
import { HOUR_MS } from "../../base/clock.ts";
import { isStoreAway } from "../../base/errors.ts";
import { PRUNED, type LoopSpec } from "../../base/jobs/loops.ts";
import type { Log } from "../../base/log.ts";
import { allRetention, type RetainingWorkspace } from "../../tenant/workspaces/queries.ts";
import { KINDS, type RetentionKind } from "./kinds.ts";
import { cutoff, prunePiece, type PruneCount, type PruneOptions } from "./prune.ts";

/**
 * With `ROWS_AT_ONCE`, 200 rows a second of a file and 2,000 on PostgreSQL: a million mails a day are some 70, with all
 * that belongs to them.
 */
const PAUSE_MS = 250;
/** Workspaces where nothing is old are passed over, so many in one step. */
const LOOKS_A_STEP = 50;

/** `kinds`: the remaining ones, in their order. */
type RetentionTask = { readonly workspace: RetainingWorkspace; readonly kinds: readonly RetentionKind[] };

export function pruning(work: PruneOptions & { readonly log: Log }): LoopSpec {
  const round = new Round(work);
  return { name: "pruning what is old", step: round.step, pauseMs: PAUSE_MS, goesByDate: true };
}

class Round {
  readonly #work: PruneOptions & { readonly log: Log };
  #left: RetentionTask[] = [];
  #nextMs = 0;

  constructor(work: PruneOptions & { readonly log: Log }) {
    this.#work = work;
  }

  /** Prunes a piece, and counts its rows by kind; answers how long to rest. */
  readonly step: LoopSpec["step"] = async (metrics) => {
    const nowMs = this.#work.clock.nowMs();
    if (this.#left.length === 0 && nowMs < this.#nextMs) return this.#nextMs - nowMs;
    if (this.#left.length === 0) await this.#begin();
    for (let looks = 0; looks < LOOKS_A_STEP; looks++) {
      const [next, ...others] = this.#left;
      const kind = next?.kinds[0];
      if (!next || !kind) return HOUR_MS;
      const done = await this.#piece(next.workspace, kind);
      const kinds = done === null ? next.kinds.slice(1) : next.kinds;
      this.#left = kinds.length === 0 ? others : [...others, { ...next, kinds }];
      metrics.count({ metric: PRUNED, by: done?.rows ?? 0, labels: [`old ${kind.name}`] });
      if (done !== null) return 0;
    }
    return 0;
  };

  async #begin(): Promise<void> {
    const { store, clock, days } = this.#work;
    const nowMs = clock.nowMs();
    const left = (await store.read(allRetention)).map((workspace) => ({
      workspace,
      kinds: KINDS.filter((kind) => cutoff(nowMs, days, workspace, kind) !== null),
    }));
    this.#left = left.filter(({ kinds }) => kinds.length > 0);
    this.#nextMs = nowMs + HOUR_MS;
  }

  /** Null = nothing is left, or a fault, which holds up no other. */
  async #piece(workspace: RetainingWorkspace, kind: RetentionKind): Promise<PruneCount | null> {
    try {
      return await prunePiece(this.#work, workspace, kind);
    } catch (error) {
      if (isStoreAway(error)) throw error;
      this.#work.log.error("old rows could not be pruned; trying again in an hour", {
        kind: kind.name,
        workspace: workspace.seq,
        error,
      });
      return null;
    }
  }
}
