// The network: the relay, the names of this machine, the DNS records of domains and of the return path, blocklists.
import { isIPv4 } from "node:net";
import { ownName, type Config } from "../../../base/config.ts";
import { openConnection } from "../../../sending/carrier/smtp/opening.ts";
import type { GraphOptions } from "../../../sending/carrier/graph.ts";
import type { TransportOptions } from "../../../sending/carrier/transports.ts";
import { transportOptions } from "../../../sending/open-ways/sending-options.ts";
import { defaultWay } from "../../../ground/ways/way.ts";
import { type WaySettings, DEFAULT_WAY } from "../../../base/config/ways.ts";
import { NO_TOKENS, usesTokens, type AccessTokens, type WayTokens } from "../../../ground/way-tokens/way-tokens.ts";
import { configuredWays, type Way } from "../../../ground/ways/list.ts";
import type { Resolver } from "../../../base/dns.ts";
import type { Store } from "../../../store/store.ts";
import { lookAt, findingOf } from "../../../tenant/domains/dns-check/look.ts";
import { recordSettings, recordsFor } from "../../../tenant/domains/dns-records.ts";
import { domainsOf, type Domain } from "../../../tenant/domains/queries.ts";
import { keysOfDomains } from "../../../tenant/domains/key-queries.ts";
import { addressesOf, dnsAnswers, reverseNamesOf } from "../../watch/answers.ts";
import { lookAtLists } from "../../watch/blocklists.ts";
import { unasked, watchedFaults } from "../../watch/queries.ts";
import { sentenceOf, type Aspect } from "../../watch/seen.ts";
import { note, ok, wrong, type DoctorFinding } from "./finding.ts";

const MAX_WAIT_MS = 10_000;
const MOST_DOMAINS = 200;

/** The relay of each configured way; for those with an access token the store is needed. */
export function lookAtRelays(config: Config): Promise<DoctorFinding[]> {
  const ways = configuredWays(config).filter((way) => !usesTokens(way));
  return Promise.all(ways.map((way) => lookAtWay(config, way)));
}

async function lookAtWay(config: Config, way: Way, tokens?: AccessTokens): Promise<DoctorFinding> {
  if (way.problem !== null) return wrong(checkOf(way), way.problem, "Enter its settings again, or remove it.");
  return lookAtRelay(config, way, tokens);
}

function checkOf({ name }: Pick<Way, "name">): string {
  return name === DEFAULT_WAY ? "relay" : `way ${name}`;
}

/** Up to the login, and without a mail. */
export async function lookAtRelay(
  config: Config,
  way: WaySettings = defaultWay(config),
  tokens: AccessTokens = NO_TOKENS,
): Promise<DoctorFinding> {
  const finding = await lookAtHop(transportOptions(config, way), way, tokens);
  return { ...finding, check: checkOf(way) };
}

async function lookAtHop(options: TransportOptions, way: WaySettings, tokens: AccessTokens): Promise<DoctorFinding> {
  if (options.kind === "capture") return note("relay", "the transport is capture: no email leaves");
  if (options.kind === "ses") return lookAtSes(way);
  if (options.kind === "graph") return lookAtGraph(options.graph, tokens);
  const { host, port, user } = options.relay;
  const timeoutMs = Math.min(options.relay.timeoutMs, MAX_WAIT_MS);
  const opened = await openConnection({ ...options.relay, tokens, timeoutMs });
  if ("kind" in opened)
    return wrong(
      "relay",
      `${host}:${port}: ${opened.reply}`,
      "Check its settings, and whether a firewall lets this machine out.",
    );
  void opened.dialogue.quit();
  return ok("relay", `${host}:${port} takes email${user === null ? "" : `, and the login of ${user}`}`);
}

async function lookAtGraph(options: GraphOptions, tokens: AccessTokens): Promise<DoctorFinding> {
  const transport = (await import("../../../sending/carrier/graph.ts")).graphTransport(options, tokens);
  const fault = (await transport.look?.()) ?? null;
  await transport.close();
  if (fault === null) return ok("relay", `Microsoft Graph knows ${options.user}`);
  return wrong("relay", fault, "Check the rights of the app, and whether this machine may call out.");
}

async function lookAtSes({ ses }: WaySettings): Promise<DoctorFinding> {
  const endpoint = ses.endpoint ?? `https://email.${ses.region}.amazonaws.com`;
  try {
    await fetch(endpoint, { signal: AbortSignal.timeout(MAX_WAIT_MS) });
    return ok("relay", `${endpoint} answers; posthorn domain verify also tries the access key`);
  } catch (error) {
    return wrong(
      "relay",
      `${endpoint}: ${(error as Error).message}`,
      "Check its region, and whether this machine may call out.",
    );
  }
}

const unknown = (check: string, name: string) => note(check, `the name servers do not answer about ${name}`);

/** Checks that our EHLO name leads here and back: large receivers require both. */
export async function lookAtOwnName(config: Config, resolver: Resolver): Promise<DoctorFinding[]> {
  const [check, name] = ["own name", ownName(config)];
  if (isIPv4(name) || name.includes(":") || !name.includes("."))
    return [note(check, `${name} is no name that others can look up; set http.base_url or smtp.hostname`)];
  const addresses = await addressesOf(resolver, name);
  if (addresses === null) return [unknown(check, name)];
  if (addresses.length === 0)
    return [
      wrong(
        check,
        `${name} has no address in the DNS.`,
        "Publish an A record, or set smtp.hostname to a name that has one.",
      ),
    ];
  return Promise.all(addresses.map((address) => lookAtReverse(resolver, name, address)));
}

async function lookAtReverse(resolver: Resolver, name: string, address: string): Promise<DoctorFinding> {
  const plain = await reverseNamesOf(resolver, address);
  if (plain === null) return unknown("own name", address);
  if (plain.includes(name)) return ok("own name", `${name} is ${address}, and ${address} is ${name}`);
  return note(
    "own name",
    `${name} is ${address}, whose reverse name is ${plain[0] ?? "missing"}: if email leaves from this address, let its provider set it`,
  );
}

export async function lookAtReturnPath(config: Config, resolver: Resolver): Promise<DoctorFinding> {
  const { returnPathDomain: domain, transport } = config.delivery;
  const check = "return path";
  if (domain === null)
    return note(
      check,
      transport === "ses" ? "bounces come as notices of SES" : "unset: bounces go to the sender of each email",
    );
  const records = await dnsAnswers(resolver, domain, "MX");
  if (records === null) return unknown(check, domain);
  const hosts = records.map((record) =>
    record
      .replace(/^\d+\s+/, "")
      .replace(/\.$/, "")
      .toLowerCase(),
  );
  if (hosts.includes(ownName(config))) return ok(check, `the MX of ${domain} is ${ownName(config)}`);
  const text = hosts.length === 0 ? `${domain} has no MX record.` : `The MX of ${domain} is ${hosts.join(", ")}.`;
  return wrong(check, text, `Publish: ${domain} MX 10 ${ownName(config)}.`);
}

type NetworkCheck = { readonly store: Store; readonly config: Config; readonly ways: readonly WaySettings[] };

type WaysCheck = {
  readonly config: Config;
  readonly ways: readonly Way[];
  readonly tokens?: Pick<WayTokens, "of"> | null;
};

/** The relays of the ways that owners have added, and of those that log in with an access token. */
export function lookAtWaysInStore({ config, ways, tokens }: WaysCheck): Promise<DoctorFinding[]> {
  const looked = ways.filter((way) => way.source === "INSTALLATION" || usesTokens(way));
  return Promise.all(looked.map((way) => lookAtWay(config, way, tokens?.of(way))));
}

/** The domains as their owners would see them now; nothing is recorded. */
export async function lookAtDomains(
  { store, config, ways }: NetworkCheck,
  resolver: Resolver,
): Promise<DoctorFinding[]> {
  const domains = (await store.read((reader) => domainsOf(reader, null))).filter(
    ({ verifiedAt, failingSince }) => verifiedAt !== null || failingSince !== null,
  );
  if (domains.length === 0) return [note("domains", "none is verified yet")];
  return Promise.all(
    domains.slice(0, MOST_DOMAINS).map((domain) => lookAtDomain({ store, config, ways }, resolver, domain)),
  );
}

async function lookAtDomain(
  { store, config, ways }: NetworkCheck,
  resolver: Resolver,
  row: Domain,
): Promise<DoctorFinding> {
  const check = `domain ${row.domain}`;
  if (row.takenUnseen) return note(check, "an operator took it as verified, whatever the DNS says");
  const keys = await store.read((reader) => keysOfDomains(reader, [row.seq]));
  const records = recordsFor(row.domain, keys, recordSettings(config, ways));
  const checks = await lookAt(resolver, row.domain, records);
  const states = records.map((record) => ({ ...record, ...findingOf(checks, record) }));
  const faulty = states.filter(({ required, state }) => required && (state === "MISSING" || state === "WRONG"));
  const advice = states.filter(
    ({ required, state, purpose }) =>
      !required && (state === "WRONG" || (state === "MISSING" && purpose !== "INBOUND")),
  );
  if (faulty.length > 0)
    return wrong(
      check,
      `${purposesText(faulty)} missing or wrong.`,
      `posthorn domain verify ${row.domain} shows what to publish.`,
    );
  if (states.some(({ state }) => state === "UNKNOWN")) return unknown(check, row.domain);
  return advice.length === 0
    ? ok(check, "its records are as they should be")
    : note(
        check,
        `${purposesText(advice)} not as recommended. ${advice.map(({ problem }) => problem ?? "").join(" ")}`.trim(),
      );
}

function purposesText(records: readonly { readonly purpose: string }[]): string {
  return [...new Set(records.map(({ purpose }) => purpose))].join(", ");
}

/** Opt-in: each list learns which addresses are ours. */
export async function lookAtBlocklists(config: Config, resolver: Resolver): Promise<DoctorFinding[]> {
  const own = config.watch.addresses.length > 0 ? config.watch.addresses : await addressesOf(resolver, ownName(config));
  if (own === null || own.length === 0)
    return [note("blocklists", `${ownName(config)} has no address to ask for: set watch.addresses`)];
  const seen = await lookAtLists(
    { config, resolver },
    "address",
    own.map((name) => ({ name, domain: null })),
  );
  return seen.map(({ subject, by, state, detail, ...more }) => {
    const check = `blocklist ${by}`;
    if (state === "UNKNOWN") return note(check, detail ?? "");
    if (state === "OK") return ok(check, `${subject} is not on it`);
    return wrong(check, sentenceOf({ ...more, subject, by, detail }), `Mend the cause, then ask ${by} to take it off.`);
  });
}

/** The faults that the server itself finds day by day. */
export async function lookAtWatch(store: Store): Promise<DoctorFinding[]> {
  const [faults, silent] = await store.read(async (reader) => [
    await watchedFaults(reader, MOST_FAULTS),
    await unasked(reader, MOST_FAULTS),
  ]);
  return [
    ...faults.map((one) => wrong("seen from outside", sentenceOf(one), ADVICE[one.aspect])),
    ...silent.map(({ by, subject, detail }) => note("seen from outside", `${by || subject}: ${detail}`)),
  ];
}

const MOST_FAULTS = 50;
const ADVICE: Readonly<Record<Aspect, string>> = {
  ADDRESS: "Publish an A record, or set smtp.hostname to a name that has one.",
  REVERSE_NAME: "Let the provider of the address set its reverse name.",
  RETURN_PATH: "Publish the MX record of the return path again.",
  CERTIFICATE: "Renew it, or ask its operator to.",
  RELEASE: "Read its notes, then run: posthorn upgrade.",
  BLOCKLIST: "Mend the cause, then ask the list to take it off.",
};
