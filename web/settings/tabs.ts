// The settings tabs, in groups and in order, with the permissions for each.
import type { Membership, Permission } from "../calls/session.ts";

export const GROUPS = [
  {
    name: "workspace",
    tabs: [
      { name: "workspace", to: "/settings/workspace", for: ["workspace", "campaigns.send"] },
      { name: "brand", to: "/settings/brand", for: ["templates.write"] },
      { name: "team", to: "/settings/team", for: ["read"] },
      { name: "pages", to: "/settings/pages", for: ["campaigns.write"] },
      { name: "domains", to: "/settings/domains/{-$id}", for: ["domains", "read"] },
    ],
  },
  {
    name: "programs",
    tabs: [
      { name: "keys", to: "/settings/keys", for: ["keys"] },
      { name: "smtp", to: "/settings/smtp", for: ["keys"] },
      { name: "webhooks", to: "/settings/webhooks", for: ["keys"] },
    ],
  },
  {
    name: "server",
    tabs: [
      { name: "ways", to: "/settings/ways", for: ["installation"] },
      { name: "alerts", to: "/settings/alerts", for: ["installation"] },
      { name: "server", to: "/settings/server", for: ["installation"] },
    ],
  },
] as const;

export type GroupName = (typeof GROUPS)[number]["name"];
export type SettingsTab = (typeof GROUPS)[number]["tabs"][number];
export type TabName = SettingsTab["name"];
export type TabGroup = { readonly name: GroupName; readonly tabs: readonly SettingsTab[] };

/** The tabs that a member may open; without a membership, all. */
export function groupsFor(membership: Pick<Membership, "permissions"> | null): readonly TabGroup[] {
  return GROUPS.map(({ name, tabs }): TabGroup => ({
    name,
    tabs: tabs.filter((tab) => mayUse(tab, membership)),
  })).filter(({ tabs }) => tabs.length > 0);
}

/** The first tab of the settings: one that the member may edit as a whole, not only in a field. */
export function firstTabFor(membership: Pick<Membership, "permissions"> | null): SettingsTab["to"] {
  const own = groupsFor(membership).flatMap(({ tabs }) => tabs);
  return (own.find((tab) => membership?.permissions.includes(tab.for[0])) ?? own[0])?.to ?? "/settings/team";
}

/** One of the tab's permissions is enough. */
function mayUse({ for: needed }: SettingsTab, membership: Pick<Membership, "permissions"> | null): boolean {
  const permissions: readonly Permission[] = needed;
  return membership === null || permissions.some((one) => membership.permissions.includes(one));
}
