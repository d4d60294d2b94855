// The settings tabs, in German.
import type { setUp as english } from "../en/settings.ts";

export const setUp: typeof english = {
  groups: { workspace: "Arbeitsbereich", programs: "Programme", server: "Server" },
  tabs: {
    domains: "Domains",
    keys: "Schlüssel",
    smtp: "SMTP",
    webhooks: "Webhooks",
    workspace: "Allgemein",
    brand: "Marke",
    team: "Team",
    pages: "Empfängerseiten",
    server: "Dieser Server",
    ways: "Versandwege",
    alerts: "Benachrichtigungen",
  },
};
