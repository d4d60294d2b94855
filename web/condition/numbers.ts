// How the number of people falls with each filter: asked shortly after the last key, and no longer for what was there
// before.
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";

/** After each filter and group, by its place in the condition: `groups.0.filters.1`. */
export type Numbers = {
  readonly perFilter: readonly { readonly at: string; readonly remaining: number }[];
  /** Counted in a sample. */
  readonly approximate: boolean;
  /** Of the condition before; the new numbers are on their way. */
  readonly isOld: boolean;
};

const PAUSE_MS = 250;

/** What was given last, once nothing else has been given for a moment. */
export function usePaused<Given>(given: Given, pauseMs = PAUSE_MS): Given {
  const [paused, setPaused] = useState(given);
  useEffect(() => {
    const timer = setTimeout(setPaused, pauseMs, given);
    return () => clearTimeout(timer);
  }, [given, pauseMs]);
  return paused;
}

type Ask<Answer> = (signal: AbortSignal) => Promise<Answer>;

/**
 * Asks anew when what `key` says has changed and rests; a question that is overtaken is aborted. Null: asks nothing,
 * and keeps the answer.
 */
export function useAnswer<Answer>(topic: string, key: unknown, ask: Ask<Answer>) {
  const paused = usePaused(JSON.stringify(key));
  const now = JSON.stringify(key);
  const asked = useQuery({
    queryKey: ["previews", topic, paused],
    queryFn: ({ signal }) => ask(signal),
    enabled: key !== null && paused === now,
    placeholderData: keepPreviousData,
    throwOnError: false,
  });
  return { ...asked, isOld: paused !== now || asked.isPlaceholderData };
}
