// API calls for suppressions.
import { useMutation } from "@tanstack/react-query";
import { call } from "../calls/api.ts";
import type { Schemas } from "../calls/schemas.ts";
import { saveFile } from "../base/save-file.ts";
import { queries } from "../calls/queries.ts";
import { pages, query } from "../calls/query.ts";
import type { SuppressionsSearch } from "./search.ts";

export type Suppression = Schemas["Suppression"];
export type Scope = Suppression["scope"];

export const suppressionsQuery = (filter: SuppressionsSearch) =>
  pages("GET /suppressions", { ...filter, limit: 50 }, { ends: true });

export const countsQuery = query("GET /suppressions/counts", {}, { ends: true });

/** The suppressions that apply to an address. */
export const suppressionsOfQuery = (address: string) =>
  query("GET /suppressions", { address }, { ends: true, select: ({ data }) => data });

export const importQuery = (jobId: string) =>
  query(
    "GET /suppressions/imports/{jobId}",
    { jobId },
    {
      ends: true,
      live: false,
      refetchInterval: ({ state }) =>
        state.data?.status === "COMPLETED" || state.data?.status === "FAILED" ? false : 1_000,
    },
  );

/** The people that the suppression of a domain would affect; null: not a domain. */
export const reachQuery = (domain: string | null) =>
  query(
    "GET /suppressions/reach",
    { domain: domain ?? "" },
    { ends: true, enabled: domain !== null, throwOnError: false, retry: false },
  );

function changed(): void {
  void queries.invalidateQueries({ queryKey: ["contacts"] });
}

export function useAdd(done: (one: Suppression) => void) {
  return useMutation({
    mutationFn: (body: Schemas["AddSuppressionRequest"]) => call("POST /suppressions", { body }),
    onSuccess: (one) => {
      changed();
      done(one);
    },
    meta: { inForm: true },
  });
}

export function useLift(done: () => void) {
  return useMutation({
    mutationFn: (id: string) => call("DELETE /suppressions/{id}", { id }),
    onSuccess: () => {
      done();
      changed();
    },
  });
}

type FileToImport = { readonly file: File; readonly reason: string; readonly scope: string };

/** The file comes last, because the fields before it say how to read it. */
export function useImport(done: (jobId: string) => void) {
  return useMutation({
    mutationFn: async ({ file, reason, scope }: FileToImport) => {
      const form = new FormData();
      form.append("reason", reason);
      if (scope !== "") form.append("scope", scope);
      form.append("file", file);
      return (await call("POST /suppressions/imports", { body: form })).jobId;
    },
    onSuccess: done,
    meta: { inForm: true },
  });
}

export function useExport(filter: SuppressionsSearch) {
  return useMutation({
    mutationFn: async () => call("GET /suppressions/export", { ...filter, parseAs: "blob" }),
    onSuccess: (file) => saveFile("suppressions.csv", file),
  });
}

export function listChanged(): void {
  changed();
}
