// The English texts of the overview, events and statistics, loaded together.
export { events } from "../en/events.ts";
export { overview } from "../en/overview.ts";
export { statistics } from "../en/statistics.ts";
