// `posthorn domain …`: add and list sender domains; domain-verify.ts looks at them and gives them other keys.
import { makeDkimKey } from "../workspaces/domains/dkim-key.ts";
import { addableDomain, addDomain } from "../workspaces/domains/domain.ts";
import { domainsOf } from "../workspaces/domains/queries.ts";
import { findWorkspace } from "../workspaces/workspace.ts";
import { inStore, secretsOf } from "./beside.ts";
import { addedText, shownDomain, shownDomains, stateInWords, type ShownDomain } from "./domain-record.ts";
import { DOMAIN_ROTATE, DOMAIN_VERIFY } from "./domain-verify.ts";
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
  DOMAIN_ROTATE,
  {
    name: "domain list",
    summary: "Lists the sender domains; as JSON with their DNS records, and what was found of them",
    options: { workspace: WORKSPACE_OPTION, ...JSON_OPTION },
    run: list,
  },
];

async function add(call: Call): Promise<number> {
  const domain = call.argument;
  const record = await inStore(call, async (place) => {
    const { store } = place;
    const { seq } = await store.read((reader) => findWorkspace(reader, call.text("workspace") ?? ""));
    await store.read((reader) => addableDomain(reader, seq, domain));
    const secrets = await secretsOf(place);
    // Made before the change: a write may wait for nothing else.
    const keyPair = await makeDkimKey();
    return store.write(async (tx) => shownDomain(tx, await addDomain(tx, secrets, seq, { domain, keyPair }), place));
  });
  printOne(call, record, () => addedText(record));
  return 0;
}

async function list(call: Call): Promise<number> {
  const records = await inStore(call, (place) =>
    place.store.read(async (reader) =>
      shownDomains(reader, await domainsOf(reader, await workspaceOf(call, reader)), place),
    ),
  );
  printList(call, records, inColumns, "There are no sender domains yet.");
  return 0;
}

function inColumns(record: ShownDomain) {
  const { domain, workspace, selector } = record;
  return { domain, workspace, state: stateInWords(record), selector };
}
