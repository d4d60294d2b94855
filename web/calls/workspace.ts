// The workspace that is open.
import { queryOptions, useSuspenseQuery } from "@tanstack/react-query";
import type { operations } from "../api.gen.ts";
import { call } from "./api.ts";

export type Workspace = operations["getWorkspace"]["responses"][200]["content"]["application/json"];
export type RecipientLanguage = Workspace["language"];

export const workspaceQuery = queryOptions({
  queryKey: ["workspace"],
  queryFn: () => call("GET /workspace"),
});

export function useWorkspace(): Workspace {
  return useSuspenseQuery(workspaceQuery).data;
}
