// The settings of a workspace, and the unsaved changes to them.
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { meQuery } from "../calls/session.ts";
import { queries } from "../calls/queries.ts";
import { workspaceQuery, type Workspace } from "../calls/workspace.ts";
import { save } from "../saving/save.ts";
import { useSeen } from "../saving/saved-over.ts";

export type Settings = Pick<
  Workspace,
  | "name"
  | "language"
  | "timeZone"
  | "postalAddress"
  | "tracking"
  | "doubleOptIn"
  | "fromAddress"
  | "fromName"
  | "publicKeys"
  | "sendData"
  | "suppressions"
  | "searchFields"
  | "preferencePage"
>;

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

export const changeSettings = (seen: Workspace, mine: Partial<Settings>) =>
  save("PATCH /workspace", {}, { seen, mine });

/** `onSaved`: false = the author kept the other version. */
export function useSaveSettings(seen: Workspace, onSaved: (isMine: boolean) => void) {
  return useMutation({
    mutationFn: (mine: Partial<Settings>) => changeSettings(seen, mine),
    onSuccess: ({ row, isMine }) => {
      queries.setQueryData(workspaceQuery.queryKey, row);
      // The sidebar shows its name.
      void queries.invalidateQueries({ queryKey: meQuery.queryKey });
      onSaved(isMine);
    },
    meta: { inForm: true },
  });
}
