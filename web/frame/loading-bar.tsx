// The thin bar at the top while something loads.
import { useIsFetching } from "@tanstack/react-query";
import { useRouterState } from "@tanstack/react-router";
import { useTexts } from "../base/language.ts";
import { loadingChunks } from "../base/load-chunk.ts";
import { useSignal } from "../base/signal.ts";
import { frameTexts } from "../texts/areas.ts";

/** Appears without a delay. */
export function LoadingBar() {
  const t = useTexts(frameTexts);
  const isLeaving = useRouterState({ select: ({ isLoading }) => isLoading });
  const chunks = useSignal(loadingChunks);
  const first = useIsFetching({ predicate: ({ state }) => state.data === undefined });
  if (!isLeaving && chunks === 0 && first === 0) return null;
  return <div className="loading-bar" role="progressbar" aria-label={t.loading} />;
}
