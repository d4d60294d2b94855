// The API call of the open screen. Every page loads this file; curl.ts formats the call.
import { useEffect } from "react";
import { signal } from "../base/signal.ts";

export type ScreenCall = {
  readonly method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** With parameters filled in: `/emails/0192…`. */
  readonly path: string;
  readonly query?: Readonly<
    Record<string, string | number | boolean | readonly string[] | Readonly<Record<string, string>> | undefined>
  >;
  readonly body?: unknown;
  /** Only users may make this call: API keys are refused. */
  readonly person?: true;
};

export const screenCall = signal<ScreenCall | null>(null);

export function useScreenCall(call: ScreenCall): void {
  const text = JSON.stringify(call);
  useEffect(() => {
    const shown = JSON.parse(text) as ScreenCall;
    screenCall.set(shown);
    return () => screenCall.set(null);
  }, [text]);
}

/** The URL of this screen, with the workspace. */
export function currentLink(workspace: string | null): string {
  const link = new URL(location.href);
  if (workspace) link.searchParams.set("workspace", workspace);
  return link.href;
}
