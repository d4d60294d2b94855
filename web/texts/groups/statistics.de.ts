// The German texts of the overview, events and statistics, loaded together.
export { events } from "../de/events.ts";
export { overview } from "../de/overview.ts";
export { statistics } from "../de/statistics.ts";
