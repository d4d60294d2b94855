// The unsaved changes to the settings of a workspace.
import { useState } from "react";
import type { Workspace } from "../calls/workspace.ts";
import { useSeen } from "../saving/saved-over.ts";
import type { Settings } from "./calls.ts";

export type SettingsDraft = {
  /** The settings before the first change. */
  readonly seen: Workspace;
  readonly shown: Settings;
  /** Only changed settings; undefined = none. */
  readonly changes: Partial<Settings> | undefined;
  readonly set: (change: Partial<Settings>) => void;
  readonly forget: () => void;
};

export function useDraft(now: Workspace): SettingsDraft {
  const [given, give] = useState<Partial<Settings>>({});
  const saved = useSeen(now, Object.keys(given).length > 0);
  const changes = Object.fromEntries(
    Object.entries(given).filter(([name, value]) => !isSame(value, saved[name as keyof Settings])),
  );
  return {
    seen: saved,
    shown: { ...saved, ...given },
    changes: Object.keys(changes).length > 0 ? changes : undefined,
    set: (change) => give((before) => ({ ...before, ...change })),
    forget: () => give({}),
  };
}

/** An empty text equals null. */
function isSame(value: unknown, saved: unknown): boolean {
  return JSON.stringify(value === "" ? null : value) === JSON.stringify(saved === "" ? null : saved);
}
