// Whether there is room for a canvas. On a phone a workflow is read as a list.
import { useSyncExternalStore } from "react";

const NARROW = matchMedia("(max-width: 899px)");

export function useNarrow(): boolean {
  return useSyncExternalStore(
    (heard) => {
      NARROW.addEventListener("change", heard);
      return () => NARROW.removeEventListener("change", heard);
    },
    () => NARROW.matches,
  );
}
