// Converts filters between the API and typed text: `status:failed since:7d` and free text.
import { endOf, momentOf, shortEnd, shortMoment } from "../../base/days.ts";
import type { MailFilter, MailFilters } from "./filters.ts";
import type { QueryOf } from "../../calls/routes.ts";

type EmailsQuery = QueryOf<"GET /emails">;

/** "7d", "24h" and days become timestamps, states a list. Wrong values in the URL are left to the API to refuse. */
export function queryOf(
  { status, tag, metadata, failedSince, since, until, ...same }: MailFilters,
  nowMs = Date.now(),
): EmailsQuery {
  const query: object = {
    ...same,
    ...(tag === undefined ? {} : { tag: tag.split(",") }),
    ...(metadata === undefined ? {} : { metadata: valueIn(metadata) }),
    ...(status === undefined ? {} : { status: status.split(",") }),
    ...(failedSince === undefined ? {} : { failedSince: momentOf(failedSince, nowMs) }),
    ...(since === undefined ? {} : { since: momentOf(since, nowMs) }),
    ...(until === undefined ? {} : { until: endOf(until, nowMs) }),
  };
  return query as EmailsQuery;
}

function valueIn(text: string): Record<string, string> {
  const [, key = "", value = ""] = /^([^=]*)=?(.*)$/s.exec(text) ?? [];
  return { [key]: value };
}

/** The word for each filter, before its colon. */
export const KEYS = {
  status: "status",
  held: "held",
  retrying: "retrying",
  scheduled: "scheduled",
  key: "keyId",
  type: "sourceType",
  campaign: "campaignId",
  template: "templateId",
  workflow: "workflowId",
  step: "stepId",
  contact: "contactId",
  domain: "domain",
  tag: "tag",
  metadata: "metadata",
  provider: "provider",
  way: "way",
  reason: "reason",
  failed: "failedSince",
  happened: "happened",
  since: "since",
  until: "until",
} as const satisfies Readonly<Record<string, MailFilter>>;

export type SearchKey = keyof typeof KEYS;

const MOMENT_FILTERS: readonly MailFilter[] = ["failedSince", "since"];
const UPPERCASE_FILTERS: readonly MailFilter[] = ["status", "sourceType", "reason"];

/** One search covers all of these, so the prefix is dropped. */
const SEARCHED_KEYS = /^(to|subject|id|request):(?=\S)/i;

export function parseFilters(text: string): MailFilters {
  const filters: Partial<Record<MailFilter, string>> = {};
  const words = text.split(/\s+/).filter((word) => {
    const [, name = "", value = ""] = /^([a-z]+):(\S+)$/i.exec(word) ?? [];
    const filter = KEYS[name.toLowerCase() as SearchKey] as MailFilter | undefined;
    if (filter) filters[filter] = UPPERCASE_FILTERS.includes(filter) ? value.toUpperCase() : value;
    return !filter;
  });
  const search = words
    .map((word) => word.replace(SEARCHED_KEYS, ""))
    .join(" ")
    .trim();
  return { ...filters, ...(search === "" ? {} : { search }) };
}

export type Token = { readonly name: MailFilter; readonly text: string };

/** Filters as tokens, without free text. */
export function tokensOf(filters: MailFilters): readonly Token[] {
  return (Object.entries(KEYS) as [SearchKey, MailFilter][]).flatMap(([word, name]) => {
    const value = filters[name];
    return value === undefined ? [] : [{ name, text: `${word}:${tokenText(name, value)}` }];
  });
}

function tokenText(name: MailFilter, value: string): string {
  if (UPPERCASE_FILTERS.includes(name)) return value.toLowerCase();
  if (name === "until") return shortEnd(value);
  if (MOMENT_FILTERS.includes(name)) return shortMoment(value);
  // Ids of the same time differ only at the end.
  return name.endsWith("Id") && value.length > 12 ? `…${value.slice(-6)}` : value;
}

export type ViewName = "all" | "failed" | "bounced" | "received" | "held" | "queued" | "perhaps" | "cancelled";

export const VIEWS: Readonly<Record<ViewName, MailFilters>> = {
  all: {},
  failed: { status: "FAILED" },
  bounced: { status: "BOUNCED" },
  received: { status: "RECEIVED" },
  held: { held: "true" },
  queued: { status: "QUEUED", held: "false" },
  perhaps: { status: "PERHAPS_DELIVERED" },
  cancelled: { status: "CANCELLED" },
};

/** The view with this status and hold, with any other filters; null = none. */
export function viewOf({ status, held }: MailFilters): ViewName | null {
  const found = Object.entries(VIEWS).find(([, view]) => view.status === status && view.held === held);
  return (found?.[0] as ViewName | undefined) ?? null;
}

/** Another view, with the rest of the filters kept. */
export function inView({ status: _, held: __, ...rest }: MailFilters, view: ViewName): MailFilters {
  return { ...rest, ...VIEWS[view] };
}
