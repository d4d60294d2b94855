// API calls for all workspaces of this server.
import { queryOptions, useMutation } from "@tanstack/react-query";
import { api, unwrap } from "../../../api.ts";
import type { components } from "../../../api.gen.ts";
import { queries } from "../../../queries.ts";
import { meQuery } from "../../../session.ts";
import { allPages, PAGE_SIZE } from "../../all-pages.ts";

export type Workspace = components["schemas"]["InstallationWorkspace"];

export const workspacesQuery = queryOptions({
  queryKey: ["installation", "workspaces"],
  queryFn: () =>
    allPages((page) => unwrap(api.GET("/workspaces", { params: { query: { page, pageSize: PAGE_SIZE } } }))),
});

/** The sidebar lists them too. */
async function refetch(): Promise<void> {
  await queries.invalidateQueries({ queryKey: ["installation"] });
  await queries.invalidateQueries({ queryKey: meQuery.queryKey });
}

export function useCreate() {
  return useMutation({
    mutationFn: (name: string) => unwrap(api.POST("/workspaces", { body: { name } })),
    onSuccess: refetch,
    // Nobody but the page that made them may keep the keys.
    gcTime: 0,
    meta: { inForm: true },
  });
}

type Change = { readonly id: string; readonly name?: string; readonly disabled?: boolean };

/** `inForm`: a form shows the errors. */
export function useChange(onDone: (workspace: Workspace) => void, inForm = false) {
  return useMutation({
    mutationFn: ({ id, ...body }: Change) => unwrap(api.PATCH("/workspaces/{id}", { params: { path: { id } }, body })),
    onSuccess: async (workspace) => {
      await refetch();
      // What was refused or held a moment ago is looked at again.
      void queries.invalidateQueries();
      onDone(workspace);
    },
    meta: { inForm },
  });
}
