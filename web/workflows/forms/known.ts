// The templates that step forms offer.
import { useQuery } from "@tanstack/react-query";
import { useKnownNames } from "../../condition/known-names.ts";
import { allTemplatesQuery } from "../../templates/calls.ts";

const STALE_MS = 60_000;

export type KnownTemplate = {
  readonly id: string;
  readonly name: string;
  readonly subject: string;
  readonly from: string | null;
  readonly type: string;
};

/** All templates, not only the newest: an old workflow may use an old one. */
export function useTemplates(): readonly KnownTemplate[] {
  const { data } = useQuery({
    queryKey: ["templates", "to choose from"],
    queryFn: async () => {
      const found = await allTemplatesQuery();
      return found.map(({ id, name, subject, from, type }) => ({ id, name, subject, from: from ?? null, type }));
    },
    staleTime: STALE_MS,
    throwOnError: false,
  });
  return data ?? NONE;
}

const NONE: readonly KnownTemplate[] = [];

export { useKnownNames as useKnown };
