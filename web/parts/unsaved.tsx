// Guards what somebody has typed and not saved, on every way out: a link, the way back, another workspace, a closed
// window.
import { useRouter } from "@tanstack/react-router";
import { lazy, Suspense, useEffect, useState } from "react";
import { mayLeave, unsaved } from "../unsaved.ts";

const Question = lazy(() => import("./leave-question.tsx").then(({ LeaveQuestion }) => ({ default: LeaveQuestion })));

type Asked = { readonly answer: (leaves: boolean) => void };

export function Unsaved() {
  const { history } = useRouter();
  const [asked, setAsked] = useState<Asked | null>(null);
  useEffect(() => {
    const ask = () => {
      const { promise, resolve } = Promise.withResolvers<boolean>();
      setAsked({ answer: resolve });
      return promise;
    };
    unsaved.add(ask);
    const unblock = history.block({
      // Filters and tabs in the address leave the form where it is.
      blockerFn: async ({ currentLocation, nextLocation }) =>
        currentLocation.pathname !== nextLocation.pathname && !(await mayLeave()),
      enableBeforeUnload: true,
    });
    return () => {
      unsaved.delete(ask);
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
