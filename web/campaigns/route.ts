// Where campaigns are: the list, and one of them as what is written, for whom, whether it is ready, and what became of it.
import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { frameRoute } from "../frame/route.ts";

export const STATUSES = ["DRAFT", "SCHEDULED", "SENDING", "SENT", "CANCELLED"] as const;
export type Status = (typeof STATUSES)[number];
/** `make`: a new one is being made. */
export type CampaignsSearch = { readonly search?: string; readonly status?: Status; readonly make?: true };

export const TABS = ["write", "audience", "check", "account"] as const;
export type Tab = (typeof TABS)[number];

/** Which number of the screen is open as a list of people. */
export type CampaignSearch = {
  readonly tab?: Tab;
  readonly part?: string;
  readonly link?: string;
  readonly find?: string;
  readonly course?: string;
};

function given(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

export const campaignsRoute = createRoute({
  path: "/campaigns",
  getParentRoute: () => frameRoute,
  validateSearch: ({ search, status, make }: Record<string, unknown>): CampaignsSearch => {
    const known = STATUSES.find((one) => one === status);
    const isMade = make === true || make === "true";
    return {
      ...(given(search) ? { search } : {}),
      ...(known ? { status: known } : {}),
      ...(isMade ? { make: true as const } : {}),
    };
  },
  component: lazyRouteComponent(() => import("./list.tsx"), "Campaigns"),
});

export const campaignRoute = createRoute({
  path: "/campaigns/$id",
  getParentRoute: () => frameRoute,
  validateSearch: ({ tab, part, link, find, course }: Record<string, unknown>): CampaignSearch => {
    const known = TABS.find((name) => name === tab);
    return {
      ...(known ? { tab: known } : {}),
      ...(given(part) ? { part } : {}),
      ...(given(link) ? { link } : {}),
      ...(given(find) ? { find } : {}),
      ...(given(course) ? { course } : {}),
    };
  },
  component: lazyRouteComponent(() => import("./campaign.tsx"), "CampaignScreen"),
});
