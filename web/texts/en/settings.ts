// The tabs of the settings, in English.

export const setUp = {
  tabs: {
    domains: "Domains",
    keys: "Keys",
    smtp: "SMTP",
    webhooks: "Webhooks",
    workspace: "Workspace",
    brand: "Brand",
    team: "Team",
    pages: "Recipient pages",
    server: "This server",
    ways: "Ways out",
  },
};
