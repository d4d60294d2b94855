// API calls for the overview, each with its own polling interval.
import { queryOptions } from "@tanstack/react-query";
import { call } from "../calls/api.ts";
import type { components } from "../api.gen.ts";
import { isLive, OVERVIEW } from "../calls/live.ts";
import type { Range } from "./range.ts";
import { rangeOf } from "./time-range.ts";

export type Overview = components["schemas"]["Overview"];
export type Need = Overview["attention"][number];
export type FirstSteps = Overview["firstSteps"];
export type QueueFigures = components["schemas"]["Queue"];
export type MailStatistics = components["schemas"]["MailStatistics"];
/** One quarter of an hour, hour or day of a series. */
export type Point = NonNullable<MailStatistics["series"][number]>["points"][number];
export type States = components["schemas"]["MailStates"];
export type RunningCampaign = components["schemas"]["Campaign"];

const SECOND_MS = 1_000;
const POLL_MS = 15 * SECOND_MS;
const MINUTE_MS = 60 * SECOND_MS;
const QUEUE_POLL_MS = 5 * SECOND_MS;

/** Notices report most changes. Changes without a notice, such as a late backup, are found by polling each minute. */
export const overviewQuery = queryOptions({
  queryKey: [OVERVIEW],
  queryFn: () => call("GET /overview"),
  staleTime: MINUTE_MS,
  refetchInterval: () => (isLive.get() ? MINUTE_MS : POLL_MS),
});

export const queueQuery = queryOptions({
  queryKey: ["queue"],
  queryFn: () => call("GET /queue"),
  refetchInterval: QUEUE_POLL_MS,
});

export function statisticsQuery(range: Range) {
  return queryOptions({
    queryKey: ["statistics", range],
    queryFn: () => call("GET /statistics/mails", rangeOf(range, new Date())),
    refetchInterval: MINUTE_MS,
  });
}

/** Counts emails accepted in the last days, not in the range selected in the chart. */
export function statesQuery({ days }: Range) {
  return queryOptions({
    queryKey: ["states", days],
    queryFn: () => {
      const { from } = rangeOf(days === undefined ? {} : { days }, new Date());
      return call("GET /statistics/states", { since: from });
    },
    refetchInterval: MINUTE_MS,
  });
}

const SHOWN_CAMPAIGNS = 5;

export const campaignsQuery = queryOptions({
  queryKey: ["campaigns", "last"],
  queryFn: () => call("GET /campaigns", { pageSize: SHOWN_CAMPAIGNS }),
});
