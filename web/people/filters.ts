// The filters of the list of people. They are in the URL, named as in GET /contacts; `since` may also be "7d".
import { compact } from "../base/compact.ts";
import type { QueryOf } from "../calls/routes.ts";

const FILTERS = ["search", "status", "segmentId", "since", "importId", "imported", "topic", "choice", "sort"] as const;
export type PeopleFilter = (typeof FILTERS)[number];
export type PeopleFilters = { readonly [Name in PeopleFilter]?: string };

export const SUBSCRIPTION_STATUSES = ["SUBSCRIBED", "UNSUBSCRIBED", "PENDING", "SUPPRESSED"] as const;
export type SubscriptionStatus = (typeof SUBSCRIPTION_STATUSES)[number];

/** The choices in the menu; `unsaid` occurs only in links. */
export const CHOICES = ["in", "out"] as const;

export const PERIODS = ["24h", "7d", "30d"] as const;
const HOURS = { "24h": 24, "7d": 7 * 24, "30d": 30 * 24 } as const;
const HOUR_MS = 3_600_000;

export const KINDS = ["MAIL", "CAMPAIGN", "EVENT", "CONSENT", "WORKFLOW"] as const;
export type KeyKind = (typeof KINDS)[number];

export function peopleSearch(given: Readonly<Record<string, unknown>>): PeopleFilters {
  return Object.fromEntries(FILTERS.flatMap((name) => (given[name] ? [[name, String(given[name])]] : [])));
}

export function personSearch(given: Readonly<Record<string, unknown>>): { readonly kind?: KeyKind } {
  const kind = KINDS.find((one) => one === given["kind"]);
  return kind ? { kind } : {};
}

type ContactsQuery = QueryOf<"GET /contacts">;
/** The filter of bulk jobs and exports. */
export type ContactSelection = Omit<ContactsQuery, "sort" | "dir" | "limit" | "cursor">;

/**
 * The filters as the API takes them; it refuses invalid values from the URL. Periods count back from the last full
 * hour, so that pages of a list share one start.
 */
export function queryOf({ since, sort, ...filters }: PeopleFilters, nowMs = Date.now()): ContactsQuery {
  const hours = HOURS[since as keyof typeof HOURS];
  const from = Math.floor(nowMs / HOUR_MS) * HOUR_MS;
  const moment = hours === undefined ? since : new Date(from - hours * HOUR_MS).toISOString();
  return { ...filters, ...compact({ sort: sort === "email" ? sort : undefined, since: moment }) } as ContactsQuery;
}

/** Removes a filter and its dependent filters. */
export function without(filters: PeopleFilters, name: PeopleFilter): PeopleFilters {
  const { [name]: _, imported, choice, ...rest } = filters;
  return {
    ...rest,
    ...compact({
      imported: name === "importId" ? undefined : imported,
      choice: name === "topic" ? undefined : choice,
    }),
  };
}

export function selectionOf(filters: PeopleFilters): ContactSelection {
  const { sort: _, ...rest } = queryOf(filters);
  return rest;
}

export function isNarrowed({ sort: _, ...filters }: PeopleFilters): boolean {
  return Object.keys(filters).length > 0;
}
