// The API call behind the open screen. Every page loads this file; curl.ts formats the call.
import { useEffect } from "react";
import { signal } from "./signal.ts";

export type ScreenCall = {
  readonly method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** With its parameters filled in: `/emails/0192…`. */
  readonly path: string;
  readonly query?: Readonly<
    Record<string, string | number | boolean | readonly string[] | Readonly<Record<string, string>> | undefined>
  >;
  readonly body?: unknown;
  /** Only people may, so no key will do. */
  readonly person?: true;
};

/** The call of the screen that is open. */
export const screenCall = signal<ScreenCall | null>(null);

export function useScreenCall(call: ScreenCall): void {
  const text = JSON.stringify(call);
  useEffect(() => {
    const shown = JSON.parse(text) as ScreenCall;
    screenCall.set(shown);
    return () => screenCall.set(null);
  }, [text]);
}

/** A link to the same screen in the same workspace. */
export function currentLink(workspace: string | null): string {
  const link = new URL(location.href);
  if (workspace) link.searchParams.set("workspace", workspace);
  return link.href;
}
