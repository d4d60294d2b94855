// API calls for the ways out and their rules.
import { queryOptions, useMutation } from "@tanstack/react-query";
import { call, Fault } from "../../calls/api.ts";
import type { components, operations } from "../../api.gen.ts";
import { queries } from "../../calls/queries.ts";
import { query } from "../../calls/query.ts";
import { save } from "../../saving/save.ts";
import { savedOver } from "../../saving/saved-over.ts";
import { allPages, PAGE_SIZE } from "../all-pages.ts";

export type SendingRoute = components["schemas"]["Way"];
export type Rule = components["schemas"]["WayRule"];
export type NewWay = operations["createWay"]["requestBody"]["content"]["application/json"];
export type WayChange = NonNullable<operations["updateWay"]["requestBody"]>["content"]["application/json"];
export type NewRule = operations["setWayRules"]["requestBody"]["content"]["application/json"]["rules"][number];
export type PreviewedMail = operations["previewWay"]["requestBody"]["content"]["application/json"];

const POLL_MS = 10_000;
const KEY = ["installation", "ways"];

export const waysQuery = queryOptions({
  queryKey: KEY,
  queryFn: () => allPages((page) => call("GET /installation/ways", { page, pageSize: PAGE_SIZE })),
  refetchInterval: POLL_MS,
});

export const rulesQuery = query("GET /installation/way-rules");

const refetch = () => queries.invalidateQueries({ queryKey: ["installation"] });

export function useAddWay(onDone: (way: SendingRoute) => void) {
  return useMutation({
    mutationFn: (body: NewWay) => call("POST /installation/ways", { body }),
    onSuccess: async (way) => {
      await refetch();
      onDone(way);
    },
    meta: { inForm: true },
  });
}

/** `seen`: the way as the form was opened. `onDone`: false = the author kept the other version. */
export function useChangeWay(seen: SendingRoute, onDone: (isMine: boolean) => void) {
  const { name } = seen;
  return useMutation({
    mutationFn: (mine: WayChange) => save("PATCH /installation/ways/{name}", { name }, { seen, mine }),
    onSuccess: async ({ isMine }) => {
      await refetch();
      onDone(isMine);
    },
    meta: { inForm: true },
  });
}

export function useTurnWay(name: string, to: "pause" | "resume", onDone: () => void) {
  return useMutation({
    mutationFn: () => call(`POST /installation/ways/{name}/${to}`, { name }),
    onSuccess: async () => {
      await refetch();
      onDone();
    },
  });
}

export function useRemoveWay(name: string, onDone: () => void) {
  return useMutation({
    mutationFn: () => call("DELETE /installation/ways/{name}", { name }),
    onSuccess: async () => {
      await refetch();
      onDone();
    },
  });
}

export function tryQuery(name: string) {
  return queryOptions({
    queryKey: [...KEY, "try", name],
    queryFn: () => call("POST /installation/ways/{name}/try", { name }),
    gcTime: 0,
    staleTime: Infinity,
  });
}

/** Fetched once: each call creates another code. */
export function signInQuery(name: string) {
  return queryOptions({
    queryKey: [...KEY, "sign-in", name],
    queryFn: () => call("POST /installation/ways/{name}/sign-in", { name }),
    gcTime: 0,
    staleTime: Infinity,
    retry: false,
    throwOnError: false,
  });
}

/** `answer`: the query of the URL to which the service has redirected. */
export type SignInAnswer = Pick<components["schemas"]["WaySignIn"], "ticket" | "intervalSeconds"> & {
  readonly answer?: string | null;
};

/** With a code to enter, polls until the person has agreed or declined. */
export function signedInQuery(name: string, { ticket, answer = null, intervalSeconds }: SignInAnswer) {
  return queryOptions({
    queryKey: [...KEY, "signed-in", name, ticket],
    queryFn: () => call("POST /installation/ways/{name}/sign-in/check", { name, body: { ticket, answer } }),
    gcTime: 0,
    staleTime: Infinity,
    throwOnError: false,
    refetchInterval: ({ state }) =>
      intervalSeconds === null || (state.data && state.data.state !== "WAITING") ? false : intervalSeconds * 1000,
  });
}

export type RuleList = components["schemas"]["WayRules"];
type RuleSave = { readonly rules: readonly NewRule[]; readonly seen: RuleList };

/** The rules in the form that a change has. */
const listed = ({ data, ...all }: RuleList) => ({ ...all, rules: data });

/**
 * Replaces all rules, in this order. `at`: the index of the rule in the form, whose errors it shows; null = no form.
 */
export function useSetRules(onDone: (isMine: boolean) => void, at: number | null = null) {
  return useMutation({
    mutationFn: ({ rules, seen }: RuleSave) =>
      savedOver({
        seen: listed(seen),
        mine: { rules },
        send: async (ifUpdatedAt) =>
          listed(await call("PUT /installation/way-rules", { body: { rules: [...rules], ifUpdatedAt } })),
        load: async () => listed(await call("GET /installation/way-rules")),
      }).catch((error: unknown) => Promise.reject(at === null ? error : ofRule(error, at))),
    onSuccess: async ({ isMine }) => {
      await refetch();
      onDone(isMine);
    },
    onError: refetch,
    meta: { inForm: at !== null },
  });
}

function ofRule(error: unknown, at: number): unknown {
  if (!(error instanceof Fault)) return error;
  const place = `rules.${at}.`;
  const errors = error.errors.flatMap((one) =>
    one.field.startsWith(place) ? [{ ...one, field: one.field.slice(place.length) }] : [],
  );
  const { status, code, message, suggestion, requestId, why } = error;
  return new Fault(status, code, message, suggestion, requestId, errors, why);
}

export function usePreview() {
  return useMutation({
    mutationFn: (body: PreviewedMail) => call("POST /installation/way-rules/preview", { body }),
    meta: { inForm: true },
  });
}
