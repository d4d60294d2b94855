// The tabs of the settings, in order.

export const TABS = [
  { name: "domains", to: "/set-up/domains/{-$id}" },
  { name: "keys", to: "/set-up/keys" },
  { name: "smtp", to: "/set-up/smtp" },
  { name: "webhooks", to: "/set-up/webhooks" },
  { name: "workspace", to: "/set-up/workspace" },
  { name: "brand", to: "/set-up/brand" },
  { name: "team", to: "/set-up/team" },
  { name: "pages", to: "/set-up/pages" },
  { name: "server", to: "/set-up/server" },
] as const;

export type TabName = (typeof TABS)[number]["name"];
