// Runs the due executions, many in one transaction, each to the next step that waits. Nothing here uses a network, so
// the effect of a step and its trace are stored together or not at all.
import { iso } from "../../../base/clock.ts";
import { AppError } from "../../../base/errors.ts";
import type { Ground } from "../../../ground/ground.ts";
import { Batches } from "../../../base/jobs/batches.ts";
import { restUntil, SHORT_REST_MS } from "../../../base/jobs/due.ts";
import type { Tx } from "../../../store/store.ts";
import { inTurn, nextTurnAt } from "../../../store/turns.ts";
import { disabledAmong } from "../../../tenant/workspaces/queries.ts";
import { advanceEach, endState, type DueRun } from "./advance.ts";
import { EXECUTIONS, deferExecutions, setExecutionStates, type DueExecution } from "./queries.ts";
import { Versions } from "../definition/version.ts";

type RunLoopOptions = Pick<Ground, "store" | "clock" | "log">;

const MAX_EXECUTIONS_A_BATCH = 100;
/** Their steps are rows of the same statements, and their mails go through the door together. */
const SIDE_BY_SIDE = 50;
/** One transaction holds the writer no longer than this and so many executions. */
const MAX_BATCH_MS = 10;
/** Until executions of a disabled workspace are checked again. */
const DISABLED_REST_MS = 600_000;

export class RunLoop {
  readonly #options: RunLoopOptions;
  #versions = new Versions();
  readonly #due: Batches<Tx, DueExecution>;

  constructor(options: RunLoopOptions) {
    this.#options = options;
    this.#due = new Batches(options.store, MAX_EXECUTIONS_A_BATCH, {
      ...inTurn(EXECUTIONS, async (tx, taken) => this.#advance(tx, await this.#ofEnabled(tx, taken))),
      park: (execution, error) => this.#fail(execution, error),
      // The cache may hold versions that were not committed, whose numbers are given to others.
      rolledBack: () => (this.#versions = new Versions()),
    });
  }

  /** Runs one batch; answers how long there will be nothing to run. */
  async step(): Promise<number> {
    const { store, clock } = this.#options;
    const restMs = restUntil(await store.read((reader) => nextTurnAt(reader, EXECUTIONS.name)), clock.nowMs());
    if (restMs > 0) return restMs;
    return (await this.#due.runBatch()) ? 0 : SHORT_REST_MS;
  }

  /** One side at least. When time is up, the rest stays due. */
  async #advance(tx: Tx, executions: readonly DueExecution[]): Promise<void> {
    const { clock } = this.#options;
    const startedMs = clock.monotonicMs();
    for (let at = 0; at < executions.length; at += SIDE_BY_SIDE) {
      const due: DueRun[] = [];
      for (const execution of executions.slice(at, at + SIDE_BY_SIDE))
        due.push({ execution, version: await this.#versions.bySeq(tx, execution.version) });
      await advanceEach(tx, due);
      if (clock.monotonicMs() - startedMs > MAX_BATCH_MS) return;
    }
  }

  /** Executions of a disabled workspace wait until it is enabled again. */
  async #ofEnabled(tx: Tx, taken: readonly DueExecution[]): Promise<readonly DueExecution[]> {
    const workspaces = [...new Set(taken.map(({ workspace }) => workspace))];
    const disabled = workspaces.length === 0 ? new Set() : await disabledAmong(tx, workspaces);
    if (disabled.size === 0) return taken;
    const waiting = taken.filter(({ workspace }) => disabled.has(workspace)).map(({ seq }) => seq);
    await deferExecutions(tx, waiting, iso(tx.nowMs + DISABLED_REST_MS));
    return taken.filter(({ workspace }) => !disabled.has(workspace));
  }

  async #fail(execution: DueExecution, error: unknown): Promise<void> {
    this.#options.log.error("a workflow step could not be run", { execution: execution.id, error });
    const reason = error instanceof AppError ? error.message : "An unexpected fault; the server's log has it.";
    await this.#options.store.write((tx) =>
      setExecutionStates(tx, [{ seq: execution.seq, ...endState("FAILED", execution.step, reason) }]),
    );
  }
}
