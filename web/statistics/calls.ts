// What the statistics ask: the same numbers as the overview, told apart; and the names of what they are told apart by.
import { queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "../api.ts";
import type { Filters } from "../mail/filters.ts";
import type { Statistics } from "../overview/calls.ts";
import type { Range } from "../overview/range.ts";
import { rangeOf } from "../overview/steps-of-time.ts";

export const BY = ["provider", "domain", "template", "campaign", "sourceType"] as const;
export type By = (typeof BY)[number];
export type Series = Statistics["series"][number];
export type Totals = Series["totals"];

const MINUTE_MS = 60_000;

export function byIn(said: string | undefined): By {
  return BY.find((one) => one === said) ?? "provider";
}

export const groupsQuery = (range: Range, by: By) =>
  queryOptions({
    queryKey: ["statistics", range, by],
    queryFn: () => unwrap(api.GET("/statistics/mails", { params: { query: { ...rangeOf(range, new Date()), by } } })),
    refetchInterval: MINUTE_MS,
  });

/** How the list of mails names a group. */
export function filterOf(by: By, group: string): Filters {
  const name = ({ template: "templateId", campaign: "campaignId" } as const)[by as "template"] ?? by;
  return { [name]: group };
}

/** All states but that of mail from outside. */
const SENT_BY_US = "QUEUED,SENDING,SENT,PERHAPS_DELIVERED,DELIVERED,FAILED,SKIPPED,CANCELLED,BOUNCED,COMPLAINED";

/** The mails that a number counts: those that were accepted then, or to which it happened then. */
export function mailsOf(
  what: keyof Totals & ("accepted" | "sent" | "delivered" | "opened" | "clicked" | "bounced" | "complained"),
  { from, to }: Pick<Statistics, "from" | "to">,
): Filters {
  const then = { since: from, until: to };
  return what === "accepted" ? { status: SENT_BY_US, ...then } : { happened: what, ...then };
}

/** What a template or campaign is called; null = it is gone. */
export const nameQuery = (by: By, id: string | null) =>
  queryOptions({
    queryKey: [by === "template" ? "templates" : "campaigns", "name", id],
    queryFn: async ({ signal }) => {
      const asked = { params: { path: { id: id ?? "" } }, signal };
      if (by === "template") return api.GET("/templates/{id}", asked).then(({ data }) => data?.name ?? null);
      return api.GET("/campaigns/{id}", asked).then(({ data }) => data?.data.name ?? null);
    },
    enabled: id !== null && (by === "template" || by === "campaign"),
    throwOnError: false,
  });
