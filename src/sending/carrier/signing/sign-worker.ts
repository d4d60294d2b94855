// The signing thread: signs by libcrypto, whose calls block the event loop.
import { lowerThreadPriority } from "../../../base/jobs/thread-priority.ts";
import { carryOutWhatIsAsked } from "../../../base/jobs/worker-side.ts";
import { isWorthIt, openLibcrypto, speedsOf } from "./libcrypto.ts";

export type SignRequest =
  | { readonly kind: "open" }
  /** Answers whether libcrypto is there, and fast enough to be worth this thread. */
  | { readonly kind: "try"; readonly pem: string }
  | { readonly kind: "sign"; readonly input: Uint8Array; readonly pem: string };

const libcrypto = openLibcrypto();

// Each signature is answered separately: in a batch all would wait for the last one, and so would their connections.
carryOutWhatIsAsked<SignRequest>((request) => {
  if (request.kind === "open") return lowerThreadPriority();
  if (!libcrypto) return false;
  if (request.kind === "sign") return libcrypto.sign(request.input, request.pem);
  const speeds = speedsOf(libcrypto, request.pem);
  return speeds !== null && isWorthIt(speeds);
});
