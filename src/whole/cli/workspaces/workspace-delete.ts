// `posthorn workspace delete`: a workspace and all its data, piece by piece, so that other work goes on in between.
import { parkQueue } from "../../../mail/emails/queue/queue-queries.ts";
import { removeWorkspace } from "../../../operator/installation/removal.ts";
import type { Store, Tx } from "../../../store/store.ts";
import { COMMAND_LINE } from "../../../tenant/access/caller.ts";
import { noteAct } from "../../../operator/team/audit/audit.ts";
import { disableWorkspace, findWorkspace } from "../../../tenant/workspaces/workspace.ts";
import { inStore } from "../beside.ts";
import { printOne } from "../print.ts";
import { showingRows } from "./row-progress.ts";
import { JSON_OPTION, type VerbCall, type Verb } from "../verb.ts";

export const WORKSPACE_DELETE: Verb = {
  name: "workspace delete",
  argument: "ID|NAME",
  summary: "Permanently deletes a workspace with its contacts, emails, keys and domains",
  notes: ["Its requests are refused at once. If the command is interrupted, run it again."],
  options: { yes: { help: "Required: deleted data cannot be restored" }, ...JSON_OPTION },
  run,
};

async function run(call: VerbCall): Promise<number> {
  const { id, name } = await inStore(call, async ({ store }) => {
    if (!call.flag("yes")) return refuseUnconfirmed(store, call);
    const workspace = await store.write((tx) => close(tx, call.argument));
    // In the audit log of the installation, since the workspace's own is deleted.
    const inTheEnd = (tx: Tx) => noteAct(tx, { by: COMMAND_LINE, action: "workspace delete", target: workspace.id });
    await showingRows(call.io, "deleted", (onRemoved) =>
      removeWorkspace(store, workspace.seq, { onRemoved, inTheEnd }),
    );
    return workspace;
  });
  printOne(call, { id, name, deleted: true }, () => `The workspace ${name} is deleted.`);
  return 0;
}

async function refuseUnconfirmed(store: Store, call: VerbCall): Promise<never> {
  const { name } = await store.read((reader) => findWorkspace(reader, call.argument));
  throw new Error(`This deletes the workspace ${name} and all its data for good. To confirm, add --yes.`);
}

/** From here on the workspace accepts and sends no mail. */
async function close(tx: Tx, idOrName: string) {
  const workspace = await disableWorkspace(tx, idOrName);
  await parkQueue(tx, workspace.seq);
  return workspace;
}
