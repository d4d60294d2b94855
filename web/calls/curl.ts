// Turns the API call behind a screen into a curl command, with $KEY in place of the session.
import { pairsOf } from "./request.ts";
import { workspaceId } from "./api.ts";
import type { ScreenCall } from "./screen-call.ts";

export {
  currentLink as linkHere,
  screenCall as shownCall,
  useScreenCall as useCall,
  type ScreenCall,
} from "./screen-call.ts";

export function curlOf({ method = "GET", path, query = {}, body, person }: ScreenCall): string {
  const words = pairsOf(query);
  const search = words.length > 0 ? `?${new URLSearchParams(words)}` : "";
  const lines = [
    `curl ${method === "GET" ? "" : `-X ${method} `}"${location.origin}${path}${search}"`,
    ...(person ? personHeaders() : [`  -H "Authorization: Bearer $KEY"`]),
    ...(body === undefined
      ? []
      : [
          `  -H "Content-Type: application/json"`,
          `  -d ${quoted(JSON.stringify(body, null, 2).replaceAll("\n", "\n  "))}`,
        ]),
  ];
  return lines.join(" \\\n");
}

/** Headers that browsers add by themselves. */
function personHeaders(): readonly string[] {
  const cookie = location.protocol === "https:" ? "__Host-posthorn" : "posthorn";
  const workspace = workspaceId.get();
  return [
    `  -b "${cookie}=$SESSION" -H "Sec-Fetch-Site: same-origin"`,
    ...(workspace ? [`  -H "X-Workspace: ${workspace}"`] : []),
  ];
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
