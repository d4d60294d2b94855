// The name of an email's source: a template, campaign or workflow.
import { queryOptions } from "@tanstack/react-query";
import { api, Fault, unwrap } from "../api.ts";

export type Origin = { readonly kind: "template" | "campaign" | "workflow"; readonly id: string };

type NamedRecord = { readonly data?: { readonly name?: string }; readonly name?: string };

/** Null if it was deleted. */
export const originQuery = ({ kind, id }: Origin) =>
  queryOptions({
    queryKey: [`${kind}s`, "name", id],
    queryFn: async () => {
      const path = { params: { path: { id } } };
      const paths = { template: "/templates/{id}", campaign: "/campaigns/{id}", workflow: "/workflows/{id}" } as const;
      try {
        const answer = (await unwrap(api.GET(paths[kind], path))) as NamedRecord;
        return answer.name ?? answer.data?.name ?? null;
      } catch (error) {
        if (error instanceof Fault && error.status === 404) return null;
        throw error;
      }
    },
    throwOnError: false,
  });
