// API calls for the warm-up of a sender domain.
import { queryOptions, useMutation } from "@tanstack/react-query";
import { api, unwrap } from "../../../api.ts";
import type { components } from "../../../api.gen.ts";
import { queries } from "../../../queries.ts";

export type Warmup = components["schemas"]["Warmup"];
export type Plan = Warmup["plan"];

export function warmupQuery(id: string) {
  return queryOptions({
    queryKey: ["domains", "warmup", id],
    queryFn: () => unwrap(api.GET("/domains/{id}/warmup", { params: { path: { id } } })),
  });
}

export type Act = "pause" | "resume" | "skip" | "restart";

/** Shows the answer at once. */
export function useWarmupAct(id: string, onDone?: () => void) {
  return useMutation({
    mutationFn: (act: Act) => {
      const params = { path: { id } };
      const calls = {
        pause: () => unwrap(api.POST("/domains/{id}/warmup/pause", { params })),
        resume: () => unwrap(api.POST("/domains/{id}/warmup/resume", { params })),
        skip: () => unwrap(api.POST("/domains/{id}/warmup/skip", { params })),
        restart: () => unwrap(api.POST("/domains/{id}/warmup/restart", { params })),
      };
      return calls[act]();
    },
    onSuccess: (warmup) => {
      queries.setQueryData(warmupQuery(id).queryKey, warmup);
      onDone?.();
    },
  });
}

export function usePlanChange(id: string, onDone: () => void) {
  return useMutation({
    mutationFn: (body: Plan) => unwrap(api.PUT("/domains/{id}/warmup", { params: { path: { id } }, body })),
    onSuccess: (warmup) => {
      queries.setQueryData(warmupQuery(id).queryKey, warmup);
      onDone();
    },
  });
}
