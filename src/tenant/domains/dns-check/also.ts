// Findings about a domain besides its records: a logo (BIMI), whether mail to it must be encrypted (MTA-STS), and
// whether the next hop can prove its identity (DANE). None of them is ever a fault: email is sent without.
import type { FetchText } from "../../../http/fetch-text.ts";
import { isPublicAddress } from "../../../base/ip-addresses.ts";
import type { Resolver } from "../../../base/dns.ts";
import { deadlineResolver } from "../../../base/dns/bounded.ts";
import { dmarcRecords, policyFor } from "../../../base/dns/dmarc.ts";
import { missing, OK, quoted, tagsOf, unlessUnknown, wrong, type DnsFinding } from "./finding.ts";
import { problemOf } from "./problems.ts";
import type { Checks } from "./look.ts";

export type ExtraRecordKind = "BIMI" | "MTA_STS" | "DANE";

/** A server that mail is handed over to. */
export type Hop = { readonly host: string; readonly port: number };

type ExtraCheckOptions = {
  readonly domain: string;
  readonly hops: readonly Hop[];
  readonly fetchText: FetchText;
  /** The findings of the last check, with the time: a policy is fetched once an hour. */
  readonly before: Checks;
  readonly nowMs: number;
};

const MAX_LOOK_MS = 10_000;
const MOST_HOPS = 5;

/** The key of the finding among the checks. `name`: that of the record. */
export function placeOfTopic(topic: ExtraRecordKind, name: string): string {
  return `ALSO ${topic} ${name}`;
}

/** The names of the records to check. */
export function topicsOf(domain: string, hops: readonly Hop[]): readonly (readonly [ExtraRecordKind, name: string])[] {
  return [
    ["BIMI", `default._bimi.${domain}`],
    ["MTA_STS", `_mta-sts.${domain}`],
    ...hops.slice(0, MOST_HOPS).map(({ host, port }) => ["DANE", `_${port}._tcp.${host}`] as const),
  ];
}

/** Checks all at the same time. */
export async function lookBeside(names: Resolver, asked: ExtraCheckOptions): Promise<Checks> {
  const resolver = deadlineResolver(names, MAX_LOOK_MS);
  const looks = topicsOf(asked.domain, asked.hops).map(async ([topic, name]) => {
    return [placeOfTopic(topic, name), await unlessUnknown(checkExtra(resolver, asked, topic, name))] as const;
  });
  return Object.fromEntries(await Promise.all(looks));
}

function checkExtra(
  resolver: Resolver,
  asked: ExtraCheckOptions,
  topic: ExtraRecordKind,
  name: string,
): Promise<DnsFinding> {
  if (topic === "BIMI") return lookAtLogo(resolver, asked.domain, name);
  if (topic === "MTA_STS") return lookAtEncryption(resolver, asked, name);
  return lookAtHop(resolver, name);
}

/** A record of others is shown in part. */
const MOST_CHARS = 1_000;

function excerpts(texts: readonly string[]): readonly string[] {
  return texts.slice(0, 5).map((text) => text.replace(/\p{Cc}+/gu, " ").slice(0, MOST_CHARS));
}

/** draft-brand-indicators-for-message-identification §4. */
async function lookAtLogo(resolver: Resolver, domain: string, name: string): Promise<DnsFinding> {
  const records = (await resolver.txt(name)).filter((text) => /^v\s*=\s*BIMI1\s*(;|$)/i.test(text));
  const [record] = records;
  if (record === undefined) return missing("bimi_none", { name });
  const found = excerpts(records);
  const [logo = "", mark = ""] = ["l", "a"].map((tag) => tagsOf(record).get(tag));
  const isLogo = logo === "" || /^https:\/\/[^\s]+$/i.test(logo);
  const isMark = /^(|self|https:\/\/[^\s]+)$/i.test(mark);
  if (records.length > 1 || !isLogo || !isMark) return { ...wrong("bimi_bad", { found: quoted(record) }), found };
  const applied = policyFor(domain, await dmarcRecords((one) => resolver.txt(one), domain));
  const isStrict = /^(quarantine|reject)$/i.test(applied?.tags.get("p") ?? "");
  return isStrict ? { ...OK, found } : { ...OK, ...problemOf("bimi_policy"), found };
}

const POLICY_KEPT_MS = 3_600_000;

/** RFC 8461 §3: a record with an id, and a policy at a web address. */
async function lookAtEncryption(resolver: Resolver, asked: ExtraCheckOptions, name: string): Promise<DnsFinding> {
  const { domain, before, nowMs } = asked;
  const records = (await resolver.txt(name)).filter((text) => /^v\s*=\s*STSv1\s*(;|$)/.test(text));
  const [record, ...others] = records;
  if (record === undefined) return missing("mta_sts_none", { name });
  const found = excerpts(records);
  const id = tagsOf(record).get("id") ?? "";
  if (others.length > 0 || !/^[a-zA-Z0-9]{1,32}$/.test(id))
    return { ...wrong("mta_sts_bad", { found: quoted(record) }), found };
  const last = before[placeOfTopic("MTA_STS", name)];
  const ageMs = nowMs - Number(last?.values?.["at"] ?? 0);
  if (last?.values?.["id"] === id && ageMs >= 0 && ageMs < POLICY_KEPT_MS) return { ...last, found };
  const values = { id, at: `${nowMs}`, url: `https://mta-sts.${domain}/.well-known/mta-sts.txt` };
  const policy = await policyAt(resolver, asked, values.url);
  if (policy === null) return { ...wrong("mta_sts_no_policy", values), found };
  return { ...OK, ...problemOf("mta_sts_mode", { ...values, ...policy }), found };
}

type MtaStsPolicy = { readonly mode: string; readonly hosts: string };

/**
 * Null = there is no valid policy. Only hosts of the public internet are queried; the certificate must be for this very
 * name, which rules out the answer of any other host.
 */
async function policyAt(
  resolver: Resolver,
  { fetchText }: ExtraCheckOptions,
  url: string,
): Promise<MtaStsPolicy | null> {
  const { hostname } = new URL(url);
  const [v4, v6] = await Promise.all([resolver.find(hostname, "A"), resolver.find(hostname, "AAAA")]);
  const addresses = [...v4.records, ...v6.records];
  if (addresses.length === 0 || !addresses.every(isPublicAddress)) return null;
  const text = await fetchText(url).catch(() => "");
  const lines = text.split(/\r?\n/).map((line) => /^\s*([a-z_]+)\s*:\s*(.{0,255}?)\s*$/.exec(line)?.slice(1) ?? []);
  const of = (key: string) => lines.filter(([name]) => name === key).map(([, value = ""]) => value);
  const [mode = ""] = of("mode");
  if (of("version")[0] !== "STSv1" || !/^(enforce|testing|none)$/.test(mode)) return null;
  return { mode, hosts: of("mx").slice(0, 10).join(", ") };
}

/** RFC 7672 §3. Whether the zone is signed is unknown here: without a signature, senders ignore the records. */
async function lookAtHop(resolver: Resolver, name: string): Promise<DnsFinding> {
  const { records } = await resolver.find(name, "TLSA");
  if (records.length === 0) return missing("dane_none", { name });
  return { ...OK, ...problemOf("dane_there", { count: String(records.length), name }), found: excerpts(records) };
}
