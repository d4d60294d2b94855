// `posthorn domain …`: add and list sender domains; domain-verify.ts verifies them.
import { makeDkimKey } from "../workspaces/dkim-key.ts";
import { addDomain } from "../workspaces/domain.ts";
import { domainsOf } from "../workspaces/queries.ts";
import { findWorkspace } from "../workspaces/workspace.ts";
import { inStore, secretsOf } from "./beside.ts";
import { addedText, domainRecord, type DomainRecord } from "./domain-record.ts";
import { DOMAIN_VERIFY } from "./domain-verify.ts";
import { printList, printOne } from "./print.ts";
import { JSON_OPTION, type Call, type Verb } from "./verb.ts";
import { WORKSPACE_NEEDED, WORKSPACE_OPTION, workspaceOf } from "./workspace-option.ts";

export const DOMAIN_VERBS: readonly Verb[] = [
  {
    name: "domain add",
    argument: "DOMAIN",
    summary: "Adds a sender domain and prints the DNS records that it needs",
    options: { workspace: WORKSPACE_NEEDED, ...JSON_OPTION },
    run: add,
  },
  DOMAIN_VERIFY,
  {
    name: "domain list",
    summary: "Lists the sender domains; as JSON with the DNS records that they need",
    options: { workspace: WORKSPACE_OPTION, ...JSON_OPTION },
    run: list,
  },
];

async function add(call: Call): Promise<number> {
  // Made before the change: a write may wait for nothing else.
  const keyPair = await makeDkimKey();
  const record = await inStore(call, async ({ store, config }) => {
    const secrets = secretsOf(config);
    const row = await store.write(async (tx) => {
      const workspace = await findWorkspace(tx, call.text("workspace") ?? "");
      return addDomain(tx, secrets, workspace.seq, { domain: call.argument, keyPair });
    });
    return domainRecord(row, config);
  });
  printOne(call, record, () => addedText(record));
  return 0;
}

async function list(call: Call): Promise<number> {
  const records = await inStore(call, async ({ store, config }) => {
    const rows = await store.read(async (reader) => domainsOf(reader, await workspaceOf(call, reader)));
    return rows.map((row) => domainRecord(row, config));
  });
  printList(call, records, inColumns, "There are no sender domains yet.");
  return 0;
}

function inColumns({ domain, workspace, verifiedAt, selector }: DomainRecord) {
  return { domain, workspace, state: verifiedAt === null ? "not verified" : `verified ${verifiedAt}`, selector };
}
