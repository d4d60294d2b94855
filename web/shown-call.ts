// The call of the screen that is open: every page waits for this file. What makes a line of it is in calls.ts.
import { useEffect } from "react";
import { signal } from "./signal.ts";

export type Call = {
  readonly method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** With its parameters filled in: `/emails/0192…`. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;
  readonly body?: unknown;
  /** Only people may, so no key will do. */
  readonly person?: true;
};

/** The call of the screen that is open. */
export const shownCall = signal<Call | null>(null);

export function useCall(call: Call): void {
  const text = JSON.stringify(call);
  useEffect(() => {
    const shown = JSON.parse(text) as Call;
    shownCall.set(shown);
    return () => shownCall.set(null);
  }, [text]);
}

/** Opens the same screen in the same workspace, for people with the permission. */
export function linkHere(workspace: string | null): string {
  const link = new URL(location.href);
  if (workspace) link.searchParams.set("workspace", workspace);
  return link.href;
}
