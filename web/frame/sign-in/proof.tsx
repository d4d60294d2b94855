// Asks for a fresh proof before keys, users, exports and erasure, then repeats the call.
import { Suspense, useEffect } from "react";
import { setProofPrompt } from "../../calls/api.ts";
import { signal, useSignal } from "../../base/signal.ts";
import { lazyPart, nothing } from "../../chunks.tsx";

const ProofPrompt = lazyPart(() => import("./proof-form.tsx"), "ProofForm", nothing);

type PendingProof = { readonly answer: (proven: boolean) => void };
const pendingProof = signal<PendingProof | null>(null);

function askForProof(): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  pendingProof.get()?.answer(false);
  pendingProof.set({ answer: resolve });
  return promise;
}

export function ProofDialog() {
  useEffect(() => setProofPrompt(askForProof), []);
  const pending = useSignal(pendingProof);
  if (!pending) return null;
  const answer = (proven: boolean) => {
    pendingProof.set(null);
    pending.answer(proven);
  };
  return (
    <Suspense>
      <ProofPrompt answer={answer} />
    </Suspense>
  );
}
