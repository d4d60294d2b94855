// `posthorn reset`: empties a workspace for the next test run.
import { parkQueue } from "../../../mail/emails/queue/queue-queries.ts";
import { emptyLargeTables } from "../../../operator/installation/removal.ts";
import { emptySmallTables } from "../../../operator/installation/reset-queries.ts";
import { COMMAND_LINE } from "../../../tenant/access/caller.ts";
import { noteAct } from "../../../operator/team/audit/audit.ts";
import { findWorkspace } from "../../../tenant/workspaces/workspace.ts";
import { inStore, WORKSPACE_NEEDED } from "../beside.ts";
import { printOne } from "../print.ts";
import { JSON_OPTION, type VerbCall, type Verb } from "../verb.ts";
import { showingRows } from "./row-progress.ts";

export const RESET: Verb = {
  name: "reset",
  summary: "Empties a workspace for the next test run, where no email really leaves",
  notes: ["It keeps its keys, domains, settings and people, and works beside a running server."],
  options: {
    workspace: WORKSPACE_NEEDED,
    test: { help: "Required: deleted data cannot be restored" },
    ...JSON_OPTION,
  },
  run,
};

async function run(call: VerbCall): Promise<void> {
  const { id, name } = await inStore(call, async ({ store, config }) => {
    const { transport } = config.delivery;
    if (transport !== "capture")
      throw new Error(`Only an installation that captures email can be reset; delivery.transport is ${transport}.`);
    const workspace = await store.read((reader) => findWorkspace(reader, call.text("workspace") ?? ""));
    if (!call.flag("test"))
      throw new Error(
        `This deletes everything in the workspace ${workspace.name} but its settings. To confirm, add --test.`,
      );
    await store.write((tx) => parkQueue(tx, workspace.seq));
    await showingRows(call.io, "deleted", (hear) => emptyLargeTables(store, workspace.seq, hear));
    await store.write(async (tx) => {
      await emptySmallTables(tx, workspace.seq);
      await noteAct(tx, { by: COMMAND_LINE, action: "reset", workspace: workspace.seq, target: workspace.id });
    });
    return workspace;
  });
  printOne(call, { id, name, reset: true }, () => `The workspace ${name} is empty.`);
}
