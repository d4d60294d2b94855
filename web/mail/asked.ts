// Filters as the server takes them, and as people write them: `status:failed since:7d` and words to look for.
import type { FilterName, Filters } from "./filters.ts";

const UNIT_MS: Readonly<Record<string, number>> = { h: 3_600_000, d: 86_400_000 };

/** "7d" and "24h" become moments; several states a list. */
export function queryOf({ status, failedSince, since, until, ...same }: Filters, nowMs = Date.now()) {
  return {
    ...same,
    ...(status === undefined ? {} : { status: status.split(",") }),
    ...(failedSince === undefined ? {} : { failedSince: momentOf(failedSince, nowMs) }),
    ...(since === undefined ? {} : { since: momentOf(since, nowMs) }),
    ...(until === undefined ? {} : { until: momentOf(until, nowMs) }),
  };
}

function momentOf(text: string, nowMs: number): string {
  const [, count, unit = ""] = /^(\d{1,4})([hd])$/.exec(text) ?? [];
  if (count !== undefined) return new Date(nowMs - Number(count) * (UNIT_MS[unit] as number)).toISOString();
  return /^\d{4}-\d\d-\d\d$/.test(text) ? new Date(`${text}T00:00:00`).toISOString() : text;
}

/** The word for each filter, before its colon. */
export const WORDS = {
  status: "status",
  held: "held",
  retrying: "retrying",
  type: "sourceType",
  campaign: "campaignId",
  template: "templateId",
  workflow: "workflowId",
  step: "stepId",
  contact: "contactId",
  domain: "domain",
  provider: "provider",
  reason: "reason",
  failed: "failedSince",
  happened: "happened",
  since: "since",
  until: "until",
} as const satisfies Readonly<Record<string, FilterName>>;

export type Word = keyof typeof WORDS;

const MOMENTS: readonly FilterName[] = ["failedSince", "since", "until"];
const UPPER: readonly FilterName[] = ["status", "sourceType", "reason"];

/** All of these are looked for in one search, so their names add nothing. */
const SOUGHT = /^(to|subject|id|request):(?=\S)/i;

/** The filters that a text names, and the words that are left to be looked for. */
export function read(text: string): Filters {
  const filters: Partial<Record<FilterName, string>> = {};
  const words = text.split(/\s+/).filter((word) => {
    const [, name = "", value = ""] = /^([a-z]+):(\S+)$/i.exec(word) ?? [];
    const filter = WORDS[name.toLowerCase() as Word] as FilterName | undefined;
    if (filter) filters[filter] = UPPER.includes(filter) ? value.toUpperCase() : value;
    return !filter;
  });
  const search = words
    .map((word) => word.replace(SOUGHT, ""))
    .join(" ")
    .trim();
  return { ...filters, ...(search === "" ? {} : { search }) };
}

export type Token = { readonly name: FilterName; readonly text: string };

/** Filters as they are written, all but the words. */
export function tokensOf(filters: Filters): readonly Token[] {
  return (Object.entries(WORDS) as [Word, FilterName][]).flatMap(([word, name]) => {
    const value = filters[name];
    return value === undefined ? [] : [{ name, text: `${word}:${written(name, value)}` }];
  });
}

function written(name: FilterName, value: string): string {
  if (UPPER.includes(name)) return value.toLowerCase();
  if (MOMENTS.includes(name)) return inShort(value);
  // The end of an id tells it from others of the same time.
  return name.endsWith("Id") && value.length > 12 ? `…${value.slice(-6)}` : value;
}

/** A moment where the reader is: `2026-03-01`, or `2026-03-01T09:15`. */
function inShort(text: string): string {
  const at = new Date(text);
  if (!text.includes("T") || Number.isNaN(at.getTime())) return text;
  const two = (number: number) => String(number).padStart(2, "0");
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  const time = `${two(at.getHours())}:${two(at.getMinutes())}`;
  return time === "00:00" ? day : `${day}T${time}`;
}

export type ViewName = "all" | "failed" | "bounced" | "received" | "held" | "queued" | "perhaps" | "cancelled";

export const VIEWS: Readonly<Record<ViewName, Filters>> = {
  all: {},
  failed: { status: "FAILED" },
  bounced: { status: "BOUNCED" },
  received: { status: "RECEIVED" },
  held: { held: "true" },
  queued: { status: "QUEUED", held: "false" },
  perhaps: { status: "PERHAPS_DELIVERED" },
  cancelled: { status: "CANCELLED" },
};

/** The view that filters are in, whatever else they ask; null for none of them. */
export function viewOf({ status, held }: Filters): ViewName | null {
  const found = Object.entries(VIEWS).find(([, view]) => view.status === status && view.held === held);
  return (found?.[0] as ViewName | undefined) ?? null;
}

/** Another view, with the rest of the filters kept. */
export function inView({ status: _, held: __, ...rest }: Filters, view: ViewName): Filters {
  return { ...rest, ...VIEWS[view] };
}
