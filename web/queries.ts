// The query client. A query key starts with its topic (live.ts), so that a change notice refetches it.
import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { Fault, isSignedOut } from "./api.ts";
import { showFault } from "./parts/toast.tsx";
import { signal } from "./signal.ts";

/** Counts the answers that the session has ended. */
export const signedOutCount = signal(0);

/** Whether the last call got no answer. */
export const isServerAway = signal(false);

function onAnswer(error: unknown): void {
  isServerAway.set(error instanceof Fault && error.status === 0);
  if (isSignedOut(error)) signedOutCount.set(signedOutCount.get() + 1);
}

const STALE_MS = 10_000;
const MAX_RETRIES = 2;

export const queries = new QueryClient({
  queryCache: new QueryCache({ onError: onAnswer, onSuccess: () => isServerAway.set(false) }),
  mutationCache: new MutationCache({
    onError: (error, _variables, _context, mutation) => {
      onAnswer(error);
      // A form shows the faults of its fields itself.
      if (!mutation.meta?.["inForm"] && !isSignedOut(error)) showFault(error);
    },
  }),
  defaultOptions: {
    queries: {
      staleTime: STALE_MS,
      retry: (failed, error) => isTransient(error) && failed < MAX_RETRIES,
      throwOnError: (error, query) => query.state.data === undefined && !isTransient(error),
    },
  },
});

/** Whether a retry may succeed soon. */
function isTransient(error: unknown): boolean {
  return error instanceof Fault && (error.status === 0 || error.status === 429 || error.status >= 500);
}
