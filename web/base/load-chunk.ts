// Loads a file of the page, and tries again if the network fails. After that, the bar above the page shows that a part
// is missing.
import { reportTrouble } from "./connection.ts";
import "./import-files.ts";
import { signal } from "./signal.ts";

const PAUSES_MS = [300, 1_000];

/** The number of files that are loading, for the thin bar at the top. */
export const loadingChunks = signal(0);

export async function loadChunk<Module>(load: () => Promise<Module>): Promise<Module> {
  loadingChunks.set(loadingChunks.get() + 1);
  try {
    for (const pauseMs of PAUSES_MS) {
      try {
        return await load();
      } catch {
        await new Promise((resolve) => setTimeout(resolve, pauseMs));
      }
    }
    return await load();
  } catch (error) {
    reportTrouble("part");
    throw error;
  } finally {
    loadingChunks.set(loadingChunks.get() - 1);
  }
}

/** Sets `status` and `value`, which React's `use` reads: a settled promise then renders without suspending. */
export function settledPromise<Value>(promise: Promise<Value>): Promise<Value> {
  void promise.then((value) => Object.assign(promise, { status: "fulfilled", value }));
  return promise;
}
