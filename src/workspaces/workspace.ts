// A workspace: whose contacts, mails, keys and domains are whose. Made, disabled and listed on the command line only.
import { AppError } from "../errors.ts";
import { newId } from "../ids.ts";
import type { Reader, Tx } from "../store/store.ts";
import { insertWorkspace, setWorkspaceDisabled, workspaceNamed, type WorkspaceRow } from "./queries.ts";

/** @throws AppError VALIDATION_ERROR for a name that is no name, CONFLICT if it is taken */
export async function createWorkspace(tx: Tx, name: string): Promise<WorkspaceRow> {
  if (!/^[^\p{Cc}]{1,100}$/u.test(name) || name.trim() !== name) {
    throw new AppError(
      "VALIDATION_ERROR",
      "A workspace's name is 1 to 100 characters, without line breaks or space around it.",
    );
  }
  const workspace = await insertWorkspace(tx, newId(tx.nowMs), name);
  if (!workspace) throw new AppError("CONFLICT", `There is a workspace ${name} already.`);
  return workspace;
}

/** By id, or by name. @throws AppError WORKSPACE_NOT_FOUND */
export async function findWorkspace(reader: Reader, idOrName: string): Promise<WorkspaceRow> {
  const workspace = await workspaceNamed(reader, idOrName);
  if (!workspace) throw new AppError("WORKSPACE_NOT_FOUND", `There is no workspace ${idOrName}.`);
  return workspace;
}

/** Requests of a disabled workspace are answered 403, and its queued mail waits until it is enabled again. */
export async function disableWorkspace(tx: Tx, idOrName: string): Promise<WorkspaceRow> {
  const workspace = await findWorkspace(tx, idOrName);
  await setWorkspaceDisabled(tx, workspace.seq, workspace.disabled_at ?? tx.now);
  return findWorkspace(tx, workspace.id);
}

export async function enableWorkspace(tx: Tx, idOrName: string): Promise<WorkspaceRow> {
  const workspace = await findWorkspace(tx, idOrName);
  await setWorkspaceDisabled(tx, workspace.seq, null);
  return findWorkspace(tx, workspace.id);
}
