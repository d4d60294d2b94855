// Signing in again after the session has ended: a dialog over the page, which keeps its state. The waiting calls then
// go on.
import { Suspense, useEffect } from "react";
import { setSignInPrompt } from "../../calls/api.ts";
import { lazyPart, nothing } from "../../chunks.tsx";
import { signal, useSignal } from "../../base/signal.ts";

const SignInForm = lazyPart(() => import("./sign-in-form.tsx"), "SignInForm", nothing);

type SignInPromise = { readonly promise: Promise<void>; readonly resolve: () => void };
const pending = signal<SignInPromise | null>(null);

/** All calls wait for the same sign-in. */
function askToSignIn(): Promise<void> {
  const asked = pending.get() ?? Promise.withResolvers<void>();
  pending.set(asked);
  return asked.promise;
}

export function SignInAgain() {
  useEffect(() => {
    setSignInPrompt(askToSignIn);
    return () => {
      setSignInPrompt(null);
      pending.set(null);
    };
  }, []);
  const asked = useSignal(pending);
  if (!asked) return null;
  const done = () => {
    pending.set(null);
    asked.resolve();
  };
  return (
    <Suspense>
      <SignInForm done={done} />
    </Suspense>
  );
}
