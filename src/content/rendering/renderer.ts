// The main thread's access to the rendering thread: previews, simulations and webhooks hold up neither requests nor
// mail.
import { RequestQueue } from "../../base/brakes/fair-queue.ts";
import type { Clock } from "../../base/clock.ts";
import { WorkerThread } from "../../base/jobs/worker-thread.ts";
import { RENDERING_MS } from "../templates/liquid/budget.ts";
import { areQuick, renderParts, type RenderPart, type RenderResult } from "./parts.ts";
import type { RenderRequest } from "./render-worker.ts";

type RenderLimits = {
  /** Processor time for all parts together. */
  readonly limitMs?: number;
  readonly longestWaitMs?: number;
};

/**
 * A last resort, since the budget is checked often. On a machine with busy threads, a thread of low priority may get a
 * hundredth of the time.
 */
const LONGEST_MS = 60_000;

export class Renderer {
  readonly #thread: WorkerThread<RenderRequest>;
  readonly #turns: RequestQueue;

  constructor(clock: Clock) {
    this.#turns = new RequestQueue(clock, 1, "previews and simulations");
    this.#thread = new WorkerThread({
      name: "The rendering thread",
      start: () => new Worker(new URL("./render-worker.ts", import.meta.url).href),
      opening: { kind: "open" },
      longestMs: LONGEST_MS,
    });
  }

  /** One request at a time; workspaces take turns. @throws AppError STORE_UNAVAILABLE after a long wait; ThreadError */
  async render(workspace: number, parts: readonly RenderPart[], limits: RenderLimits = {}): Promise<RenderResult> {
    const { limitMs = RENDERING_MS, longestWaitMs } = limits;
    if (areQuick(parts)) return renderParts(parts, limitMs);
    return this.#turns.run(workspace, () => this.#thread.ask({ kind: "render", parts, limitMs }), longestWaitMs);
  }

  close(): void {
    void this.#thread.close();
  }
}
