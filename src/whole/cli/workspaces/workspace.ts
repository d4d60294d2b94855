// `posthorn workspace …`: create, list, disable and enable workspaces; workspace-delete.ts
// deletes them, workspace-file.ts takes them out and in.
import { makeWorkspace, switchWorkspace } from "../../../operator/installation/workspaces.ts";
import { COMMAND_LINE } from "../../../tenant/access/caller.ts";
import { noteAct } from "../../../operator/team/audit/audit.ts";
import { allWorkspaces, type Workspace } from "../../../tenant/workspaces/queries.ts";
import { inNewStore, inStore, secretsOf } from "../beside.ts";
import { keyLines, printList, printOne } from "../print.ts";
import { JSON_OPTION, type VerbCall, type Verb } from "../verb.ts";
import { WORKSPACE_EXPORT, WORKSPACE_IMPORT } from "./workspace-file.ts";
import { WORKSPACE_DELETE } from "./workspace-delete.ts";

export const WORKSPACE_VERBS: readonly Verb[] = [
  {
    name: "workspace create",
    argument: "NAME",
    summary: "Creates a workspace with a key set, and prints the keys, once",
    options: JSON_OPTION,
    run: create,
  },
  { name: "workspace list", summary: "Lists the workspaces", options: JSON_OPTION, run: listWorkspaces },
  {
    name: "workspace disable",
    argument: "ID|NAME",
    summary: "Refuses a workspace's requests with 403 and holds its queued email",
    options: JSON_OPTION,
    run: disable,
  },
  {
    name: "workspace enable",
    argument: "ID|NAME",
    summary: "Accepts a disabled workspace's requests again and sends its held email",
    options: JSON_OPTION,
    run: enable,
  },
  WORKSPACE_DELETE,
  WORKSPACE_EXPORT,
  WORKSPACE_IMPORT,
];

async function create(call: VerbCall): Promise<void> {
  const { workspace, keys } = await inNewStore(call, async (place) => {
    const { store } = place;
    const secrets = await secretsOf(place);
    return store.write(async (tx) => {
      const made = await makeWorkspace(tx, secrets, call.argument);
      const { seq, id } = made.workspace;
      await noteAct(tx, { by: COMMAND_LINE, action: "workspace create", workspace: seq, target: id });
      return made;
    });
  });
  const { id, name } = workspace;
  const record = { workspace: { id, name }, keys: { id: keys.id, public: keys.public, secret: keys.secret } };
  printOne(
    call,
    record,
    () => `Created the workspace ${name} (${id}). Its keys are shown only this once:\n\n${keyLines(keys)}\n`,
  );
}

async function listWorkspaces(call: VerbCall): Promise<void> {
  const workspaces = await inStore(call, ({ store }) => store.read(allWorkspaces));
  const row = (workspace: WorkspaceRecord) => ({
    id: workspace.id,
    name: workspace.name,
    language: workspace.language,
    tracking: workspace.tracking.toLowerCase().replace("_", " "),
    state: workspace.disabled ? `disabled since ${workspace.disabledAt}` : "enabled",
  });
  printList(call, workspaces.map(workspaceRecord), row, "There are no workspaces yet.");
}

async function disable(call: VerbCall): Promise<void> {
  const { workspace, moved } = await changed(call, false);
  printOne(call, workspaceRecord(workspace), () => `${workspace.name} is disabled; ${mails(moved)} held.`);
}

async function enable(call: VerbCall): Promise<void> {
  const { workspace, moved } = await changed(call, true);
  printOne(call, workspaceRecord(workspace), () => `${workspace.name} is enabled; ${mails(moved)} released.`);
}

function changed(call: VerbCall, isOn: boolean) {
  return inStore(call, ({ store }) =>
    store.write(async (tx) => {
      const switched = await switchWorkspace(tx, call.argument, isOn);
      const { seq, id } = switched.workspace;
      const action = isOn ? "workspace enable" : "workspace disable";
      await noteAct(tx, { by: COMMAND_LINE, action, workspace: seq, target: id });
      return switched;
    }),
  );
}

function mails(count: number): string {
  return count === 1 ? "1 queued email is" : `${count} queued emails are`;
}

type WorkspaceRecord = ReturnType<typeof workspaceRecord>;

/** Only its own keys may see its secrets. */
function workspaceRecord(workspace: Workspace) {
  const { id, name, tracking, language, postalAddress, doubleOptIn, disabledAt, createdAt } = workspace;
  const disabled = disabledAt !== null;
  return { id, name, tracking, language, postalAddress, doubleOptIn, disabled, disabledAt, createdAt };
}
