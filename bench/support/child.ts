// The bench's own processes, handed tasks and answering them: load, limits and sinks share no thread with the server.
import type { Subprocess } from "bun";

type Task = { readonly id: number; readonly task: unknown };
type Reply = { readonly id: number; readonly result?: unknown; readonly error?: string };
type Pending = { readonly resolve: (result: never) => void; readonly reject: (reason: Error) => void };

export class Child implements AsyncDisposable {
  readonly #process: Subprocess;
  readonly #pending = new Map<number, Pending>();
  #lastId = 0;

  /** `script`: a file of this folder that calls `answerTasks`. */
  constructor(script: string) {
    this.#process = Bun.spawn([process.execPath, `${import.meta.dir}/${script}`], {
      stdio: ["ignore", "inherit", "inherit"],
      ipc: (reply: Reply) => this.#settle(reply),
      onExit: (_, code) => this.#lost(new Error(`${script} ended with code ${code}`)),
    });
  }

  ask<Result>(task: unknown): Promise<Result> {
    const id = ++this.#lastId;
    return new Promise<Result>((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      this.#process.send({ id, task } satisfies Task);
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#process.kill();
    await this.#process.exited;
  }

  #settle({ id, result, error }: Reply): void {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    if (error === undefined) pending?.resolve(result as never);
    else pending?.reject(new Error(error));
  }

  #lost(reason: Error): void {
    for (const { reject } of this.#pending.values()) reject(reason);
    this.#pending.clear();
  }
}

/** In the child: answers each task with what `work` makes of it. */
export function answerTasks<Asked>(work: (task: Asked) => unknown): void {
  process.on("message", async ({ id, task }: Task) => {
    process.send?.(await answered(id, () => work(task as Asked)));
  });
}

async function answered(id: number, work: () => unknown): Promise<Reply> {
  try {
    return { id, result: await work() };
  } catch (error) {
    return { id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}
