// API calls for versions, the same for templates and campaigns.
import { useMutation, useQuery } from "@tanstack/react-query";
import { call } from "../../calls/api.ts";
import type { Schemas } from "../../calls/schemas.ts";
import type { SavedRecord } from "../saving/autosave.ts";

export type ContentVersion = Schemas["Version"];
export type ComparedVersion = Schemas["ComparedVersion"];

/** The template or campaign of the versions. */
export type VersionsOf = { readonly of: "templates" | "campaigns"; readonly id: string };

export function useVersions({ of, id }: VersionsOf) {
  return useQuery({
    queryKey: [of, "versions", id],
    queryFn: async () => (await call(`GET /${of}/{id}/versions`, { id })).versions,
    throwOnError: false,
  });
}

export function useVersion({ of, id }: VersionsOf, versionId: string | undefined, other: string | undefined) {
  return useQuery({
    queryKey: [of, "versions", id, versionId, other],
    queryFn: () => call(`GET /${of}/{id}/versions/{versionId}`, { id, versionId: versionId ?? "", with: other }),
    enabled: versionId !== undefined,
  });
}

/** Refused if it was saved since `updatedAt`. */
export function useRestoring({ of, id }: VersionsOf, done: () => void) {
  return useMutation({
    mutationFn: ({ versionId, updatedAt }: { readonly versionId: string } & SavedRecord) =>
      call(`POST /${of}/{id}/versions/{versionId}/restore`, { id, versionId, body: { ifUpdatedAt: updatedAt } }),
    onSuccess: done,
  });
}
