// `posthorn workspace …`: make, list, disable, enable; workspace-delete.ts deletes.
import { parkQueue, unparkQueue } from "../emails/queue-queries.ts";
import type { Tx } from "../store/store.ts";
import { createKeySet } from "../workspaces/key-set.ts";
import { allWorkspaces, type WorkspaceRow } from "../workspaces/queries.ts";
import { createWorkspace, disableWorkspace, enableWorkspace } from "../workspaces/workspace.ts";
import { inNewStore, inStore, secretsOf } from "./beside.ts";
import { keyLines, printList, printOne } from "./print.ts";
import { JSON_OPTION, type Call, type Verb } from "./verb.ts";
import { WORKSPACE_DELETE } from "./workspace-delete.ts";

export const WORKSPACE_VERBS: readonly Verb[] = [
  {
    name: "workspace create",
    argument: "NAME",
    summary: "Makes a workspace with one key set, and prints the keys this once",
    options: JSON_OPTION,
    run: create,
  },
  { name: "workspace list", summary: "Lists the workspaces", options: JSON_OPTION, run: list },
  {
    name: "workspace disable",
    argument: "ID|NAME",
    summary: "Answers a workspace's requests with 403 and lets its queued mail wait",
    options: JSON_OPTION,
    run: disable,
  },
  {
    name: "workspace enable",
    argument: "ID|NAME",
    summary: "Takes a workspace into service again, and its mail goes on",
    options: JSON_OPTION,
    run: enable,
  },
  WORKSPACE_DELETE,
];

async function create(call: Call): Promise<number> {
  const { workspace, keys } = await inNewStore(call, async (place) => {
    const { store } = place;
    const secrets = await secretsOf(place);
    return store.write(async (tx) => {
      const made = await createWorkspace(tx, secrets, call.argument);
      return { workspace: made, keys: await createKeySet(tx, made.seq) };
    });
  });
  const { id, name } = workspace;
  const record = { workspace: { id, name }, keys: { id: keys.id, public: keys.public, secret: keys.secret } };
  printOne(
    call,
    record,
    () => `Made the workspace ${name} (${id}). Its keys are shown only now:\n\n${keyLines(keys)}\n`,
  );
  return 0;
}

async function list(call: Call): Promise<number> {
  const workspaces = await inStore(call, ({ store }) => store.read(allWorkspaces));
  const row = (workspace: WorkspaceRecord) => ({
    id: workspace.id,
    name: workspace.name,
    language: workspace.language,
    tracking: workspace.tracking.toLowerCase().replace("_", " "),
    state: workspace.disabled ? `disabled since ${workspace.disabledAt}` : "in service",
  });
  printList(call, workspaces.map(workspaceRecord), row, "There are no workspaces yet.");
  return 0;
}

async function disable(call: Call): Promise<number> {
  const { workspace, moved } = await changed(call, disableWorkspace, parkQueue);
  printOne(call, workspaceRecord(workspace), () => `${workspace.name} is disabled; ${mails(moved)} now.`);
  return 0;
}

async function enable(call: Call): Promise<number> {
  const { workspace, moved } = await changed(call, enableWorkspace, unparkQueue);
  printOne(call, workspaceRecord(workspace), () => `${workspace.name} is in service; ${mails(moved)} no longer.`);
  return 0;
}

type Switch = (tx: Tx, idOrName: string) => Promise<WorkspaceRow>;

/** The workspace and its queue change together: no mail leaves for a workspace that is off, none stays behind. */
function changed(call: Call, turn: Switch, moveQueue: (tx: Tx, workspace: number) => Promise<number>) {
  return inStore(call, ({ store }) =>
    store.write(async (tx) => {
      const workspace = await turn(tx, call.argument);
      return { workspace, moved: await moveQueue(tx, workspace.seq) };
    }),
  );
}

function mails(count: number): string {
  return count === 1 ? "1 queued mail waits" : `${count} queued mails wait`;
}

type WorkspaceRecord = ReturnType<typeof workspaceRecord>;

/** Its secrets are for its own keys to see. */
function workspaceRecord(row: WorkspaceRow) {
  return {
    id: row.id,
    name: row.name,
    tracking: row.tracking,
    language: row.language,
    postalAddress: row.postal_address,
    doubleOptIn: row.double_opt_in === 1,
    disabled: row.disabled_at !== null,
    disabledAt: row.disabled_at,
    createdAt: row.created_at,
  };
}
