// Signs by the fastest engine of the machine. The first signature starts a trial; until it is over, or if anything goes
// wrong, Bun's own engine signs.
import { WorkerThread } from "../../../base/jobs/worker-thread.ts";
import { signBeside, type SignBytes } from "./rsa.ts";
import type { SignRequest } from "./sign-worker.ts";

export function fastestSigner(): SignBytes {
  let isFaster: boolean | null = null;
  let thread: WorkerThread<SignRequest> | null = null;
  const end = () => {
    isFaster = false;
    thread?.stop("it is not needed");
    thread = null;
  };
  const begin = (pem: string) => {
    isFaster = false;
    thread = new WorkerThread<SignRequest>({
      name: "The signing thread",
      start: () => new Worker(new URL("./sign-worker.ts", import.meta.url).href, { smol: true }),
      opening: { kind: "open" },
      isGathered: true,
    });
    thread.ask<boolean>({ kind: "try", pem }).then((isWorthIt) => (isWorthIt ? (isFaster = true) : end()), end);
  };
  return async (input, pem) => {
    if (isFaster === null) begin(pem);
    if (!isFaster || thread === null) return signBeside(input, pem);
    try {
      return await thread.ask<Uint8Array>({ kind: "sign", input, pem });
    } catch {
      if (!thread?.isRunning) end();
      return signBeside(input, pem);
    }
  };
}
