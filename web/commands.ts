// Commands: screens register theirs, and the palette (⌘K) finds them.
import { useEffect, useRef } from "react";
import type { IconName } from "./parts/icons/icon.tsx";
import { signal } from "./base/signal.ts";

export type Command = {
  readonly id: string;
  readonly name: string;
  readonly icon: IconName;
  readonly run: () => void;
  readonly disabledReason?: string | undefined;
  readonly note?: string;
  readonly keys?: readonly string[];
};

/** Whether the palette is open. */
export const paletteIsOpen = signal(false);

/** All commands of the current screen and the frame. */
export const commands = signal<readonly Command[]>([]);

/** Registers commands while the component is mounted; those of the frame come last. */
export function useCommands(own: readonly Command[], place: "first" | "last" = "first"): void {
  const latest = useRef(own);
  latest.current = own;
  const signature = own
    .map(({ id, name, disabledReason, note }) => [id, name, disabledReason, note].join("\n"))
    .join("\f");
  useEffect(() => {
    const mine = latest.current.map((command) => ({
      ...command,
      run: () => latest.current.find(({ id }) => id === command.id)?.run(),
    }));
    commands.set(place === "first" ? [...mine, ...commands.get()] : [...commands.get(), ...mine]);
    return () => commands.set(commands.get().filter((command) => !mine.includes(command)));
  }, [signature]);
}
