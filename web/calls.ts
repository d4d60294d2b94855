// What a screen shows is a call of the API: it can be copied as a curl line, with $KEY in place of the session.
import { useEffect } from "react";
import { calledWorkspace } from "./api.ts";
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

export function curlOf({ method = "GET", path, query = {}, body, person }: Call): string {
  const words = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [value].flat().map((one) => [name, String(one)] as [string, string]),
  );
  const search = words.length > 0 ? `?${new URLSearchParams(words)}` : "";
  const lines = [
    `curl ${method === "GET" ? "" : `-X ${method} `}"${location.origin}${path}${search}"`,
    ...(person ? ofPerson() : [`  -H "Authorization: Bearer $KEY"`]),
    ...(body === undefined
      ? []
      : [
          `  -H "Content-Type: application/json"`,
          `  -d ${quoted(JSON.stringify(body, null, 2).replaceAll("\n", "\n  "))}`,
        ]),
  ];
  return lines.join(" \\\n");
}

/** What a browser sends along by itself. */
function ofPerson(): readonly string[] {
  const cookie = location.protocol === "https:" ? "__Host-posthorn" : "posthorn";
  const workspace = calledWorkspace.get();
  return [
    `  -b "${cookie}=$SESSION" -H "Sec-Fetch-Site: same-origin"`,
    ...(workspace ? [`  -H "X-Workspace: ${workspace}"`] : []),
  ];
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Opens the same screen in the same workspace, for whoever may. */
export function linkHere(workspace: string | null): string {
  const link = new URL(location.href);
  if (workspace) link.searchParams.set("workspace", workspace);
  return link.href;
}
