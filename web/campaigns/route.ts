// The routes of campaigns: the list, and one campaign with its tabs.
import { createRoute } from "@tanstack/react-router";
import { compact } from "../base/compact.ts";
import { frameRoute } from "../frame/route.ts";
import { lazyScreen } from "../chunks.tsx";
import { STATUSES, TABS, type CampaignSearch, type CampaignsSearch } from "./search.ts";

const text = (value: unknown) => (typeof value === "string" ? value : undefined);

export const campaignsRoute = createRoute({
  path: "/campaigns",
  getParentRoute: () => frameRoute,
  validateSearch: ({ search, status, make }: Record<string, unknown>): CampaignsSearch => {
    const known = STATUSES.find((one) => one === status);
    const isMade = make === true || make === "true";
    return compact({ search: text(search), status: known, make: isMade ? (true as const) : undefined });
  },
  component: lazyScreen(() => import("./list.tsx"), "Campaigns"),
});

export const campaignRoute = createRoute({
  path: "/campaigns/$id",
  getParentRoute: () => frameRoute,
  validateSearch: ({ tab, part, link, find, course }: Record<string, unknown>): CampaignSearch => {
    // Returned even if undefined: a missing key would keep the URL's value.
    const known = TABS.find((name) => name === tab);
    return { tab: known, ...compact({ part: text(part), link: text(link), find: text(find), course: text(course) }) };
  },
  component: lazyScreen(() => import("./campaign.tsx"), "CampaignScreen"),
});
