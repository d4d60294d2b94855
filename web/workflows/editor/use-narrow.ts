// Whether the window is too narrow for a canvas. Phones show the list of steps.
import { useSyncExternalStore } from "react";

const NARROW = matchMedia("(max-width: 899px)");

export function useNarrow(): boolean {
  return useSyncExternalStore(
    (onChange) => {
      NARROW.addEventListener("change", onChange);
      return () => NARROW.removeEventListener("change", onChange);
    },
    () => NARROW.matches,
  );
}
