// Searches, and whatever else takes a while, wait in one line: no workspace may fill it for the others.
import { AppError } from "../errors.ts";

const MAX_SEARCHES_AT_ONCE = 4;

export class Searches {
  readonly #running = new Map<number, number>();

  /** @throws AppError RATE_LIMIT_EXCEEDED while four searches of the workspace are under way */
  async run<Result>(workspace: number, search: () => Promise<Result>): Promise<Result> {
    const running = this.#running.get(workspace) ?? 0;
    if (running >= MAX_SEARCHES_AT_ONCE) throw tooMany();
    this.#running.set(workspace, running + 1);
    try {
      return await search();
    } finally {
      this.#left(workspace);
    }
  }

  #left(workspace: number): void {
    const left = (this.#running.get(workspace) ?? 1) - 1;
    if (left > 0) this.#running.set(workspace, left);
    else this.#running.delete(workspace);
  }
}

function tooMany(): AppError {
  const message = `${MAX_SEARCHES_AT_ONCE} searches of the workspace are under way.`;
  return new AppError("RATE_LIMIT_EXCEEDED", message, { retryAfterSeconds: 1 });
}
