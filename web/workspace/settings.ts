// The settings of a workspace, and the unsaved changes to them.
import { queryOptions, useMutation, useSuspenseQuery } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "../api.ts";
import type { operations } from "../api.gen.ts";
import { meQuery } from "../session.ts";
import { queries } from "../queries.ts";
import { save } from "../saving/save.ts";
import { useSeen } from "../saving/saved-over.ts";

type WorkspaceAnswer = operations["getWorkspace"]["responses"][200]["content"]["application/json"];
export type Workspace = WorkspaceAnswer;
export type Settings = Pick<
  WorkspaceAnswer,
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
export type RecipientLanguage = WorkspaceAnswer["language"];

export const workspaceQuery = queryOptions({
  queryKey: ["workspace"],
  queryFn: () => call("GET /workspace"),
});

export function useWorkspace(): WorkspaceAnswer {
  return useSuspenseQuery(workspaceQuery).data;
}

export type SettingsDraft = {
  /** The settings before the first change. */
  readonly seen: WorkspaceAnswer;
  readonly shown: Settings;
  /** Only changed settings; undefined = none. */
  readonly changes: Partial<Settings> | undefined;
  readonly set: (change: Partial<Settings>) => void;
  readonly forget: () => void;
};

export function useDraft(now: WorkspaceAnswer): SettingsDraft {
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

export const changeSettings = (seen: WorkspaceAnswer, mine: Partial<Settings>) =>
  save("PATCH /workspace", {}, { seen, mine });

/** `onSaved`: false = the author kept the other version. */
export function useSaveSettings(seen: WorkspaceAnswer, onSaved: (isMine: boolean) => void) {
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
