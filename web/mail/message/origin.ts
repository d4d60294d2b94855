// The name of an email's source: a template, campaign or workflow.
import { queryOptions } from "@tanstack/react-query";
import { call, Fault } from "../../calls/api.ts";

export type Origin = { readonly kind: "template" | "campaign" | "workflow"; readonly id: string };

/** The name; null = deleted. */
export const originQuery = ({ kind, id }: Origin) =>
  queryOptions({
    queryKey: [`${kind}s`, "name", id],
    queryFn: async () => {
      try {
        const answer = await call(`GET /${kind}s/{id}`, { id });
        return "data" in answer ? answer.data.name : answer.name;
      } catch (error) {
        if (error instanceof Fault && error.status === 404) return null;
        throw error;
      }
    },
    throwOnError: false,
  });
