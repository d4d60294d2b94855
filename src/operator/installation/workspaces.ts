// A whole workspace, for owners and the command line: made with its first keys, turned off, turned on again.
import { parkQueue, unparkQueue } from "../../mail/emails/queue/queue-queries.ts";
import { MAIL_QUEUED } from "../../mail/emails/queue/queued.ts";
import { notifyChange } from "../../tenant/events/notify.ts";
import type { Secrets } from "../../base/secrets.ts";
import type { Tx } from "../../store/store.ts";
import { createKeySet, type MintedKeys } from "../../tenant/access/key-set.ts";
import type { Workspace } from "../../tenant/workspaces/queries.ts";
import { createWorkspace, disableWorkspace, enableWorkspace } from "../../tenant/workspaces/workspace.ts";

export type MadeWorkspace = { readonly workspace: Workspace; readonly keys: MintedKeys };

/** @throws AppError VALIDATION_ERROR for an invalid name, CONFLICT if it is taken */
export async function makeWorkspace(tx: Tx, secrets: Secrets, name: string): Promise<MadeWorkspace> {
  const workspace = await createWorkspace(tx, secrets, name);
  return { workspace, keys: await createKeySet(tx, workspace.seq) };
}

/** `moved`: how many queued emails are held now, or are no longer. */
export type WorkspaceSwitch = { readonly workspace: Workspace; readonly moved: number };

/**
 * The workspace and its queue change together: no mail leaves for a workspace that is off, none stays behind.
 * @throws AppError WORKSPACE_NOT_FOUND
 */
export async function switchWorkspace(tx: Tx, idOrName: string, isOn: boolean): Promise<WorkspaceSwitch> {
  const workspace = await (isOn ? enableWorkspace : disableWorkspace)(tx, idOrName);
  const moved = await (isOn ? unparkQueue : parkQueue)(tx, workspace.seq);
  if (isOn) tx.signal(MAIL_QUEUED);
  notifyChange(tx, "workspace", workspace.seq);
  return { workspace, moved };
}
