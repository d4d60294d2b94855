// API calls for all workspaces of this server.
import { queryOptions, useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { call, proveFirst } from "../../../calls/api.ts";
import type { components } from "../../../api.gen.ts";
import { queries } from "../../../calls/queries.ts";
import { saveFrom } from "../../../base/save-file.ts";
import { save } from "../../../saving/save.ts";
import { requestOf } from "../../../calls/request.ts";
import { meQuery } from "../../../calls/session.ts";
import { upload } from "../../../calls/upload.ts";
import { allPages, PAGE_SIZE } from "../../all-pages.ts";

export type ListedWorkspace = components["schemas"]["InstallationWorkspace"];

const loadWorkspaces = () => allPages((page) => call("GET /workspaces", { page, pageSize: PAGE_SIZE }));

export const workspacesQuery = queryOptions({ queryKey: ["installation", "workspaces"], queryFn: loadWorkspaces });

/** Also refetches the workspaces in the sidebar. */
async function refetch(): Promise<void> {
  await queries.invalidateQueries({ queryKey: ["installation"] });
  await queries.invalidateQueries({ queryKey: meQuery.queryKey });
}

export function useCreate() {
  return useMutation({
    mutationFn: (name: string) => call("POST /workspaces", { body: { name } }),
    onSuccess: refetch,
    // Removes the keys from the cache once the page has unmounted.
    gcTime: 0,
    meta: { inForm: true },
  });
}

type WorkspaceChange = { readonly seen: ListedWorkspace; readonly name?: string; readonly disabled?: boolean };

function change({ seen, ...mine }: WorkspaceChange) {
  const { id } = seen;
  return save(
    "PATCH /workspaces/{id}",
    { id },
    {
      seen,
      mine,
      load: async () => (await loadWorkspaces()).find((one) => one.id === id) ?? seen,
      // The rest of its settings is on another screen.
      compares: "mine",
    },
  );
}

/** `inForm`: a form shows the errors. */
export function useChange(onDone: (workspace: ListedWorkspace, isMine: boolean) => void, inForm = false) {
  return useMutation({
    mutationFn: change,
    onSuccess: async ({ row: workspace, isMine }) => {
      await refetch();
      // A disabled or enabled workspace changes the answers of other calls.
      void queries.invalidateQueries();
      onDone(workspace, isMine);
    },
    meta: { inForm },
  });
}

type WorkspaceExport = { readonly id: string; readonly since: string | null };

/** The browser downloads the file. `onBegin`: called after the proof, when the download starts. */
export function useExport(onBegin: () => void) {
  return useMutation({
    mutationFn: async (asked: WorkspaceExport) => {
      if (!(await proveFirst())) return;
      saveFrom(requestOf("GET /workspaces/{id}/export", asked).url);
      onBegin();
    },
    meta: { inForm: true },
  });
}

type WorkspaceFile = { readonly file: File; readonly name: string; readonly signal: AbortSignal };

/** `sent`: the share of the file that has been sent, from 0 to 1; null = no upload. */
export function useImport() {
  const [sent, setSent] = useState<number | null>(null);
  const importing = useMutation({
    mutationFn: async ({ file, name, signal }: WorkspaceFile) => {
      if (!(await proveFirst())) return null;
      const body = new FormData();
      body.append("file", file);
      setSent(0);
      const named = name === "" ? {} : { name };
      return upload("POST /workspaces/import", { ...named, body }, { onSent: setSent, signal });
    },
    onSuccess: refetch,
    onSettled: () => setSent(null),
    meta: { inForm: true },
  });
  return { ...importing, sent };
}
