// What the forms of steps have to choose from: templates, segments, names of events and keys of data.
import { useQuery } from "@tanstack/react-query";
import { useKnown } from "../../condition/known.ts";
import { everyTemplate } from "../../templates/calls.ts";

const STALE_MS = 60_000;

export type KnownTemplate = {
  readonly id: string;
  readonly name: string;
  readonly subject: string;
  readonly from: string | null;
};

/** All of them: an old workflow may send an old one. */
export function useTemplates(): readonly KnownTemplate[] {
  const { data } = useQuery({
    queryKey: ["templates", "to choose from"],
    queryFn: async () => {
      const found = await everyTemplate();
      return found.map(({ id, name, subject, from }) => ({ id, name, subject, from: from ?? null }));
    },
    staleTime: STALE_MS,
    throwOnError: false,
  });
  return data ?? NONE;
}

const NONE: readonly KnownTemplate[] = [];

export { useKnown };
