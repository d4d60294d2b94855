// What the forms of steps have to choose from: templates, segments, names of events and keys of data.
import { useQuery } from "@tanstack/react-query";
import { api, told } from "../../api.ts";
import { useKnown } from "../../condition/known.ts";

const STALE_MS = 60_000;
const MOST = 100;

export type KnownTemplate = {
  readonly id: string;
  readonly name: string;
  readonly subject: string;
  readonly from: string | null;
};

/** The newest hundred, and those that steps name. */
export function useTemplates(): readonly KnownTemplate[] {
  const { data } = useQuery({
    queryKey: ["templates", "to choose from"],
    queryFn: async () => {
      const { data: found } = await told(api.GET("/templates", { params: { query: { limit: MOST } } }));
      return found.map(({ id, name, subject, from }) => ({ id, name, subject, from: from ?? null }));
    },
    staleTime: STALE_MS,
    throwOnError: false,
  });
  return data ?? NONE;
}

const NONE: readonly KnownTemplate[] = [];

export { useKnown };
