// When a campaign of a new sender domain will have left, in German.
import type { forecast as english } from "../en/forecast.ts";

export const forecast: typeof english = {
  waits: (people, domain) => `${domain} wird aufgewärmt, deshalb bekommen ${people} die Kampagne nach und nach.`,
  people: (count, shown) => (count === 1 ? "1 Person" : `${shown} Personen`),
  done: "Die letzte von ihnen hat sie",
  held: "Das Aufwärmen ist angehalten, deshalb warten sie.",
  open: "Aufwärmen öffnen",
  about: "etwa",
};
