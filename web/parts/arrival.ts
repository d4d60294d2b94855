// After a change of page, the focus moves to its heading, which screen readers then read out.
import { useRouterState } from "@tanstack/react-router";
import { useEffect } from "react";
import { signal } from "../base/signal.ts";

/** The page that was announced last. */
let lastPath: string | null = null;
/** The title for screen readers if the focus does not move, as in a list with a row open beside it. */
export const announced = signal("");

export function useArrival(title: string): void {
  // The path of the shown page: while the next one loads, the clicked element keeps the focus.
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

/** True if the focus is inside the screen, a dialog or a menu. */
function isBusyElsewhere(): boolean {
  return document.activeElement?.closest("main > *, [role=dialog], .menu") != null;
}

/** Repeated while nothing has the focus: the heading may be rendered late, or be replaced with its screen. */
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
