// A sender domain as the interface shows it, with its DNS records and the findings of the last check.
import { t } from "elysia";
import { iso } from "../../base/clock.ts";
import { idShape, nullable, oneOf, timeShape } from "../../http/answer-shapes.ts";
import { IDENTITY, type DomainContext } from "./check.ts";
import { placeOfTopic, topicsOf, type ExtraRecordKind } from "./dns-check/also.ts";
import { findingOf, type Checks } from "./dns-check/look.ts";
import { NOT_LOOKED, type DnsFinding } from "./dns-check/finding.ts";
import { SENT_ELSEWHERE, TO_CORRECT } from "./dns-check/problems.ts";
import { mergedSpf } from "./dns-check/spf.ts";
import { recordsFor, WITHOUT, type DnsRecord } from "./dns-records.ts";
import { nextKey, signingKey } from "./keys.ts";
import { keysOfDomains, type DomainKey } from "./key-queries.ts";
import type { Domain } from "./queries.ts";
import { knownOfDomains } from "../../ground/ways/domain-queries.ts";
import { reportAddressOf, withReportAddress } from "./report-address.ts";
import type { Reader } from "../../store/store.ts";

const stateShape = oneOf("OK", "MISSING", "WRONG", "UNKNOWN");

const example = {
  purpose: "DKIM",
  type: "TXT",
  name: "ph1._domainkey.example.com",
  value: "v=DKIM1; k=rsa; p=MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A…",
  required: true,
  without: WITHOUT.DKIM,
  removableAt: null,
  state: "OK",
  problem: null,
  problemCode: null,
  problemValues: {},
  found: ["v=DKIM1; k=rsa; p=MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A…"],
  suggestion: null,
  since: "2026-03-01T09:00:00.000Z",
};

/** For programs that word the problem differently from `problem`. */
const problemFields = {
  problem: nullable(t.String()),
  problemCode: t.Union([t.String(), t.Null()], {
    description: "Which problem it is, such as `spf_several`; null = there is none, or `problem` quotes somebody else.",
  }),
  problemValues: t.Record(t.String(), t.String(), { description: "What the sentence names: hosts, values, numbers." }),
};

const dnsRecordShape = t.Object(
  {
    purpose: oneOf("DKIM", "SPF", "DMARC", "RETURN_PATH", "INBOUND", "REPORT_PERMISSION", "TLS_REPORTS"),
    type: oneOf("TXT", "MX"),
    name: t.String(),
    value: t.String(),
    required: t.Boolean(),
    without: t.String({ description: "What breaks without the record." }),
    removableAt: nullable(timeShape),
    state: stateShape,
    ...problemFields,
    found: t.Array(t.String(), { description: "What is there now, at most five records." }),
    suggestion: t.Union([t.String(), t.Null()], {
      description:
        "To be published instead of what was found; null = `value`. Where `problemCode` is `spf_bad_term`, `spf_lookups`, `spf_include_none` or `spf_include_several`, what was found is to be corrected as `problem` says.",
    }),
    since: t.Union([timeShape, t.Null()], { description: "In this state since that look." }),
  },
  { title: "DnsRecord", examples: [example] },
);

const alsoShape = t.Object(
  {
    topic: oneOf("BIMI", "MTA_STS", "DANE"),
    name: t.String({ description: "Where the record is, or would be." }),
    state: t.Union(
      (["PRESENT", "ABSENT", "INVALID", "UNKNOWN"] as const).map((word) => t.Literal(word)),
      { description: "None of them keeps email from being sent." },
    ),
    ...problemFields,
    found: t.Array(t.String(), { description: "What is there now, at most five records." }),
  },
  { title: "DomainInformation" },
);

export const domainShape = t.Object(
  {
    id: idShape,
    domain: t.String(),
    verified: t.Boolean(),
    verifiedAt: nullable(timeShape),
    forced: t.Boolean({
      description:
        "Marked as verified without a check of its DNS; false again once a check has found all that it needs.",
    }),
    selector: t.String(),
    nextSelector: nullable(t.String()),
    failingSince: nullable(timeShape),
    graceEndsAt: nullable(timeShape),
    checkedAt: nullable(timeShape),
    nextCheckAt: nullable(timeShape),
    service: nullable(t.Object({ name: t.String(), state: stateShape, ...problemFields })),
    ways: t.Array(
      t.Object(
        { way: t.String(), state: stateShape, ...problemFields, since: nullable(timeShape) },
        { title: "DomainAtWay" },
      ),
      {
        description:
          "Whether each sending route takes email of the domain. `OK`: it has said so, or has taken some again. `WRONG`: it does not know the domain, so email leaves by the others or waits. `UNKNOWN`: a relay says so with the first email.",
      },
    ),
    records: t.Array(dnsRecordShape),
    information: t.Array(alsoShape, {
      description:
        "`BIMI`: the logo that mailbox providers show. `MTA_STS`: whether email to the domain must be encrypted. `DANE`: whether the relay proves by DNS who it is.",
    }),
    projectId: idShape,
    createdAt: timeShape,
  },
  { title: "Domain" },
);

export type DomainRecord = typeof domainShape.static;

/** The context of a record besides its rows. `service`: the name of the sending service, null if none. */
export type DomainRecordOptions = Pick<DomainContext, "settings" | "graceMs"> & {
  readonly service: string | null;
  /** The names of the ways out. */
  readonly ways: readonly string[];
};

export async function domainRecords(
  reader: Reader,
  rows: readonly Domain[],
  shown: DomainRecordOptions,
): Promise<DomainRecord[]> {
  if (rows.length === 0) return [];
  const seqs = rows.map(({ seq }) => seq);
  const keys = await keysOfDomains(reader, seqs);
  const known = await knownOfDomains(reader, seqs);
  const isOf = (row: Domain) => (one: { readonly domain: number }) => one.domain === row.seq;
  return rows.map((row) => ({
    ...domainRecord(row, keys.filter(isOf(row)), shown),
    ways: waysOf(known.filter(isOf(row)), shown.ways),
  }));
}

export async function oneDomainRecord(reader: Reader, row: Domain, shown: DomainRecordOptions): Promise<DomainRecord> {
  const [record] = await domainRecords(reader, [row], shown);
  return record as DomainRecord;
}

type KnownWayDomain = Awaited<ReturnType<typeof knownOfDomains>>[number];

function waysOf(known: readonly KnownWayDomain[], names: readonly string[]): DomainRecord["ways"] {
  return names.map((way) => {
    const { state, since, ...found } = known.find((one) => one.way === way) ?? { ...NOT_KNOWN };
    return { way, state, ...problemIn(found.known as DnsFinding), since };
  });
}

const NOT_KNOWN = { state: "UNKNOWN", since: null, known: NOT_LOOKED } as const;

function domainRecord(row: Domain, keys: readonly DomainKey[], shown: DomainRecordOptions): Omit<DomainRecord, "ways"> {
  const { checks, failingSince, takenUnseen } = row;
  const { service } = shown;
  return {
    id: row.id,
    domain: row.domain,
    verified: row.verifiedAt !== null,
    verifiedAt: row.verifiedAt,
    forced: row.verifiedAt !== null && takenUnseen,
    selector: signingKey(keys)?.selector ?? "",
    nextSelector: nextKey(keys)?.selector ?? null,
    failingSince,
    graceEndsAt: failingSince === null ? null : iso(Date.parse(failingSince) + shown.graceMs),
    checkedAt: row.checkedAt,
    nextCheckAt: row.nextCheckAt,
    service: service === null ? null : serviceRecord(service, checks[IDENTITY] ?? NOT_LOOKED),
    records: recordsFor(row.domain, keys, shown.settings, reportAddressOf(row, shown.settings)).map((record) =>
      shownRecord(record, checks),
    ),
    information: topicsOf(row.domain, shown.settings.hops).map(([topic, name]) => informationOf(checks, topic, name)),
    projectId: row.workspaceId,
    createdAt: row.createdAt,
  };
}

const KNOWN = { OK: "PRESENT", MISSING: "ABSENT", WRONG: "INVALID", UNKNOWN: "UNKNOWN" } as const;

function informationOf(checks: Checks, topic: ExtraRecordKind, name: string): DomainRecord["information"][number] {
  const { state, found = [], problem, code, values = {} } = checks[placeOfTopic(topic, name)] ?? NOT_LOOKED;
  // The time at which a policy was fetched is not shown.
  const { at: _, ...told } = values as Record<string, string>;
  const said = problemIn(code ? { problem, code, values: told } : { problem });
  return { topic, name, state: KNOWN[state], ...said, found: [...found] };
}

function serviceRecord(name: string, { state, ...finding }: DnsFinding): DomainRecord["service"] {
  return { name, state, ...problemIn(finding) };
}

function problemIn({ problem, code, values }: Omit<DnsFinding, "state">) {
  return { problem, problemCode: code ?? null, problemValues: { ...values } };
}

function shownRecord(record: DnsRecord, checks: Checks): DomainRecord["records"][number] {
  const { names: _, ...shown } = record;
  const finding = findingOf(checks, record);
  const { state, found = [], since = null } = finding;
  return {
    ...shown,
    without: WITHOUT[record.purpose],
    state,
    ...problemIn(finding),
    found: [...found],
    suggestion: suggestionFor(record, finding),
    since,
  };
}

function suggestionFor(record: DnsRecord, finding: DnsFinding): string | null {
  const { purpose, names } = record;
  const { state, code, found } = finding;
  if (names !== null && found?.length === 1 && SENT_ELSEWHERE.has(code ?? ""))
    return withReportAddress(found[0] ?? "", names);
  if (purpose !== "SPF" || state !== "WRONG" || !found?.length || TO_CORRECT.has(code ?? "")) return null;
  const merged = mergedSpf(found, names);
  return found.length === 1 && merged === found[0] ? null : merged;
}
