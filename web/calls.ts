// What a screen shows is a call of the API: it can be copied as a curl line, with $KEY in place of the session.
import { calledWorkspace } from "./api.ts";
import type { Call } from "./shown-call.ts";

export { linkHere, shownCall, useCall, type Call } from "./shown-call.ts";

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
