// Asks who is there before what needs a fresh proof: keys, users, export, erasing. The call that wanted it goes on
// after.
import { lazy, Suspense, useEffect } from "react";
import { setProve } from "../api.ts";
import { signal, useSignal } from "../signal.ts";

const Asking = lazy(() => import("./proof-form.tsx").then(({ ProofForm }) => ({ default: ProofForm })));

type Waiting = { readonly answer: (proven: boolean) => void };
const waiting = signal<Waiting | null>(null);

function ask(): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  waiting.get()?.answer(false);
  waiting.set({ answer: resolve });
  return promise;
}

export function ProofDialog() {
  useEffect(() => setProve(ask), []);
  const asked = useSignal(waiting);
  if (!asked) return null;
  const answer = (proven: boolean) => {
    waiting.set(null);
    asked.answer(proven);
  };
  return (
    <Suspense>
      <Asking answer={answer} />
    </Suspense>
  );
}
