// `posthorn domain verify`: by its DNS records, or without looking; `posthorn domain rotate`: another DKIM key.
import { systemClock, iso } from "../clock.ts";
import type { Reader } from "../store/store.ts";
import { makeDkimKey } from "../workspaces/domains/dkim-key.ts";
import { checkDomain } from "../workspaces/domains/check.ts";
import { rotatable, rotateKey } from "../workspaces/domains/keys.ts";
import type { DomainRow } from "../workspaces/domains/queries.ts";
import { findDomain, takeAsVerified, verifiedElsewhere } from "../workspaces/domains/domain.ts";
import { inStore, secretsOf, type Place } from "./beside.ts";
import { domainContext } from "./domain-context.ts";
import { checkedText, rotatedText, shownDomain, type ShownDomain } from "./domain-record.ts";
import { printOne } from "./print.ts";
import { JSON_OPTION, type Call, type Options, type Verb } from "./verb.ts";
import { WORKSPACE_OPTION, workspaceOf } from "./workspace-option.ts";

const WHERE: Options = { workspace: { ...WORKSPACE_OPTION, help: "The workspace, where several have the domain" } };

export const DOMAIN_VERIFY: Verb = {
  name: "domain verify",
  argument: "DOMAIN",
  summary: "Looks for the DNS records of a domain; with that for DKIM, mail may be sent from the domain",
  options: { ...WHERE, force: { help: "Take the domain as verified without looking" }, ...JSON_OPTION },
  run: (call) => inStore(call, (place) => (call.flag("force") ? unseen(call, place) : byDns(call, place))),
};

export const DOMAIN_ROTATE: Verb = {
  name: "domain rotate",
  argument: "DOMAIN",
  summary: "Gives a domain a second DKIM key, which signs once its record is found",
  options: { ...WHERE, ...JSON_OPTION },
  run: (call) => inStore(call, (place) => rotate(call, place)),
};

async function unseen(call: Call, place: Place): Promise<number> {
  await place.store.write(async (tx) => takeAsVerified(tx, await domainMeant(call, tx)));
  const record = await shown(call, place);
  const note = `${record.domain} is taken as verified. Its DNS records were not checked.`;
  printOne(call, record, () => note);
  if (call.flag("json")) call.io.err(note);
  return 0;
}

async function byDns(call: Call, place: Place): Promise<number> {
  const row = await place.store.read((reader) => domainMeant(call, reader));
  const context = domainContext(place);
  const { taken } = await checkDomain(context, row);
  await context.identities?.close();
  if (taken) throw verifiedElsewhere(row.domain);
  const record = await shown(call, place);
  const isFine = record.verified && record.failingSince === null;
  if (isFine || call.flag("json")) printOne(call, record, () => checkedText(record));
  if (!isFine) call.io.err(checkedText(record));
  return isFine ? 0 : 1;
}

async function rotate(call: Call, place: Place): Promise<number> {
  const { store } = place;
  const row = await store.read((reader) => domainMeant(call, reader));
  const secrets = await secretsOf(place);
  await store.read((reader) => rotatable(reader, row.workspace, row.id, iso(systemClock.nowMs())));
  // Made before the change: a write may wait for nothing else.
  const keyPair = await makeDkimKey();
  await store.write((tx) => rotateKey(tx, secrets, row, keyPair));
  const record = await shown(call, place);
  printOne(call, record, () => rotatedText(record));
  return 0;
}

function shown(call: Call, place: Place): Promise<ShownDomain> {
  return place.store.read(async (reader) => shownDomain(reader, await domainMeant(call, reader), place));
}

async function domainMeant(call: Call, reader: Reader): Promise<DomainRow> {
  return findDomain(reader, call.argument, await workspaceOf(call, reader));
}
