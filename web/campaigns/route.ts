// Where campaigns are: the list, and one of them as what is written, for whom, whether it is ready, and what became of
// it.
import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { compact } from "../compact.ts";
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

const text = (value: unknown) => (typeof value === "string" ? value : undefined);

export const campaignsRoute = createRoute({
  path: "/campaigns",
  getParentRoute: () => frameRoute,
  validateSearch: ({ search, status, make }: Record<string, unknown>): CampaignsSearch => {
    const known = STATUSES.find((one) => one === status);
    const isMade = make === true || make === "true";
    return compact({ search: text(search), status: known, make: isMade ? (true as const) : undefined });
  },
  component: lazyRouteComponent(() => import("./list.tsx"), "Campaigns"),
});

export const campaignRoute = createRoute({
  path: "/campaigns/$id",
  getParentRoute: () => frameRoute,
  validateSearch: ({ tab, part, link, find, course }: Record<string, unknown>): CampaignSearch => {
    const known = TABS.find((name) => name === tab);
    return compact({ tab: known, part: text(part), link: text(link), find: text(find), course: text(course) });
  },
  component: lazyRouteComponent(() => import("./campaign.tsx"), "CampaignScreen"),
});
