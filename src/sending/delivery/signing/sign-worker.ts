// Runs on the signing thread: signs by libcrypto, which has no calls that go on beside the event loop.
import { lowerThreadPriority } from "../../../base/jobs/thread-priority.ts";
import { carryOutWhatIsAsked } from "../../../base/jobs/worker-side.ts";
import { isWorthIt, openLibcrypto, speedsOf } from "./libcrypto.ts";

export type SignRequest =
  | { readonly kind: "open" }
  /** Answers whether libcrypto is there, and signs so much faster that this thread is worth it. */
  | { readonly kind: "try"; readonly pem: string }
  | { readonly kind: "sign"; readonly input: Uint8Array; readonly pem: string };

const libcrypto = openLibcrypto();

// Each signature is answered by itself: those that came together would all wait for the last of them, and so would the
// connections that they are for.
carryOutWhatIsAsked<SignRequest>((request) => {
  if (request.kind === "open") return lowerThreadPriority();
  if (!libcrypto) return false;
  if (request.kind === "sign") return libcrypto.sign(request.input, request.pem);
  const speeds = speedsOf(libcrypto, request.pem);
  return speeds !== null && isWorthIt(speeds);
});
