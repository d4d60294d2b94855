// `posthorn key …`: create, list and revoke key sets, and cancel the mail that they have scheduled.
import { COMMAND_LINE } from "../../../tenant/access/caller.ts";
import { noteAct } from "../../../operator/team/audit/audit.ts";
import { createKeySet, revokeKeys } from "../../../tenant/access/key-set.ts";
import { KEY_PERMISSIONS, type KeyPermissions } from "../../../tenant/access/key-limits.ts";
import { keySets, workspaceOfKeySet, type KeySet } from "../../../tenant/access/key-queries.ts";
import {
  cancelScheduled,
  countScheduled,
  type CancellationResult,
  type KeyOf,
} from "../../../mail/emails/scheduled/scheduled.ts";
import { AppError } from "../../../base/errors.ts";
import type { Reader, Store } from "../../../store/store.ts";
import { changeWorkspace, findWorkspace } from "../../../tenant/workspaces/workspace.ts";
import { inStore, WORKSPACE_NEEDED, WORKSPACE_OPTION, workspaceOf } from "../beside.ts";
import { keyLines, printList, printOne } from "../print.ts";
import { grouped } from "../progress.ts";
import { JSON_OPTION, type VerbCall, type Verb } from "../verb.ts";

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
        value: "full|send|read|content",
        help: "What the keys may do: everything; send and track; read; email as code. Default: full",
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
    run: listKeys,
  },
  {
    name: "key revoke",
    argument: "ID",
    summary: "Revokes a key set: its keys are refused from now on",
    options: {
      "cancel-scheduled": { help: "Cancel the emails as well that its keys have scheduled" },
      ...JSON_OPTION,
    },
    run: revoke,
  },
  {
    name: "key scheduled",
    argument: "ID",
    summary: "Says how many emails wait that a key set has scheduled, also a revoked one; --cancel cancels them",
    options: { cancel: { help: "Cancel them" }, ...JSON_OPTION },
    run: scheduled,
  },
];

async function create(call: VerbCall): Promise<void> {
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
  const known = KEY_PERMISSIONS.find((one) => one === text);
  if (known) return known;
  throw new Error(`--permissions is full, send, read or content, not “${text}”.`);
}

async function listKeys(call: VerbCall): Promise<void> {
  const rows = await inStore(call, ({ store }) =>
    store.read(async (reader) => keySets(reader, await workspaceOf(call, reader))),
  );
  printList(call, rows.map(keySetRecord), inColumns, "There are no key sets yet.");
}

async function revoke(call: VerbCall): Promise<void> {
  const id = call.argument;
  const outcome = await inStore(call, async ({ store }) => {
    const workspace = await store.write(async (tx) => {
      await revokeKeys(tx, id);
      const own = await workspaceWith(tx, id);
      await noteAct(tx, { by: COMMAND_LINE, action: "key revoke", workspace: own, target: id });
      return own;
    });
    if (call.flag("cancel-scheduled")) return cancelled(store, { workspace, key: id });
    return { waiting: await countScheduled(store, { workspace, key: id }) };
  });
  const said = `The key set ${id} is revoked: its keys are refused from now on.`;
  printOne(call, { id, ...outcome }, () => `${said}${afterwards(id, outcome)}`);
}

async function scheduled(call: VerbCall): Promise<void> {
  const id = call.argument;
  const outcome = await inStore(call, async ({ store }) => {
    const workspace = await store.read((reader) => workspaceWith(reader, id));
    if (call.flag("cancel")) return cancelled(store, { workspace, key: id });
    return { waiting: await countScheduled(store, { workspace, key: id }) };
  });
  printOne(
    call,
    { id, ...outcome },
    () => afterwards(id, outcome).trim() || "It has scheduled nothing that still waits.",
  );
}

/** @throws AppError KEY_NOT_FOUND */
async function workspaceWith(reader: Reader, id: string): Promise<number> {
  const workspace = await workspaceOfKeySet(reader, id);
  if (workspace === null) throw new AppError("KEY_NOT_FOUND", `There is no key set ${id}.`);
  return workspace;
}

async function cancelled(store: Store, of: KeyOf): Promise<CancellationResult> {
  const { workspace, key: target } = of;
  await store.write((tx) => noteAct(tx, { by: COMMAND_LINE, action: "key scheduled --cancel", workspace, target }));
  return cancelScheduled(store, of, COMMAND_LINE);
}

function afterwards(id: string, outcome: CancellationResult | { readonly waiting: number }): string {
  if ("waiting" in outcome) {
    const { waiting } = outcome;
    if (waiting === 0) return "";
    const how = `To cancel: posthorn key scheduled ${id} --cancel`;
    return ` Scheduled by it and still waiting: ${countedEmails(waiting)}. ${how}`;
  }
  const left = outcome.inHand === 0 ? "" : ` Left, since they are being handed over: ${countedEmails(outcome.inHand)}.`;
  return ` Cancelled: ${countedEmails(outcome.cancelled)}.${left}`;
}

function countedEmails(count: number): string {
  return `${grouped(count)} ${count === 1 ? "email" : "emails"}`;
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
