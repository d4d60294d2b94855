// The rendering thread, as the main thread sees it: what is only to be looked at keeps up neither requests nor mail.
import type { Clock } from "../../clock.ts";
import { FairQueue } from "../../jobs/fair-queue.ts";
import { WorkerThread } from "../../jobs/worker-thread.ts";
import { RENDERING_MS } from "../../templates/budget.ts";
import { areQuick, renderParts, type Part, type Rendered } from "./parts.ts";
import type { RenderRequest } from "./render-worker.ts";

type RenderLimits = {
  /** Of processor time, for all parts together. */
  readonly limitMs?: number;
  readonly longestWaitMs?: number;
};

/** The last resort: the budget is looked at often, so that something is wrong with a thread that takes so long. */
const LONGEST_MS = 20_000;

export class Renderer {
  readonly #thread: WorkerThread<RenderRequest>;
  readonly #turns: FairQueue;

  constructor(clock: Clock) {
    this.#turns = new FairQueue(clock, 1, "previews and simulations");
    this.#thread = new WorkerThread({
      name: "The rendering thread",
      start: () => new Worker(new URL("./render-worker.ts", import.meta.url).href),
      opening: { kind: "open" },
      longestMs: LONGEST_MS,
    });
  }

  /** One request at a time, workspaces in turn. @throws AppError STORE_UNAVAILABLE if its turn comes too late; ThreadError */
  async render(workspace: number, parts: readonly Part[], limits: RenderLimits = {}): Promise<Rendered> {
    const { limitMs = RENDERING_MS, longestWaitMs } = limits;
    if (areQuick(parts)) return renderParts(parts, limitMs);
    return this.#turns.run(workspace, () => this.#thread.ask({ kind: "render", parts, limitMs }), longestWaitMs);
  }

  close(): void {
    void this.#thread.close();
  }
}
