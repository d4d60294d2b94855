// The settings tabs, in English.

export const setUp = {
  groups: { workspace: "Workspace", programs: "Programs", server: "Server" },
  tabs: {
    domains: "Domains",
    keys: "Keys",
    smtp: "SMTP",
    webhooks: "Webhooks",
    workspace: "General",
    brand: "Brand",
    team: "Team",
    pages: "Recipient pages",
    server: "This server",
    ways: "Sending routes",
    alerts: "Alerts",
  },
};
