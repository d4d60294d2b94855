// What the face knows of the server. A key begins with its topic (web/live.ts), so that news of the topic makes it ask
// again.
import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { Fault, isSignedOut } from "./api.ts";
import { showFault } from "./parts/toast.tsx";
import { signal } from "./signal.ts";

/** Counts the times that the server said that nobody is signed in. */
export const signedOut = signal(0);

/** The last call had no answer. */
export const serverIsAway = signal(false);

function heard(error: unknown): void {
  serverIsAway.set(error instanceof Fault && error.status === 0);
  if (isSignedOut(error)) signedOut.set(signedOut.get() + 1);
}

const STALE_MS = 10_000;
const TRIES = 2;

export const queries = new QueryClient({
  queryCache: new QueryCache({ onError: heard, onSuccess: () => serverIsAway.set(false) }),
  mutationCache: new MutationCache({
    onError: (error, _variables, _context, mutation) => {
      heard(error);
      // A form shows the faults of its fields itself.
      if (!mutation.meta?.["inForm"] && !isSignedOut(error)) showFault(error);
    },
  }),
  defaultOptions: {
    queries: {
      staleTime: STALE_MS,
      retry: (failed, error) => isPassing(error) && failed < TRIES,
      throwOnError: (error, query) => query.state.data === undefined && !isPassing(error),
    },
  },
});

/** True if the same call may soon be answered. */
function isPassing(error: unknown): boolean {
  return error instanceof Fault && (error.status === 0 || error.status === 429 || error.status >= 500);
}
