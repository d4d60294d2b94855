// What can be done: screens name their verbs, and the palette (⌘K) finds them.
import { useEffect, useRef } from "react";
import type { IconName } from "./parts/icon.tsx";
import { signal } from "./signal.ts";

export type Verb = {
  readonly id: string;
  readonly name: string;
  readonly icon: IconName;
  readonly run: () => void;
  readonly disabledReason?: string | undefined;
  readonly note?: string;
  readonly keys?: readonly string[];
};

/** Of all that is on the screen. */
export const verbs = signal<readonly Verb[]>([]);

/** Verbs of a screen, for as long as it is shown; those of the frame come last. */
export function useVerbs(own: readonly Verb[], place: "first" | "last" = "first"): void {
  const latest = useRef(own);
  latest.current = own;
  const said = own.map(({ id, name, disabledReason, note }) => [id, name, disabledReason, note].join("\n")).join("\f");
  useEffect(() => {
    const mine = latest.current.map((verb) => ({
      ...verb,
      run: () => latest.current.find(({ id }) => id === verb.id)?.run(),
    }));
    verbs.set(place === "first" ? [...mine, ...verbs.get()] : [...verbs.get(), ...mine]);
    return () => verbs.set(verbs.get().filter((verb) => !mine.includes(verb)));
  }, [said]);
}
