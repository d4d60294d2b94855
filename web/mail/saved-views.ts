// Views that people have saved: asked for, compared with what the list shows, saved and removed.
import { queryOptions, useMutation } from "@tanstack/react-query";
import { api, told } from "../api.ts";
import type { components } from "../api.gen.ts";
import { queries } from "../queries.ts";
import type { FilterName, Filters } from "./filters.ts";

export type SavedView = components["schemas"]["MailView"];

const KEY = ["mail views"];

export const savedViewsQuery = queryOptions({
  queryKey: KEY,
  queryFn: async () => (await told(api.GET("/mail-views"))).views,
  throwOnError: false,
});

/** As the address of the list has it. */
export function filtersOf({ filter }: Pick<SavedView, "filter">): Filters {
  const entries = Object.entries(filter).map(([name, value]) => [name, String(value)]);
  return Object.fromEntries(entries) as Filters;
}

/** As the server keeps it: states a list, moments as they were asked for. */
function kept({ status, held, retrying, ...same }: Filters): SavedView["filter"] {
  const filter = {
    ...same,
    ...(status === undefined ? {} : { status: status.split(",") }),
    ...(held === undefined ? {} : { held: held === "true" }),
    ...(retrying === undefined ? {} : { retrying: retrying === "true" }),
  };
  return filter as SavedView["filter"];
}

export function isSame(one: Filters, other: Filters): boolean {
  const names = new Set([...Object.keys(one), ...Object.keys(other)]) as Set<FilterName>;
  return [...names].every((name) => one[name] === other[name]);
}

type NewView = { readonly name: string; readonly filters: Filters; readonly shared: boolean };

const again = () => queries.invalidateQueries({ queryKey: KEY });

/** `inForm`: the form shows what is refused. */
export const useSave = (done: () => void, inForm = true) =>
  useMutation({
    mutationFn: ({ name, filters, shared }: NewView) =>
      told(api.POST("/mail-views", { body: { name, filter: kept(filters), shared } })),
    onSuccess: () => (done(), again()),
    meta: { inForm },
  });

export const useRemove = (done: (view: SavedView) => void) =>
  useMutation({
    mutationFn: ({ id }: SavedView) => told(api.DELETE("/mail-views/{id}", { params: { path: { id } } })),
    onSuccess: (_, view) => (done(view), again()),
  });
