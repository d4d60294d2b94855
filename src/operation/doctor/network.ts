// The network: the relay, the names of this machine, the DNS records of domains and of the return path, blocklists.
import { isIPv4 } from "node:net";
import { ownName, type Config } from "../../config.ts";
import { openConnection } from "../../delivery/smtp/opening.ts";
import type { TransportOptions } from "../../delivery/carrier/transports.ts";
import { transportOptions } from "../../delivery/sending-options.ts";
import { defaultWay, waysOf, type Way } from "../../delivery/ways.ts";
import { DEFAULT_WAY } from "../../config/ways.ts";
import { DnsError, type Resolver } from "../../dns.ts";
import type { RecordType } from "../../dns/message.ts";
import type { Store } from "../../store/store.ts";
import { lookAt, findingOf } from "../../domains/dns-check/look.ts";
import { recordSettings, recordsFor } from "../../domains/dns-records.ts";
import { domainsOf, type Domain } from "../../domains/queries.ts";
import { keysOfDomains } from "../../domains/key-queries.ts";
import { note, ok, wrong, type Finding } from "./finding.ts";

const MAX_WAIT_MS = 10_000;
const MOST_DOMAINS = 200;

/** Of each way out. */
export function lookAtRelays(config: Config): Promise<Finding[]> {
  return Promise.all(waysOf(config).map((way) => lookAtRelay(config, way)));
}

/** As far as a login, and without a mail. */
export async function lookAtRelay(config: Config, way: Way = defaultWay(config)): Promise<Finding> {
  const check = way.name === DEFAULT_WAY ? "relay" : `way ${way.name}`;
  const finding = await lookAtHop(transportOptions(config, way), way);
  return { ...finding, check };
}

async function lookAtHop(options: TransportOptions, way: Way): Promise<Finding> {
  if (options.kind === "capture") return note("relay", "the transport is capture: no email leaves");
  if (options.kind === "ses") return lookAtSes(way);
  const { host, port, user } = options.relay;
  const opened = await openConnection({ ...options.relay, timeoutMs: Math.min(options.relay.timeoutMs, MAX_WAIT_MS) });
  if ("kind" in opened)
    return wrong(
      "relay",
      `${host}:${port}: ${opened.reply}`,
      "Check its settings, and whether a firewall lets this machine out.",
    );
  void opened.dialogue.quit();
  return ok("relay", `${host}:${port} takes email${user === null ? "" : `, and the login of ${user}`}`);
}

async function lookAtSes({ ses }: Way): Promise<Finding> {
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

/** Null = it cannot be known now. */
async function found(resolver: Resolver, name: string, type: RecordType): Promise<readonly string[] | null> {
  try {
    return (await resolver.find(name, type)).records;
  } catch (error) {
    if (error instanceof DnsError) return null;
    throw error;
  }
}

const unknown = (check: string, name: string) => note(check, `the name servers do not answer about ${name}`);

/** Whether the name that we say in EHLO leads here and back: large receivers ask for both. */
export async function lookAtOwnName(config: Config, resolver: Resolver): Promise<Finding[]> {
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

async function addressesOf(resolver: Resolver, name: string): Promise<readonly string[] | null> {
  const [four, six] = [await found(resolver, name, "A"), await found(resolver, name, "AAAA")];
  return four === null && six === null ? null : [...(four ?? []), ...(six ?? [])];
}

async function lookAtReverse(resolver: Resolver, name: string, address: string): Promise<Finding> {
  const names = await found(resolver, reverseOf(address), "PTR");
  if (names === null) return unknown("own name", address);
  const plain = names.map((one) => one.replace(/\.$/, "").toLowerCase());
  if (plain.includes(name)) return ok("own name", `${name} is ${address}, and ${address} is ${name}`);
  return note(
    "own name",
    `${name} is ${address}, whose reverse name is ${plain[0] ?? "missing"}: if email leaves from this address, let its provider set it`,
  );
}

/** `1.2.0.192.in-addr.arpa`; of IPv6 by half bytes (RFC 3596). */
function reverseOf(address: string): string {
  if (isIPv4(address)) return `${address.split(".").reverse().join(".")}.in-addr.arpa`;
  const [head = "", tail = ""] = address.split("::");
  const groups = (text: string) => text.split(":").filter((group) => group !== "");
  const missing = address.includes("::") ? 8 - groups(head).length - groups(tail).length : 0;
  const all = [...groups(head), ...Array<string>(missing).fill("0"), ...groups(tail)];
  const digits = all.map((group) => group.padStart(4, "0")).join("");
  return `${[...digits].reverse().join(".")}.ip6.arpa`;
}

export async function lookAtReturnPath(config: Config, resolver: Resolver): Promise<Finding> {
  const { returnPathDomain: domain, transport } = config.delivery;
  const check = "return path";
  if (domain === null)
    return note(
      check,
      transport === "ses" ? "bounces come as notices of SES" : "unset: bounces go to the sender of each email",
    );
  const records = await found(resolver, domain, "MX");
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

/** As their owners would see it now; nothing is recorded. */
export async function lookAtDomains(store: Store, config: Config, resolver: Resolver): Promise<Finding[]> {
  const domains = (await store.read((reader) => domainsOf(reader, null))).filter(
    ({ verifiedAt, failingSince }) => verifiedAt !== null || failingSince !== null,
  );
  if (domains.length === 0) return [note("domains", "none is verified yet")];
  return Promise.all(domains.slice(0, MOST_DOMAINS).map((domain) => lookAtDomain(store, config, resolver, domain)));
}

async function lookAtDomain(store: Store, config: Config, resolver: Resolver, row: Domain): Promise<Finding> {
  const check = `domain ${row.domain}`;
  if (row.takenUnseen) return note(check, "an operator took it as verified, whatever the DNS says");
  const keys = await store.read((reader) => keysOfDomains(reader, [row.seq]));
  const records = recordsFor(row.domain, keys, recordSettings(config));
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
      `${named(faulty)} missing or wrong.`,
      `posthorn domain verify ${row.domain} shows what to publish.`,
    );
  if (states.some(({ state }) => state === "UNKNOWN")) return unknown(check, row.domain);
  return advice.length === 0
    ? ok(check, "its records are as they should be")
    : note(
        check,
        `${named(advice)} not as recommended. ${advice.map(({ problem }) => problem ?? "").join(" ")}`.trim(),
      );
}

function named(records: readonly { readonly purpose: string }[]): string {
  return [...new Set(records.map(({ purpose }) => purpose))].join(", ");
}

const LISTS = ["zen.spamhaus.org", "bl.spamcop.net", "b.barracudacentral.org"];
/** An answer of this kind is about the question, not the address: public name servers are refused. */
const REFUSED = /^127\.255\.255\./;

/** Only if asked for: each list hears which addresses are ours. */
export async function lookAtBlocklists(config: Config, resolver: Resolver): Promise<Finding[]> {
  const addresses = ((await found(resolver, ownName(config), "A")) ?? []).filter((one) => isIPv4(one));
  if (addresses.length === 0) return [note("blocklists", `${ownName(config)} has no IPv4 address to ask for`)];
  const asked = addresses.flatMap((address) => LISTS.map((list) => ({ address, list })));
  return Promise.all(asked.map(({ address, list }) => lookAtBlocklist(resolver, address, list)));
}

async function lookAtBlocklist(resolver: Resolver, address: string, list: string): Promise<Finding> {
  const answers = await found(resolver, `${address.split(".").reverse().join(".")}.${list}`, "A");
  const check = `blocklist ${list}`;
  if (answers === null || answers.some((one) => REFUSED.test(one)))
    return note(check, "does not answer this name server");
  if (answers.length === 0) return ok(check, `${address} is not on it`);
  return wrong(
    check,
    `${address} is on it (${answers.join(", ")}).`,
    `Mend the cause, then ask ${list} to take it off.`,
  );
}
