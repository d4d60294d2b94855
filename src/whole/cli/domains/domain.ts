// `posthorn domain …`: add, verify and list sender domains, give them new DKIM keys, and see and change their warm-up.
import { systemClock, iso } from "../../../base/clock.ts";
import { identitiesFor } from "../../../sending/open-ways/sending-options.ts";
import { systemResolver } from "../../../base/dns.ts";
import { createLog } from "../../../base/log.ts";
import { loadSecrets } from "../../../base/secrets.ts";
import type { Reader, Tx } from "../../../store/store.ts";
import { COMMAND_LINE } from "../../../tenant/access/caller.ts";
import { noteAct } from "../../../operator/team/audit/audit.ts";
import { checkDomain, type DomainContext } from "../../../tenant/domains/check.ts";
import { makeDkimKey } from "../../../tenant/domains/dkim-key.ts";
import {
  addableDomain,
  addDomain,
  findDomain,
  takeAsVerified,
  verifiedElsewhere,
} from "../../../tenant/domains/domain.ts";
import { rotatable, rotateKey } from "../../../tenant/domains/keys.ts";
import { domainsOf, type Domain } from "../../../tenant/domains/queries.ts";
import { POLICY_FETCH } from "../../../tenant/domains/room.ts";
import { ofProvider } from "../../../tenant/domains/routes.ts";
import { DEFAULT_DAYS, reportsOf } from "../../../mail/reports/figures.ts";
import { isProviders } from "../../../mail/verify/lists.ts";
import { findWorkspace } from "../../../tenant/workspaces/workspace.ts";
import {
  inStore,
  secretsOf,
  waysAsked,
  WORKSPACE_NEEDED,
  WORKSPACE_OPTION,
  workspaceOf,
  type CliGround,
} from "../beside.ts";
import {
  addedText,
  checkedText,
  rotatedText,
  shownDomain,
  shownDomains,
  shownIn,
  stateInWords,
  type ShownDomain,
} from "./domain-record.ts";
import { reportsText } from "./domain-reports.ts";
import { changeWarmup, showWarmup, wantedIn, WARMUP_OPTIONS, type WarmupRequest } from "./domain-warmup.ts";
import { printList, printOne } from "../print.ts";
import { JSON_OPTION, type VerbCall, type VerbOptions, type Verb } from "../verb.ts";

const WHERE: VerbOptions = { workspace: { ...WORKSPACE_OPTION, help: "The workspace, where several have the domain" } };

export const DOMAIN_VERBS: readonly Verb[] = [
  {
    name: "domain add",
    argument: "DOMAIN",
    summary: "Adds a sender domain and prints the DNS records to publish",
    options: { workspace: WORKSPACE_NEEDED, ...JSON_OPTION },
    run: add,
  },
  {
    name: "domain verify",
    argument: "DOMAIN",
    summary: "Looks up the DNS records of a domain; once the DKIM record is found, email may be sent from the domain",
    options: { ...WHERE, force: { help: "Mark the domain as verified without a check" }, ...JSON_OPTION },
    run: (call) => inStore(call, (place) => (call.flag("force") ? markVerified(call, place) : verify(call, place))),
  },
  {
    name: "domain rotate",
    argument: "DOMAIN",
    summary: "Gives a domain a second DKIM key, which signs once its record is found",
    options: { ...WHERE, ...JSON_OPTION },
    run: (call) => inStore(call, (place) => rotate(call, place)),
  },
  {
    name: "domain list",
    summary: "Lists the sender domains; with --json also their DNS records and the state of each",
    options: { workspace: WORKSPACE_OPTION, ...JSON_OPTION },
    run: listDomains,
  },
  {
    name: "domain reports",
    argument: "DOMAIN",
    summary: "Shows what receivers report on a domain in the last thirty days, and whether a stricter policy is safe",
    options: { ...WHERE, ...JSON_OPTION },
    run: (call) => inStore(call, (place) => reports(call, place)),
  },
  {
    name: "domain warmup",
    argument: "DOMAIN",
    summary: "Shows how far the warm-up of a new domain is and what waits for it, or changes it",
    notes: ["A running server follows within seconds."],
    options: { ...WARMUP_OPTIONS, ...WHERE, ...JSON_OPTION },
    run: (call) => warmup(call, wantedIn(call)),
  },
];

async function add(call: VerbCall): Promise<void> {
  const domain = call.argument;
  const record = await inStore(call, async (place) => {
    const { store } = place;
    const { seq } = await store.read((reader) => findWorkspace(reader, call.text("workspace") ?? ""));
    await store.read((reader) => addableDomain(reader, seq, domain));
    const secrets = await secretsOf(place);
    // Before the change: a write may await nothing else.
    const keyPair = await makeDkimKey();
    return store.write(async (tx) => {
      const added = await addDomain(tx, secrets, seq, { domain, keyPair });
      await noteDomain(tx, "domain add", added);
      return shownDomain(tx, added, place);
    });
  });
  printOne(call, record, () => addedText(record));
  if (isProviders(record.domain)) call.io.err(ofProvider(record.domain));
}

async function markVerified(call: VerbCall, place: CliGround): Promise<number> {
  await place.store.write(async (tx) => {
    const domain = await domainNamed(call, tx);
    await takeAsVerified(tx, domain);
    await noteDomain(tx, "domain verify --force", domain);
  });
  const record = await domainShown(call, place);
  const note = `${record.domain} is marked as verified. Its DNS records were not checked.`;
  printOne(call, record, () => note);
  if (call.flag("json")) call.io.err(note);
  return 0;
}

async function verify(call: VerbCall, place: CliGround): Promise<number> {
  const row = await place.store.read((reader) => domainNamed(call, reader));
  const context = await contextOf(place);
  const { taken } = await checkDomain(context, row);
  await context.identities?.close();
  await context.atWays?.close();
  if (taken) throw verifiedElsewhere(row.domain);
  const record = await domainShown(call, place);
  const isFine = record.verified && record.failingSince === null;
  if (isFine || call.flag("json")) printOne(call, record, () => checkedText(record));
  if (!isFine) call.io.err(checkedText(record));
  return isFine ? 0 : 1;
}

async function rotate(call: VerbCall, place: CliGround): Promise<void> {
  const { store } = place;
  const row = await store.read((reader) => domainNamed(call, reader));
  const secrets = await secretsOf(place);
  await store.read((reader) => rotatable(reader, row.workspace, row.id, iso(systemClock.nowMs())));
  // Before the change: a write may await nothing else.
  const keyPair = await makeDkimKey();
  await store.write(async (tx) => {
    await rotateKey(tx, secrets, row, keyPair);
    await noteDomain(tx, "domain rotate", row);
  });
  const record = await domainShown(call, place);
  printOne(call, record, () => rotatedText(record));
}

function noteDomain(tx: Tx, action: string, { id, workspace }: Domain): Promise<void> {
  return noteAct(tx, { by: COMMAND_LINE, action, workspace, target: id });
}

async function listDomains(call: VerbCall): Promise<void> {
  const records = await inStore(call, (place) =>
    place.store.read(async (reader) =>
      shownDomains(reader, await domainsOf(reader, await workspaceOf(call, reader)), place),
    ),
  );
  printList(call, records, inColumns, "There are no sender domains yet.");
}

async function reports(call: VerbCall, { store, config }: CliGround): Promise<void> {
  const { settings } = await store.read((reader) => shownIn(reader, config));
  const { domain, ...found } = await store.read(async (reader) => {
    const domain = await domainNamed(call, reader);
    const asked = { domain, settings, days: DEFAULT_DAYS, nowMs: systemClock.nowMs() };
    return { domain: domain.domain, ...(await reportsOf(reader, asked)) };
  });
  printOne(call, { domain, ...found }, () => reportsText(domain, found));
}

function warmup(call: VerbCall, wanted: WarmupRequest): Promise<void> {
  return inStore(call, async (place) => {
    if (wanted !== null)
      await place.store.write(async (tx) => {
        const row = await domainNamed(call, tx);
        await noteDomain(tx, await changeWarmup(tx, row, wanted), row);
      });
    const row = await place.store.read((reader) => domainNamed(call, reader));
    await showWarmup(call, place, row);
  });
}

function inColumns(record: ShownDomain) {
  const { domain, workspace, selector } = record;
  return { domain, workspace, state: stateInWords(record), selector };
}

function domainShown(call: VerbCall, place: CliGround): Promise<ShownDomain> {
  return place.store.read(async (reader) => shownDomain(reader, await domainNamed(call, reader), place));
}

async function domainNamed(call: VerbCall, reader: Reader): Promise<Domain> {
  return findDomain(reader, call.argument, await workspaceOf(call, reader));
}

async function contextOf(place: CliGround): Promise<DomainContext> {
  const { store, config } = place;
  const { ways: wayNames, ...shown } = await store.read((reader) => shownIn(reader, config));
  return {
    ...shown,
    wayNames,
    atWays: await waysAsked(place),
    store,
    clock: systemClock,
    // Silent, since the verb itself prints its progress.
    log: createLog({ level: "error", format: "text", clock: systemClock, write: () => undefined }),
    // Read only where a service has to learn a key.
    get secrets() {
      return loadSecrets(config.secrets.key, config.data.dir);
    },
    resolver: systemResolver(config.dns.servers),
    identities: identitiesFor(config),
    fetchText: POLICY_FETCH,
    looks: new Map(),
  };
}
