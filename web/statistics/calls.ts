// API calls for grouped statistics, and the names of the groups.
import { queryOptions } from "@tanstack/react-query";
import { call, Fault } from "../calls/api.ts";
import type { MailFilters } from "../mail/filter/filters.ts";
import type { MailStatistics } from "../overview/calls.ts";
import { SENT_BY_US } from "../overview/emails-link.tsx";
import type { Range } from "../overview/range.ts";
import { rangeOf } from "../overview/time-range.ts";

export const GROUPINGS = ["provider", "domain", "template", "campaign", "tag", "way", "sourceType"] as const;
export type Grouping = (typeof GROUPINGS)[number];
export type Series = MailStatistics["series"][number];
export type Totals = Series["totals"];

const MINUTE_MS = 60_000;

export function groupingIn(value: string | undefined): Grouping {
  return GROUPINGS.find((one) => one === value) ?? "provider";
}

export const groupsQuery = (range: Range, by: Grouping) =>
  queryOptions({
    queryKey: ["statistics", range, by],
    queryFn: () => call("GET /statistics/mails", { ...rangeOf(range, new Date()), by }),
    refetchInterval: MINUTE_MS,
  });

/** The filter of the email list for a group. */
export function filterOf(by: Grouping, group: string): MailFilters {
  const name = ({ template: "templateId", campaign: "campaignId" } as const)[by as "template"] ?? by;
  return { [name]: group };
}

/** The emails behind a number, by the time of acceptance or of the event. */
export function mailsOf(
  what: keyof Totals & ("accepted" | "sent" | "delivered" | "opened" | "clicked" | "bounced" | "complained"),
  { from, to }: Pick<MailStatistics, "from" | "to">,
): MailFilters {
  const then = { since: from, until: to };
  return what === "accepted" ? { status: SENT_BY_US, ...then } : { happened: what, ...then };
}

/** A record that the server refuses has no name. */
function ifGone(fault: unknown): null {
  if (fault instanceof Fault && fault.status > 0) return null;
  throw fault;
}

/** The name of a template or campaign; null if it was deleted. */
export const nameQuery = (by: Grouping, id: string | null) =>
  queryOptions({
    queryKey: [by === "template" ? "templates" : "campaigns", "name", id],
    queryFn: async ({ signal }) => {
      const answer = await call(`GET /${by === "template" ? by : "campaign"}s/{id}`, { id: id ?? "", signal }).catch(
        ifGone,
      );
      return answer && ("data" in answer ? answer.data.name : answer.name);
    },
    enabled: id !== null && (by === "template" || by === "campaign"),
    throwOnError: false,
  });
