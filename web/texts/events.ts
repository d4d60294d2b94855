// The texts of the events.
import { area } from "../language.ts";

export const eventsTexts = area({
  en: () => import("./en/events.ts").then(({ events }) => events),
  de: () => import("./de/events.ts").then(({ events }) => events),
});
