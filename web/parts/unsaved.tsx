// Guards unsaved changes against every way of leaving: links, Back, another workspace, a closed window.
import { useRouter } from "@tanstack/react-router";
import { Suspense, useEffect, useState } from "react";
import { canLeave, mustAsk, unsavedForms } from "../unsaved.ts";
import { lazyPart, nothing } from "../chunks.tsx";

const Question = lazyPart(() => import("./leave-question.tsx"), "LeaveQuestion", nothing);

type Pending = { readonly answer: (leaves: boolean) => void };

export function UnsavedGuard() {
  const { history } = useRouter();
  const [asked, setAsked] = useState<Pending | null>(null);
  useEffect(() => {
    const ask = () => {
      const { promise, resolve } = Promise.withResolvers<boolean>();
      setAsked({ answer: resolve });
      return promise;
    };
    unsavedForms.add(ask);
    // So that it can be asked without a network too.
    void Question.preload();
    const unblock = history.block({
      // Filters and tabs in the address leave the form where it is.
      blockerFn: async ({ currentLocation, nextLocation }) =>
        currentLocation.pathname !== nextLocation.pathname && !(await canLeave()),
      enableBeforeUnload: mustAsk,
    });
    return () => {
      unsavedForms.delete(ask);
      unblock();
    };
  }, [history]);
  if (!asked) return null;
  const answer = (leaves: boolean) => {
    setAsked(null);
    asked.answer(leaves);
  };
  return (
    <Suspense>
      <Question answer={answer} />
    </Suspense>
  );
}
