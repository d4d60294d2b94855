// The query client. A query key starts with its topic (live.ts), so that a change notice refetches it.
import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { Fault } from "./api.ts";
import { recoveries, reportTrouble, trouble, tryNow } from "./connection.ts";
import { showFault } from "./parts/toast.tsx";

function onError(error: unknown): void {
  if (error instanceof Fault && error.code === "NO_ANSWER") reportTrouble("away");
}

/** A call worked, so the server may be back. */
function onSuccess(): void {
  if (trouble.get() === "away") void tryNow();
}

const STALE_MS = 10_000;
const MAX_RETRIES = 2;
const FIRST_PAUSE_MS = 500;

/** What was sent by forms that are gone. */
const orphans = new WeakSet<object>();

export const queries = new QueryClient({
  queryCache: new QueryCache({ onError, onSuccess }),
  mutationCache: new MutationCache({
    onError: (error, _variables, _context, mutation) => {
      onError(error);
      // A form shows the faults of its fields itself.
      if (!mutation.meta?.["inForm"] || orphans.has(mutation)) showFault(error);
    },
  }),
  defaultOptions: {
    queries: {
      // A call that waits until the browser is online would say nothing; a failed one is tried again.
      networkMode: "always",
      staleTime: STALE_MS,
      retry: (failed, error) => isTransient(error) && (error as Fault).code !== "TOO_LATE" && failed < MAX_RETRIES,
      retryDelay: (failed) => FIRST_PAUSE_MS * 2 ** failed,
      throwOnError: (error, query) => query.state.data === undefined && !isTransient(error),
    },
    mutations: { networkMode: "always" },
  },
});

recoveries.watch(askAgain);

/** A form goes: should what it has sent fail, a toast says so. */
export function leaveForm(): void {
  for (const sent of queries.getMutationCache().findAll({ status: "pending" })) orphans.add(sent);
}

/** Whether a retry may succeed soon. */
export function isTransient(error: unknown): boolean {
  return error instanceof Fault && (error.status === 0 || error.status === 429 || error.status >= 500);
}

/** Asks again whatever has failed on this page. */
export function askAgain(): void {
  void queries.refetchQueries({ type: "active", predicate: ({ state }) => state.error !== null });
}

/** Drops this answer, and what nobody looks at: either may be why a page cannot be shown. */
export function forget(fault: unknown): void {
  void queries.resetQueries({ predicate: ({ state }) => state.error === fault });
  queries.removeQueries({ type: "inactive" });
}

/** Whether it is the answer to a query, and not to something that was done. */
export function isOfQuery(fault: unknown): boolean {
  return queries.getQueryCache().findAll({ predicate: ({ state }) => state.error === fault }).length > 0;
}
