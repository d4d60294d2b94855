// API calls for the ways out and their rules.
import { queryOptions, useMutation } from "@tanstack/react-query";
import { api, unwrap } from "../../api.ts";
import type { components, operations } from "../../api.gen.ts";
import { queries } from "../../queries.ts";
import { allPages, PAGE_SIZE } from "../all-pages.ts";

export type Way = components["schemas"]["Way"];
export type Rule = components["schemas"]["WayRule"];
export type NewWay = operations["createWay"]["requestBody"]["content"]["application/json"];
export type WayChange = NonNullable<operations["updateWay"]["requestBody"]>["content"]["application/json"];
export type NewRule = operations["setWayRules"]["requestBody"]["content"]["application/json"]["rules"][number];
export type PreviewedMail = operations["previewWay"]["requestBody"]["content"]["application/json"];

const POLL_MS = 10_000;
const KEY = ["installation", "ways"];

export const waysQuery = queryOptions({
  queryKey: KEY,
  queryFn: () =>
    allPages((page) => unwrap(api.GET("/installation/ways", { params: { query: { page, pageSize: PAGE_SIZE } } }))),
  refetchInterval: POLL_MS,
});

export const rulesQuery = queryOptions({
  queryKey: [...KEY, "rules"],
  queryFn: () => unwrap(api.GET("/installation/way-rules")).then(({ data }) => data),
});

const refetch = () => queries.invalidateQueries({ queryKey: ["installation"] });

export function useAddWay(onDone: (way: Way) => void) {
  return useMutation({
    mutationFn: (body: NewWay) => unwrap(api.POST("/installation/ways", { body })),
    onSuccess: async (way) => {
      await refetch();
      onDone(way);
    },
    meta: { inForm: true },
  });
}

export function useChangeWay(name: string, onDone: () => void) {
  return useMutation({
    mutationFn: (body: WayChange) =>
      unwrap(api.PATCH("/installation/ways/{name}", { params: { path: { name } }, body })),
    onSuccess: async () => {
      await refetch();
      onDone();
    },
    meta: { inForm: true },
  });
}

export function useTurnWay(name: string, to: "pause" | "resume", onDone: () => void) {
  const params = { path: { name } };
  return useMutation({
    mutationFn: () =>
      unwrap(
        to === "pause"
          ? api.POST("/installation/ways/{name}/pause", { params })
          : api.POST("/installation/ways/{name}/resume", { params }),
      ),
    onSuccess: async () => {
      await refetch();
      onDone();
    },
  });
}

export function useRemoveWay(name: string, onDone: () => void) {
  return useMutation({
    mutationFn: () => unwrap(api.DELETE("/installation/ways/{name}", { params: { path: { name } } })),
    onSuccess: async () => {
      await refetch();
      onDone();
    },
  });
}

export function tryQuery(name: string) {
  return queryOptions({
    queryKey: [...KEY, "try", name],
    queryFn: () => unwrap(api.POST("/installation/ways/{name}/try", { params: { path: { name } } })),
    gcTime: 0,
    staleTime: Infinity,
  });
}

/** Replaces all of them, in this order. */
export function useSetRules(onDone: () => void, inForm = false) {
  return useMutation({
    mutationFn: (rules: NewRule[]) => unwrap(api.PUT("/installation/way-rules", { body: { rules } })),
    onSuccess: async () => {
      await refetch();
      onDone();
    },
    meta: { inForm },
  });
}

export function usePreview() {
  return useMutation({
    mutationFn: (body: PreviewedMail) => unwrap(api.POST("/installation/way-rules/preview", { body })),
    meta: { inForm: true },
  });
}
