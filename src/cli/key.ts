// `posthorn key …`: create, list and revoke key sets.
import { COMMAND_LINE, noteAct } from "../team/audit.ts";
import { createKeySet, revokeKeys } from "../access/key-set.ts";
import type { KeyPermissions } from "../access/key-limits.ts";
import { keySets, type KeySet } from "../access/key-queries.ts";
import { changeWorkspace, findWorkspace } from "../workspaces/workspace.ts";
import { inStore, WORKSPACE_NEEDED, WORKSPACE_OPTION, workspaceOf } from "./beside.ts";
import { keyLines, printList, printOne } from "./print.ts";
import { JSON_OPTION, type Call, type Verb } from "./verb.ts";

export const KEY_VERBS: readonly Verb[] = [
  {
    name: "key create",
    summary: "Creates a key set (a secret and a public key) and prints both keys, once",
    options: {
      workspace: WORKSPACE_NEEDED,
      domain: {
        value: "DOMAIN",
        several: true,
        help: "A sender domain that the keys may use; repeat it or separate with commas; default: all",
      },
      name: { value: "TEXT", help: "What the keys are for" },
      permissions: {
        value: "full|send|read",
        help: "What the keys may do: everything; send and track; read. Default: full",
      },
      expires: { value: "TIME", help: "From when on the keys are refused, such as 2027-01-31; default: never" },
      "allow-ip": {
        value: "ADDRESS",
        several: true,
        help: "An address or a network that the keys may be used from; repeat it or separate with commas; default: any",
      },
      event: {
        value: "NAME",
        several: true,
        help: "An event that the workspace's public keys may record, instead of any; repeat it or separate with commas",
      },
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
  { name: "key revoke", argument: "ID", summary: "Revokes a key set: its keys are refused from now on", run: revoke },
];

async function create(call: Call): Promise<void> {
  // An empty entry stays and is refused: a variable that is unset by mistake must not make an unscoped key.
  const domains = call.texts("domain").flatMap((text) => text.split(","));
  const events = call
    .texts("event")
    .flatMap((text) => text.split(","))
    .filter((name) => name !== "");
  const keys = await inStore(call, ({ store }) =>
    store.write(async (tx) => {
      const workspace = await findWorkspace(tx, call.text("workspace") ?? "");
      if (events.length > 0) await changeWorkspace(tx, workspace.seq, { publicKeys: { events } });
      const made = await createKeySet(tx, workspace.seq, {
        name: call.text("name") ?? null,
        domains,
        permissions: permissionsIn(call.text("permissions") ?? "full"),
        allowedIps: call.texts("allow-ip").flatMap((text) => text.split(",")),
        expiresAt: call.text("expires") ?? null,
      });
      await noteAct(tx, { by: COMMAND_LINE, action: "key create", workspace: workspace.seq, target: made.id });
      return made;
    }),
  );
  const scope = keys.domains ? `, for email from ${keys.domains.join(", ")}` : "";
  printOne(
    call,
    keys,
    () => `Created the key set ${keys.id}${scope}. The keys are shown only this once:\n\n${keyLines(keys)}\n`,
  );
}

function permissionsIn(text: string): KeyPermissions {
  if (text === "full" || text === "send" || text === "read") return text;
  throw new Error(`--permissions is full, send or read, not “${text}”.`);
}

async function list(call: Call): Promise<void> {
  const rows = await inStore(call, ({ store }) =>
    store.read(async (reader) => keySets(reader, await workspaceOf(call, reader))),
  );
  printList(call, rows.map(keySetRecord), inColumns, "There are no key sets yet.");
}

async function revoke(call: Call): Promise<void> {
  await inStore(call, ({ store }) =>
    store.write(async (tx) => {
      await revokeKeys(tx, call.argument);
      await noteAct(tx, { by: COMMAND_LINE, action: "key revoke", target: call.argument });
    }),
  );
  call.io.out(`The key set ${call.argument} is revoked: its keys are refused from now on.`);
}

type KeySetRecord = ReturnType<typeof keySetRecord>;

function keySetRecord({ workspaceId: _, workspaceName: workspace, id, ...keySet }: KeySet) {
  return { id, workspace, ...keySet };
}

function inColumns({ id, workspace, name, domains, permissions, expiresAt, lastUsedAt, revokedAt }: KeySetRecord) {
  const state = revokedAt !== null ? `revoked ${revokedAt}` : expiresAt === null ? "in use" : `until ${expiresAt}`;
  const used = lastUsedAt ?? "";
  const scope = domains?.join(",") ?? "all";
  return { id, workspace, name: name ?? "", domains: scope, may: permissions, "last used": used, state };
}
