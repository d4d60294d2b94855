// After a change of page, the focus moves to its heading, which screen readers then read out.
import { useRouterState } from "@tanstack/react-router";
import { useEffect } from "react";
import { signal } from "../signal.ts";

/** The page that was announced last. */
let lastPath: string | null = null;
/** The title for screen readers where the focus stays: a list with a row open beside it. */
export const announced = signal("");

export function useArrival(title: string): void {
  // Of the page that is shown: while the next one loads, what was clicked still has the focus.
  const path = useRouterState({ select: ({ resolvedLocation, location }) => (resolvedLocation ?? location).pathname });
  useEffect(() => {
    const isFirst = lastPath === null;
    if (path === lastPath) return;
    lastPath = path;
    if (isFirst) return;
    if (!isBusyElsewhere()) return focusHeading();
    announced.set(title);
    setTimeout(() => announced.set(""), SAID_AFTER_MS);
  }, [path, title]);
}

const SAID_AFTER_MS = 1_000;

/** The focus is inside the screen, or in what floats above it. */
function isBusyElsewhere(): boolean {
  return document.activeElement?.closest("main > *, [role=dialog], .menu") != null;
}

/** Again while nothing has the focus: a heading that comes late, or goes for a moment with the rest of its screen. */
function focusHeading(looks = LOOKS): void {
  const heading = document.querySelector<HTMLElement>("main h1");
  if (heading) {
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
  }
  const look = (left: number) => {
    if (document.activeElement === document.body) focusHeading(left);
    else if (left > 0) setTimeout(look, LOOK_AGAIN_MS, left - 1);
  };
  if (looks > 0) setTimeout(look, LOOK_AGAIN_MS, looks - 1);
}

const LOOKS = 100;
const LOOK_AGAIN_MS = 50;
