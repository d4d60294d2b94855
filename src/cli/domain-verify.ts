// `posthorn domain verify`: by its DKIM record in the DNS, or without looking.
import { systemResolver } from "../dns.ts";
import type { Reader } from "../store/store.ts";
import { findDomain, takeAsVerified, verifyDomain } from "../workspaces/domain.ts";
import type { DomainRow } from "../workspaces/queries.ts";
import { inStore, type Place } from "./beside.ts";
import { domainRecord, notVerifiedText } from "./domain-record.ts";
import { printOne } from "./print.ts";
import { JSON_OPTION, type Call, type Verb } from "./verb.ts";
import { WORKSPACE_OPTION, workspaceOf } from "./workspace-option.ts";

export const DOMAIN_VERIFY: Verb = {
  name: "domain verify",
  argument: "DOMAIN",
  summary: "Looks for the DKIM record of a domain; with it, mail may be sent from the domain",
  options: {
    workspace: { ...WORKSPACE_OPTION, help: "The workspace, where several have the domain" },
    force: { help: "Take the domain as verified without looking" },
    ...JSON_OPTION,
  },
  run: (call) => inStore(call, (place) => (call.flag("force") ? unseen(call, place) : byDns(call, place))),
};

async function unseen(call: Call, { store, config }: Place): Promise<number> {
  await store.write(async (tx) => takeAsVerified(tx, await domainMeant(call, tx)));
  const row = await store.read((reader) => domainMeant(call, reader));
  const note = `${row.domain} is taken as verified. Its DNS records were not checked.`;
  printOne(call, domainRecord(row, config), () => note);
  if (call.flag("json")) call.io.err(note);
  return 0;
}

async function byDns(call: Call, { store, config }: Place): Promise<number> {
  const row = await store.read((reader) => domainMeant(call, reader));
  const { published, found } = await verifyDomain(store, systemResolver(config.dns.servers), row);
  const record = domainRecord(await store.read((reader) => domainMeant(call, reader)), config);
  if (published) printOne(call, record, () => `${row.domain} is verified: its DKIM record is published.`);
  if (published) return 0;
  if (call.flag("json")) call.io.out(JSON.stringify(record));
  call.io.err(notVerifiedText(record, found));
  return 1;
}

async function domainMeant(call: Call, reader: Reader): Promise<DomainRow> {
  return findDomain(reader, call.argument, await workspaceOf(call, reader));
}
