// API calls for people.
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { nameIn } from "../base/name-fields.ts";
import { call } from "../calls/api.ts";
import type { Schemas } from "../calls/schemas.ts";
import type { Language } from "../base/language.ts";
import { queries } from "../calls/queries.ts";
import { keyOf, pages, query } from "../calls/query.ts";
import { queryOf, type PeopleFilters, type KeyKind } from "./filters.ts";

export type Contact = Schemas["Contact"];
export type PersonSegment = Schemas["Segment"];
export type Summary = Schemas["ContactSummary"];
export type UpcomingItems = Schemas["ContactUpcoming"];
export type TimelineEntry = Schemas["ContactTimeline"]["entries"][number];
export type ConsentChange = Schemas["ConsentChange"];
export type UpcomingExecution = UpcomingItems["executions"][number];
export type BulkJob = Schemas["BulkJob"];
export type ImportCheck = Schemas["ImportCheck"];
export type ImportJob = Schemas["Import"];
export type ListedImport = Schemas["ListedImport"];

const PAGE_SIZE = 100;
const PAGE_ENTRIES = 50;

type ContactPage = {
  readonly data: readonly Contact[];
  readonly cursor: string | null;
  readonly total?: number;
  /** The search has more hits than `total`. */
  readonly totalIsLeast?: boolean;
};

export const listQuery = (filters: PeopleFilters) =>
  infiniteQueryOptions({
    queryKey: ["people list", filters],
    queryFn: ({ pageParam: cursor }) => call("GET /contacts", { ...queryOf(filters), limit: PAGE_SIZE, cursor }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ cursor }: ContactPage) => cursor,
    throwOnError: false,
  });

/** The total is counted with the first page. */
export const countQuery = (filters: PeopleFilters) =>
  queryOptions({
    queryKey: ["contacts", "count", filters],
    queryFn: async () => (await call("GET /contacts", { ...queryOf(filters), limit: 1 })).total ?? 0,
    throwOnError: false,
  });

export const personQuery = (id: string) => query("GET /contacts/{id}", { id }, { throwOnError: false });

export const summaryQuery = (id: string) => query("GET /contacts/{id}/summary", { id }, { throwOnError: false });

export const upcomingQuery = (id: string) => query("GET /contacts/{id}/upcoming", { id }, { throwOnError: false });

export const timelineQuery = (id: string, kind: KeyKind | undefined) =>
  pages("GET /contacts/{id}/timeline", { id, kind, limit: PAGE_ENTRIES }, { throwOnError: false });

export const consentQuery = (id: string, language: Language) =>
  pages("GET /contacts/{id}/consent", { id, language, limit: PAGE_ENTRIES }, { throwOnError: false });

export const segmentsQuery = query("GET /segments", {}, { throwOnError: false });

/** Refetches lists, counts and the open person. */
export function peopleChanged(): void {
  void queries.invalidateQueries({ queryKey: ["contacts"] });
  void queries.invalidateQueries({ queryKey: ["people list"] });
  void queries.invalidateQueries({ queryKey: keyOf("GET /contacts/import", {}, false) });
  void queries.invalidateQueries({ queryKey: ["segments"] });
}

/** The name, otherwise the email address. */
export function displayName({ email, data }: Pick<Contact, "email" | "data">): string {
  return nameIn(data) || email;
}

/** A pause that has ended does not count. */
export function isPaused({ pausedUntil }: Contact): boolean {
  return pausedUntil !== null && Date.parse(pausedUntil) > Date.now();
}

/** The consent to marketing email and its limits, as one status. */
export function subscriptionStatus({ subscribed, suppressed, status }: Contact) {
  if (suppressed !== null) return "SUPPRESSED";
  if (status === "PENDING") return "PENDING";
  return subscribed ? "SUBSCRIBED" : "UNSUBSCRIBED";
}
