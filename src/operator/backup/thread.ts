// The thread that packs. It is started only from this file, which is beside backup-worker.ts: in the executable all
// threads are in one folder.
import { WorkerThread } from "../../base/jobs/worker-thread.ts";
import type { BackupRequest, ShipRequest } from "./backup-worker.ts";

/** `name`: the start of its error messages. */
export function packingThread(name: string): WorkerThread<BackupRequest | ShipRequest | null> {
  return new WorkerThread({
    name,
    start: () => new Worker(new URL("./backup-worker.ts", import.meta.url).href),
    opening: null,
  });
}
