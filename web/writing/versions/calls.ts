// API calls for versions, the same for templates and campaigns.
import { useMutation, useQuery } from "@tanstack/react-query";
import { api, unwrap } from "../../api.ts";
import type { Schemas } from "../../schemas.ts";
import type { SavedRecord } from "../saving/autosave.ts";

export type ContentVersion = Schemas["Version"];
export type ComparedVersion = Schemas["ComparedVersion"];

/** The owner of the versions. `key` starts with its topic. */
export type VersionsOf = { readonly of: "templates" | "campaigns"; readonly id: string };

export function useVersions({ of, id }: VersionsOf) {
  const at = { params: { path: { id } } };
  return useQuery({
    queryKey: [of, "versions", id],
    queryFn: async () => {
      const answer =
        of === "templates" ? api.GET("/templates/{id}/versions", at) : api.GET("/campaigns/{id}/versions", at);
      return (await unwrap<{ versions: readonly ContentVersion[] }>(answer)).versions;
    },
    throwOnError: false,
  });
}

export function useVersion({ of, id }: VersionsOf, versionId: string | undefined, other: string | undefined) {
  return useQuery({
    queryKey: [of, "versions", id, versionId, other],
    queryFn: () => {
      const path = { id, versionId: versionId ?? "" };
      const at = { params: { path, ...(other === undefined ? {} : { query: { with: other } }) } };
      return unwrap<ComparedVersion>(
        of === "templates"
          ? api.GET("/templates/{id}/versions/{versionId}", at)
          : api.GET("/campaigns/{id}/versions/{versionId}", at),
      );
    },
    enabled: versionId !== undefined,
  });
}

/** Refused if it was saved since `updatedAt`. */
export function useRestoring({ of, id }: VersionsOf, done: () => void) {
  return useMutation({
    mutationFn: ({ versionId, updatedAt }: { readonly versionId: string } & SavedRecord): Promise<unknown> => {
      const call = { params: { path: { id, versionId } }, body: { ifUpdatedAt: updatedAt } };
      return of === "templates"
        ? unwrap(api.POST("/templates/{id}/versions/{versionId}/restore", call))
        : unwrap(api.POST("/campaigns/{id}/versions/{versionId}/restore", call));
    },
    onSuccess: done,
  });
}
