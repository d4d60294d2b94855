// API calls for saved views.
import { useMutation } from "@tanstack/react-query";
import { call } from "../calls/api.ts";
import type { components } from "../api.gen.ts";
import { queries } from "../calls/queries.ts";
import { keyOf, query } from "../calls/query.ts";

export type SavedView = components["schemas"]["View"];
export type ListName = SavedView["list"];
export type ViewFilters = Readonly<Record<string, string | undefined>>;

export const viewsQuery = (list: ListName) =>
  query("GET /views", { list }, { select: ({ views }) => views, throwOnError: false });

/** The filters that have a value. */
export function activeFilters(filters: ViewFilters): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(filters).flatMap(([name, value]) => (value ? [[name, value]] : [])));
}

export function isSame(one: ViewFilters, other: ViewFilters): boolean {
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].every((name) => one[name] === other[name]);
}

const refetch = (list: ListName) => queries.invalidateQueries({ queryKey: keyOf("GET /views", { list }) });

type NewView = Pick<SavedView, "name" | "filter" | "shared">;

/** `inForm`: a form shows the errors. */
export const useSaveView = (list: ListName, done: () => void, inForm = true) =>
  useMutation({
    mutationFn: (view: NewView) => call("POST /views", { body: { list, ...view } }),
    onSuccess: () => {
      done();
      refetch(list);
    },
    meta: { inForm },
  });

export const useRemoveView = (list: ListName, done: (view: SavedView) => void) =>
  useMutation({
    mutationFn: ({ id }: SavedView) => call("DELETE /views/{id}", { id }),
    onSuccess: (_, view) => {
      done(view);
      refetch(list);
    },
  });
