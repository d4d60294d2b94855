// The query client. A query key starts with its channel (live.ts), so that a change notice refetches it.
import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { Fault } from "./api.ts";
import { recoveries, reportTrouble, trouble, tryNow } from "../base/connection.ts";
import { showFault } from "../parts/overlays/toast.tsx";

function onError(error: unknown): void {
  if (error instanceof Fault && error.code === "NO_ANSWER") reportTrouble("away");
}

/** A successful call: the server may be back. */
function onSuccess(): void {
  if (trouble.get() === "away") void tryNow();
}

const STALE_MS = 10_000;
const MAX_RETRIES = 2;
const FIRST_PAUSE_MS = 500;

/** Mutations of forms that have unmounted. */
const orphans = new WeakSet<object>();

export const queries = new QueryClient({
  queryCache: new QueryCache({ onError, onSuccess }),
  mutationCache: new MutationCache({
    onError: (error, _variables, _context, mutation) => {
      onError(error);
      // A form shows its errors itself.
      if (!mutation.meta?.["inForm"] || orphans.has(mutation)) showFault(error);
    },
  }),
  defaultOptions: {
    queries: {
      // An offline call fails and is retried: a paused one would show nothing.
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

/** A form unmounts: if its request fails, a toast says so. */
export function leaveForm(): void {
  for (const sent of queries.getMutationCache().findAll({ status: "pending" })) orphans.add(sent);
}

/** Whether a retry may succeed soon. */
export function isTransient(error: unknown): boolean {
  return error instanceof Fault && (error.status === 0 || error.status === 429 || error.status >= 500);
}

/** Refetches all failed queries of this page. */
export function askAgain(): void {
  void queries.refetchQueries({ type: "active", predicate: ({ state }) => state.error !== null });
}

/** Drops this answer and all inactive queries: either may be the reason why a page fails. */
export function forget(fault: unknown): void {
  void queries.resetQueries({ predicate: ({ state }) => state.error === fault });
  queries.removeQueries({ type: "inactive" });
}

/** Whether the error belongs to a query, not to a mutation. */
export function isOfQuery(fault: unknown): boolean {
  return queries.getQueryCache().findAll({ predicate: ({ state }) => state.error === fault }).length > 0;
}
