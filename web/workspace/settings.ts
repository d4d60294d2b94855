// The settings of a workspace, and the unsaved changes to them.
import { queryOptions, useMutation, useSuspenseQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, unwrap } from "../api.ts";
import type { operations } from "../api.gen.ts";
import { meQuery } from "../session.ts";
import { queries } from "../queries.ts";

type Answer = operations["getWorkspace"]["responses"][200]["content"]["application/json"];
export type Settings = Pick<
  Answer,
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
export type RecipientLanguage = Answer["language"];

export const workspaceQuery = queryOptions({
  queryKey: ["workspace"],
  queryFn: () => unwrap(api.GET("/workspace")),
});

export function useWorkspace(): Answer {
  return useSuspenseQuery(workspaceQuery).data;
}

export type Draft = {
  readonly shown: Settings;
  /** Only what differs from what is saved; undefined: nothing. */
  readonly changes: Partial<Settings> | undefined;
  readonly set: (change: Partial<Settings>) => void;
  readonly forget: () => void;
};

export function useDraft(saved: Settings): Draft {
  const [given, give] = useState<Partial<Settings>>({});
  const changes = Object.fromEntries(
    Object.entries(given).filter(([name, value]) => !isSame(value, saved[name as keyof Settings])),
  );
  return {
    shown: { ...saved, ...given },
    changes: Object.keys(changes).length > 0 ? changes : undefined,
    set: (change) => give((before) => ({ ...before, ...change })),
    forget: () => give({}),
  };
}

/** An empty field is unset. */
function isSame(value: unknown, saved: unknown): boolean {
  return JSON.stringify(value === "" ? null : value) === JSON.stringify(saved === "" ? null : saved);
}

export function useSaveSettings(onSaved: () => void) {
  return useMutation({
    mutationFn: (body: Partial<Settings>) => unwrap(api.PATCH("/workspace", { body })),
    onSuccess: (answer) => {
      queries.setQueryData(workspaceQuery.queryKey, answer);
      // Its name stands at the side.
      void queries.invalidateQueries({ queryKey: meQuery.queryKey });
      onSaved();
    },
    meta: { inForm: true },
  });
}
