// Sender domains in Resend's fields, with their DNS records.
import { domainsOf } from "../../../tenant/domains/queries.ts";
import { ownDomain } from "../../../tenant/domains/domain.ts";
import type { DomainRecord } from "../../../tenant/domains/record.ts";
import { invalidField } from "../../../base/errors.ts";
import { ignoredIn, nameIgnored, objectIn, type JsonFields, type FieldSupport } from "../fields.ts";
import type { CompatCall, CompatRequest } from "../own-calls.ts";
import { deletion, type CallDeps } from "./call.ts";
import { listOf, pieceIn, pieceOf } from "./lists.ts";

const FIELDS: FieldSupport = {
  taken: ["name", "open_tracking", "click_tracking", "tls"],
  refused: {},
};

type OwnDnsRecord = DomainRecord["records"][number];

/** Resend knows no records for reports. */
const RECORD: Readonly<Partial<Record<OwnDnsRecord["purpose"], string>>> = {
  DKIM: "DKIM",
  SPF: "SPF",
  DMARC: "DMARC",
  RETURN_PATH: "SPF",
  INBOUND: "Receiving",
};
const STATE: Readonly<Record<OwnDnsRecord["state"], string>> = {
  OK: "verified",
  MISSING: "pending",
  WRONG: "failed",
  UNKNOWN: "not_started",
};

function dnsRecordsOf({ purpose, type, name, value, state }: OwnDnsRecord) {
  const kind = RECORD[purpose];
  if (kind === undefined) return [];
  const [, priority, host = value] = (type === "MX" ? /^(\d+) (.*)$/.exec(value) : null) ?? [];
  const common = { record: kind, name, type, ttl: "Auto", status: STATE[state], value: host };
  return [priority === undefined ? common : { ...common, priority: Number(priority) }];
}

/** Where only marketing email is tracked, a domain cannot be said to have it or not. */
const TRACKED = { ENABLED: true, DISABLED: false, MARKETING_ONLY: null } as const;

type OwnDomain = Pick<DomainRecord, "id" | "domain" | "verifiedAt" | "checkedAt" | "createdAt">;

/** The settings that the whole installation and the whole workspace share. */
type SharedSettings = { readonly isTracked: boolean; readonly takesMail: boolean };

function summaryOf(
  { id, domain, verifiedAt, checkedAt, createdAt }: OwnDomain,
  { isTracked, takesMail }: SharedSettings,
) {
  return {
    ...{ id, name: domain, created_at: createdAt, region: null },
    status: verifiedAt !== null ? "verified" : checkedAt !== null ? "pending" : "not_started",
    open_tracking: isTracked,
    click_tracking: isTracked,
    capabilities: { sending: "enabled", receiving: takesMail ? "enabled" : "disabled" },
  };
}

export function domainCalls({ ours, store }: CallDeps): readonly CompatCall[] {
  const trackingOf = async (asked: CompatRequest) => (await ours.also("getWorkspace", asked, {})).tracking;
  /** Tracking is set for a workspace, not for a domain. @throws AppError VALIDATION_ERROR for another setting */
  const domainSettings = async (asked: CompatRequest): Promise<JsonFields> => {
    const given = objectIn("request", asked.body);
    nameIgnored(asked.set.headers, ignoredIn(given, FIELDS));
    if (given["tls"] === "enforced")
      throw invalidField(
        "tls",
        "Posthorn sends with TLS where the other side has it, and not only there.",
        "unsupported",
      );
    const tracked = TRACKED[await trackingOf(asked)];
    for (const field of ["open_tracking", "click_tracking"])
      if (given[field] != null && given[field] !== tracked)
        throw invalidField(field, "Tracking is a setting of the workspace: PATCH /workspace.", "unsupported");
    return given;
  };
  const commonOf = async (
    asked: CompatRequest,
    { records }: Pick<DomainRecord, "records">,
  ): Promise<SharedSettings> => ({
    isTracked: TRACKED[await trackingOf(asked)] ?? true,
    takesMail: records.some(({ purpose }) => purpose === "INBOUND"),
  });
  const whole = async (asked: CompatRequest, record: DomainRecord) => ({
    object: "domain",
    ...summaryOf(record, await commonOf(asked, record)),
    records: record.records.flatMap(dnsRecordsOf),
  });
  return [
    {
      method: "POST",
      path: "/domains",
      own: "createDomain",
      work: async (asked) => {
        const { name } = await domainSettings(asked);
        return whole(asked, await ours.ask("createDomain", asked, { body: { domain: name } }));
      },
    },
    {
      method: "GET",
      path: "/domains",
      own: "listDomains",
      work: async (asked) => {
        const all = await store.read((reader) => domainsOf(reader, asked.caller.workspace));
        const { items, hasMore } = pieceOf(all.toReversed(), pieceIn(asked.request));
        const [first] = items;
        if (!first) return listOf([], hasMore);
        const record = await ours.also("getDomain", asked, { params: { id: first.id } });
        const common = await commonOf(asked, record);
        return listOf(
          items.map((one) => summaryOf(one, common)),
          hasMore,
        );
      },
    },
    {
      method: "GET",
      path: "/domains/:id",
      own: "getDomain",
      work: async (asked) => whole(asked, await ours.ask("getDomain", asked, { params: asked.params })),
    },
    {
      method: "PATCH",
      path: "/domains/:id",
      own: "verifyDomain",
      work: async (asked) => {
        const { id } = await store.read((reader) =>
          ownDomain(reader, asked.caller.workspace, asked.params["id"] ?? ""),
        );
        await domainSettings(asked);
        return { object: "domain", id };
      },
    },
    {
      method: "POST",
      path: "/domains/:id/verify",
      own: "verifyDomain",
      work: async (asked) => {
        const { id } = await ours.ask("verifyDomain", asked, { params: asked.params });
        return { object: "domain", id };
      },
    },
    deletion(ours, { object: "domain", path: "/domains/:id", own: "deleteDomain" }),
  ];
}
