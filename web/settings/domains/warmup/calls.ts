// API calls for the warm-up of a sender domain, or of a way out.
import { queryOptions, useMutation } from "@tanstack/react-query";
import { call } from "../../../calls/api.ts";
import type { components } from "../../../api.gen.ts";
import { queries } from "../../../calls/queries.ts";
import { savedOver } from "../../../saving/saved-over.ts";

export type Warmup = components["schemas"]["Warmup"];
export type Plan = Warmup["plan"];

/** A sender domain by its id, or a way out by its name. */
export type WarmupSubject = { readonly domain: string } | { readonly way: string };

const loadWarmup = (of: WarmupSubject): Promise<Warmup> =>
  "domain" in of
    ? call("GET /domains/{id}/warmup", { id: of.domain })
    : call("GET /installation/ways/{name}/warmup", { name: of.way });

export function warmupQuery(of: WarmupSubject) {
  return queryOptions({
    queryKey: "domain" in of ? ["domains", "warmup", of.domain] : ["installation", "warmup", of.way],
    queryFn: () => loadWarmup(of),
  });
}

export type Act = "pause" | "resume" | "skip" | "restart";

function actOn(of: WarmupSubject, act: Act, reason?: string): Promise<Warmup> {
  const body = act === "skip" ? { body: reason ? { reason } : {} } : {};
  return "domain" in of
    ? call(`POST /domains/{id}/warmup/${act}`, { id: of.domain, ...body })
    : call(`POST /installation/ways/{name}/warmup/${act}`, { name: of.way, ...body });
}

/** Shows the answer without a refetch. */
export function useWarmupAct(of: WarmupSubject, onDone?: () => void) {
  return useMutation({
    mutationFn: (act: Act) => actOn(of, act),
    onSuccess: (warmup) => {
      queries.setQueryData(warmupQuery(of).queryKey, warmup);
      onDone?.();
    },
  });
}

type PlanChange = Plan & { readonly ifUpdatedAt: string | null };

function putPlan(of: WarmupSubject, { ifUpdatedAt, ...plan }: PlanChange): Promise<Warmup> {
  return "domain" in of
    ? call("PUT /domains/{id}/warmup", { id: of.domain, body: { ...plan, ifUpdatedAt } })
    : call("PUT /installation/ways/{name}/warmup", { name: of.way, body: { ...plan, ifUpdatedAt } });
}

/** The plan in the form that the API takes, with its version. */
const planned = (warmup: Warmup) => ({ ...warmup.plan, updatedAt: warmup.updatedAt, warmup });

/** `seen`: the warm-up as the form was opened. */
export function usePlanChange(of: WarmupSubject, seen: Warmup, onDone: () => void) {
  return useMutation({
    mutationFn: (mine: Plan) =>
      savedOver({
        seen: planned(seen),
        mine,
        send: async (ifUpdatedAt) => planned(await putPlan(of, { ...mine, ifUpdatedAt })),
        load: async () => planned(await loadWarmup(of)),
      }),
    onSuccess: ({ row }) => {
      queries.setQueryData(warmupQuery(of).queryKey, row.warmup);
      onDone();
    },
    meta: { inForm: true },
  });
}

/** Ends the warm-up, with the reason why none is needed any more. */
export function useWarmupEnd(of: WarmupSubject, onDone: () => void) {
  return useMutation({
    mutationFn: (reason: string) => actOn(of, "skip", reason),
    onSuccess: (warmup) => {
      queries.setQueryData(warmupQuery(of).queryKey, warmup);
      onDone();
    },
  });
}
