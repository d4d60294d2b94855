// Runs what is due: many executions a transaction, each to the next step that waits. Nothing here talks over a network, so what
// a step does and that it was done are kept together or not at all.
import { iso, type Clock } from "../clock.ts";
import { AppError } from "../errors.ts";
import type { Log } from "../log.ts";
import type { Store, Tx } from "../store/store.ts";
import { disabledAmong } from "../workspaces/queries.ts";
import { advance, ended } from "./advance.ts";
import {
  nextExecutionDue,
  putOffExecutions,
  setStanding,
  takeDueExecutions,
  type DueExecution,
} from "./execution-queries.ts";
import { deletedWorkflow, deleteExecutionsOf, deleteWorkflow } from "./version-queries.ts";
import { Versions } from "./version.ts";

type RunLoopOptions = { readonly store: Store; readonly clock: Clock; readonly log: Log };

const BATCH = 100;
/** One transaction holds the writer no longer than this and one execution. */
const BATCH_MS = 10;
/** Another process may have started something without a signal. */
const LONGEST_REST_MS = 5_000;
/** So long what belongs to a disabled workspace is not looked at again. */
const DISABLED_REST_MS = 600_000;
const DELETED_A_BATCH = 200;
const REST_WITHOUT_DELETED_MS = 60_000;

export class RunLoop {
  readonly #options: RunLoopOptions;
  #versions = new Versions();
  /** So many are taken one by one, to find the one that cannot be run. */
  #suspects = 0;

  constructor(options: RunLoopOptions) {
    this.#options = options;
  }

  /** Runs one batch; answers how long there will be nothing to run. */
  async step(): Promise<number> {
    const { store, clock } = this.#options;
    const dueAt = await store.read(nextExecutionDue);
    const waitMs = dueAt === null ? LONGEST_REST_MS : Date.parse(dueAt) - clock.nowMs();
    if (waitMs > 0) return Math.min(waitMs, LONGEST_REST_MS);
    await this.#runBatch();
    return 0;
  }

  /** Takes away a part of what deleted workflows have left behind. */
  async forget(): Promise<number> {
    return this.#options.store.write(async (tx) => {
      const workflow = await deletedWorkflow(tx);
      if (!workflow) return REST_WITHOUT_DELETED_MS;
      const gone = await deleteExecutionsOf(tx, workflow.seq, DELETED_A_BATCH);
      if (gone === 0) await deleteWorkflow(tx, workflow.seq);
      return 0;
    });
  }

  async #runBatch(): Promise<void> {
    const limit = this.#suspects > 0 ? 1 : BATCH;
    this.#suspects = Math.max(0, this.#suspects - 1);
    let taken: readonly DueExecution[] = [];
    try {
      await this.#options.store.write(async (tx) => {
        taken = await takeDueExecutions(tx, limit);
        await this.#advance(tx, await this.#ofEnabled(tx, taken));
      });
    } catch (error) {
      // Some may have been read that were not committed: their numbers go to others.
      this.#versions = new Versions();
      if (error instanceof AppError && error.code === "STORE_UNAVAILABLE") throw error;
      await this.#refused(taken, error);
    }
  }

  /** At least one; when time is up, the rest stays due. */
  async #advance(tx: Tx, executions: readonly DueExecution[]): Promise<void> {
    const { clock } = this.#options;
    const startedMs = clock.monotonicMs();
    for (const execution of executions) {
      await advance(tx, execution, await this.#versions.bySeq(tx, execution.version));
      if (clock.monotonicMs() - startedMs > BATCH_MS) return;
    }
  }

  /** What belongs to a disabled workspace waits until it is enabled again. */
  async #ofEnabled(tx: Tx, taken: readonly DueExecution[]): Promise<readonly DueExecution[]> {
    const workspaces = [...new Set(taken.map(({ workspace }) => workspace))];
    const disabled = workspaces.length === 0 ? new Set() : await disabledAmong(tx, workspaces);
    if (disabled.size === 0) return taken;
    const waiting = taken.filter(({ workspace }) => disabled.has(workspace)).map(({ seq }) => seq);
    await putOffExecutions(tx, waiting, iso(tx.nowMs + DISABLED_REST_MS));
    return taken.filter(({ workspace }) => !disabled.has(workspace));
  }

  async #refused(taken: readonly DueExecution[], error: unknown): Promise<void> {
    const [execution] = taken;
    if (!execution) throw error;
    if (taken.length > 1) {
      this.#suspects = taken.length;
      return;
    }
    this.#options.log.error("a step of a workflow could not be run", { execution: execution.id, error });
    const reason = error instanceof AppError ? error.message : "An unexpected fault; the server's log has it.";
    await this.#options.store.write((tx) => setStanding(tx, execution.seq, ended("FAILED", execution.step, reason)));
  }
}
