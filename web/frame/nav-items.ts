// The items of the navigation, in order.
import type { IconName } from "../parts/icon.tsx";
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

export const NAV_ITEMS: readonly NavItem[] = [
  { name: "overview", to: "/", icon: "overview" },
  { name: "mail", to: "/mail", icon: "mail" },
  { name: "people", to: "/people", icon: "people" },
  { name: "segments", to: "/segments", icon: "segments" },
  { name: "topics", to: "/topics", icon: "flag" },
  { name: "forms", to: "/forms", icon: "form" },
  { name: "suppressions", to: "/suppressions", icon: "minus" },
  { name: "campaigns", to: "/campaigns", icon: "campaigns" },
  { name: "templates", to: "/templates", icon: "templates" },
  { name: "workflows", to: "/workflows", icon: "workflows" },
  { name: "events", to: "/events", icon: "events" },
  { name: "statistics", to: "/statistics", icon: "statistics" },
  { name: "setUp", to: "/settings", icon: "setup" },
];
