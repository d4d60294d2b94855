// The items of the navigation, in order and in groups.
import type { IconName } from "../parts/icons/icon.tsx";
import type { frame } from "../texts/en/frame.ts";

export type NavItem = {
  readonly name: keyof (typeof frame)["places"];
  readonly to:
    | "/"
    | "/mail"
    | "/people"
    | "/segments"
    | "/topics"
    | "/forms"
    | "/suppressions"
    | "/campaigns"
    | "/templates"
    | "/workflows"
    | "/events"
    | "/statistics"
    | "/settings";
  readonly icon: IconName;
};

export type NavGroup = {
  /** Null = without a heading. */
  readonly name: keyof (typeof frame)["groups"] | null;
  readonly items: readonly NavItem[];
};

export const NAV_GROUPS: readonly NavGroup[] = [
  {
    name: null,
    items: [
      { name: "overview", to: "/", icon: "overview" },
      { name: "mail", to: "/mail", icon: "mail" },
    ],
  },
  {
    name: "audience",
    items: [
      { name: "people", to: "/people", icon: "people" },
      { name: "segments", to: "/segments", icon: "segments" },
      { name: "topics", to: "/topics", icon: "flag" },
      { name: "forms", to: "/forms", icon: "form" },
      { name: "suppressions", to: "/suppressions", icon: "minus" },
    ],
  },
  {
    name: null,
    items: [
      { name: "campaigns", to: "/campaigns", icon: "campaigns" },
      { name: "templates", to: "/templates", icon: "templates" },
      { name: "workflows", to: "/workflows", icon: "workflows" },
      { name: "events", to: "/events", icon: "events" },
      { name: "statistics", to: "/statistics", icon: "statistics" },
    ],
  },
  { name: null, items: [{ name: "setUp", to: "/settings", icon: "setup" }] },
];

export const NAV_ITEMS: readonly NavItem[] = NAV_GROUPS.flatMap(({ items }) => items);
