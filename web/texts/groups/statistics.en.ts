// The English texts of the overview, events and statistics, loaded together.
export { events } from "../en/events.ts";
export { needs } from "../en/needs.ts";
export { overview } from "../en/overview.ts";
export { statistics } from "../en/statistics.ts";
