// `--workspace ID|NAME`, which several verbs take.
import type { Reader } from "../store/store.ts";
import { findWorkspace } from "../workspaces/workspace.ts";
import type { Call, Option } from "./verb.ts";

export const WORKSPACE_OPTION: Option = { value: "ID|NAME", help: "The workspace" };
export const WORKSPACE_NEEDED: Option = { ...WORKSPACE_OPTION, needed: true };

/** The workspace that was named, null if none was. @throws AppError WORKSPACE_NOT_FOUND */
export async function workspaceOf(call: Call, reader: Reader): Promise<number | null> {
  const named = call.text("workspace");
  return named === undefined ? null : (await findWorkspace(reader, named)).seq;
}
