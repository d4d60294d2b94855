// The tabs of the settings, in German.
import type { setUp as english } from "../en/settings.ts";

export const setUp: typeof english = {
  tabs: {
    domains: "Domains",
    keys: "Schlüssel",
    smtp: "SMTP",
    webhooks: "Webhooks",
    workspace: "Arbeitsbereich",
    brand: "Marke",
    team: "Team",
    pages: "Empfängerseiten",
    server: "Dieser Server",
    ways: "Wege nach draußen",
  },
};
