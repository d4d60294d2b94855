// The tabs of the settings, in order.

export const TABS = [
  { name: "domains", to: "/settings/domains/{-$id}" },
  { name: "keys", to: "/settings/keys" },
  { name: "smtp", to: "/settings/smtp" },
  { name: "webhooks", to: "/settings/webhooks" },
  { name: "workspace", to: "/settings/workspace" },
  { name: "brand", to: "/settings/brand" },
  { name: "team", to: "/settings/team" },
  { name: "pages", to: "/settings/pages" },
  { name: "server", to: "/settings/server" },
  { name: "ways", to: "/settings/ways" },
] as const;

export type TabName = (typeof TABS)[number]["name"];
