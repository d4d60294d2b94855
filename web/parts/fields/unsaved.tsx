// Guards unsaved changes against every way of leaving: links, Back, another workspace, a closed window.
import { useRouter } from "@tanstack/react-router";
import { Suspense, useEffect, useRef, useState } from "react";
import { canLeave, mustAsk, unsavedForms } from "../../base/unsaved.ts";
import { lazyPart, nothing } from "../../chunks.tsx";

const Question = lazyPart(() => import("./leave-question.tsx"), "LeaveQuestion", nothing);

type LeavePrompt = { readonly answer: (leaves: boolean) => void };

type GuardProps = {
  /** The form unmounts with its tab, so a change of tab asks too. */
  readonly inTab?: boolean;
  /** Tries to save first; true = saved, nothing is asked. */
  readonly settle?: () => Promise<boolean>;
};

export function UnsavedGuard({ inTab = false, settle }: GuardProps) {
  const { history } = useRouter();
  const latest = useRef(settle);
  latest.current = settle;
  const [asked, setAsked] = useState<LeavePrompt | null>(null);
  useEffect(() => {
    const ask = async () => {
      if (await latest.current?.()) return true;
      const { promise, resolve } = Promise.withResolvers<boolean>();
      setAsked({ answer: resolve });
      return promise;
    };
    unsavedForms.add(ask);
    // Preloaded, so that the question works offline too.
    void Question.preload();
    const unblock = history.block({
      // A change of filters in the URL keeps the form.
      blockerFn: async ({ currentLocation: here, nextLocation: next }) =>
        (here.pathname !== next.pathname || (inTab && tabIn(here) !== tabIn(next))) && !(await canLeave()),
      enableBeforeUnload: mustAsk,
    });
    return () => {
      unsavedForms.delete(ask);
      unblock();
    };
  }, [history, inTab]);
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

function tabIn({ search }: { readonly search: string }): string | null {
  return new URLSearchParams(search).get("tab");
}
