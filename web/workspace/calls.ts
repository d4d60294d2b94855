// Calls that change the settings of a workspace.
import { useMutation } from "@tanstack/react-query";
import { meQuery } from "../calls/session.ts";
import { queries } from "../calls/queries.ts";
import { workspaceQuery, type Workspace } from "../calls/workspace.ts";
import { save } from "../saving/save.ts";

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
