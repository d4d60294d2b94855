// All workspaces of this server, asked of it and changed.
import { queryOptions, useMutation } from "@tanstack/react-query";
import { api, unwrap } from "../../../api.ts";
import type { components } from "../../../api.gen.ts";
import { queries } from "../../../queries.ts";
import { meQuery } from "../../../session.ts";
import { everyPage, PAGE_SIZE } from "../../every-page.ts";

export type Workspace = components["schemas"]["InstallationWorkspace"];

export const workspacesQuery = queryOptions({
  queryKey: ["installation", "workspaces"],
  queryFn: () =>
    everyPage((page) => unwrap(api.GET("/workspaces", { params: { query: { page, pageSize: PAGE_SIZE } } }))),
});

/** The side names them, too. */
async function askAgain(): Promise<void> {
  await queries.invalidateQueries({ queryKey: ["installation"] });
  await queries.invalidateQueries({ queryKey: meQuery.queryKey });
}

export function useMaking() {
  return useMutation({
    mutationFn: (name: string) => unwrap(api.POST("/workspaces", { body: { name } })),
    onSuccess: askAgain,
    // Nobody but the page that made them may keep the keys.
    gcTime: 0,
    meta: { inForm: true },
  });
}

type Change = { readonly id: string; readonly name?: string; readonly disabled?: boolean };

/** `inForm`: its faults are shown by a form. */
export function useChange(onDone: (workspace: Workspace) => void, inForm = false) {
  return useMutation({
    mutationFn: ({ id, ...body }: Change) => unwrap(api.PATCH("/workspaces/{id}", { params: { path: { id } }, body })),
    onSuccess: async (workspace) => {
      await askAgain();
      // What was refused or held a moment ago is looked at again.
      void queries.invalidateQueries();
      onDone(workspace);
    },
    meta: { inForm },
  });
}
