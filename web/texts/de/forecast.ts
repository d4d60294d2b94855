// The end of a campaign of a new sender domain, in German.
import type { forecast as english } from "../en/forecast.ts";

export const forecast: typeof english = {
  waits: (people, domain) =>
    `Mailanbieter kennen ${domain} noch nicht, deshalb bekommen ${people} die Kampagne nach und nach.`,
  people: (count, shown) => (count === 1 ? "1 Person" : `${shown} Personen`),
  done: "Voraussichtlich fertig:",
  held: "Das Aufwärmen ist pausiert oder gestoppt, deshalb warten sie.",
  open: "Aufwärmen öffnen",
  warm: (domain) => `Hat ${domain} anderswo schon so viel gesendet?`,
  say: "Dann sagen Sie es im Aufwärmen, und niemand wartet.",
  limits: {
    done: "fertig bis",
    RATE: () => "",
    PROVIDER_PACE: (provider) => `${provider} hat um weniger Mails gebeten`,
    WARM_UP: (domain) => `${domain} wird aufgewärmt`,
  },
  about: "etwa",
};
