// `posthorn key …`: make, list, revoke key sets.
import { createKeySet, revokeKeys } from "../workspaces/key-set.ts";
import { keySets, type KeySetRow } from "../workspaces/queries.ts";
import { findWorkspace } from "../workspaces/workspace.ts";
import { inStore } from "./beside.ts";
import { keyLines, printList, printOne } from "./print.ts";
import { JSON_OPTION, type Call, type Verb } from "./verb.ts";
import { WORKSPACE_NEEDED, WORKSPACE_OPTION, workspaceOf } from "./workspace-option.ts";

export const KEY_VERBS: readonly Verb[] = [
  {
    name: "key create",
    summary: "Makes a key set, one secret and one public key, and prints the keys this once",
    options: {
      workspace: WORKSPACE_NEEDED,
      domain: {
        value: "DOMAIN",
        several: true,
        help: "A sender domain that it may use; repeat it, or put commas; without: all",
      },
      name: { value: "TEXT", help: "What it is for" },
      ...JSON_OPTION,
    },
    run: create,
  },
  {
    name: "key list",
    summary: "Lists the key sets, without their keys",
    options: { workspace: WORKSPACE_OPTION, ...JSON_OPTION },
    run: list,
  },
  { name: "key revoke", argument: "ID", summary: "Ends a key set: its keys are refused from now on", run: revoke },
];

async function create(call: Call): Promise<number> {
  // An empty entry stays and is refused: a variable that is unset by mistake must not make an unscoped key.
  const domains = call.texts("domain").flatMap((text) => text.split(","));
  const keys = await inStore(call, ({ store }) =>
    store.write(async (tx) => {
      const workspace = await findWorkspace(tx, call.text("workspace") ?? "");
      return createKeySet(tx, workspace.seq, { name: call.text("name") ?? null, domains });
    }),
  );
  const scope = keys.domains ? `, for mail from ${keys.domains.join(", ")}` : "";
  printOne(
    call,
    keys,
    () => `Made the key set ${keys.id}${scope}. Its keys are shown only now:\n\n${keyLines(keys)}\n`,
  );
  return 0;
}

async function list(call: Call): Promise<number> {
  const rows = await inStore(call, ({ store }) =>
    store.read(async (reader) => keySets(reader, await workspaceOf(call, reader))),
  );
  printList(call, rows.map(keySetRecord), inColumns, "There are no key sets yet.");
  return 0;
}

async function revoke(call: Call): Promise<number> {
  await inStore(call, ({ store }) => store.write((tx) => revokeKeys(tx, call.argument)));
  call.io.out(`The key set ${call.argument} is revoked: its keys are refused from now on.`);
  return 0;
}

type KeySetRecord = ReturnType<typeof keySetRecord>;

function keySetRecord(row: KeySetRow) {
  return {
    id: row.id,
    workspace: row.workspace_name,
    name: row.name,
    domains: row.domains === null ? null : (JSON.parse(row.domains) as string[]),
    createdAt: row.created_at,
    revokedAt: row.revoked_at,
  };
}

function inColumns({ id, workspace, name, domains, revokedAt }: KeySetRecord) {
  const state = revokedAt === null ? "in use" : `revoked ${revokedAt}`;
  return { id, workspace, name: name ?? "", domains: domains?.join(",") ?? "all", state };
}
