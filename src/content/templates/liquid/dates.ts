// Times in templates. A time without an offset is in UTC; liquidjs would read it in the zone of the machine.
import { filters, toValue } from "liquidjs";
import type { FilterCall, FilterHandler } from "./liquid-limits.ts";

const DATE_FILTERS = ["date", "date_to_xmlschema", "date_to_rfc822", "date_to_string", "date_to_long_string"] as const;

/** Date filters that first convert their value by `moment`. */
export function dateFilters(): (readonly [name: string, filter: FilterHandler])[] {
  return DATE_FILTERS.map((name) => {
    const filter = filters[name] as FilterHandler;
    const handler = function (this: FilterCall, value: unknown, ...rest: unknown[]): unknown {
      return filter.call(this, moment(toValue(value)), ...rest);
    };
    return [name, handler];
  });
}

/** After the time of day: Z, an offset or the name of a zone. */
const WITH_ZONE = /\d(Z|\s*[+-]\d{2}(:?\d{2})?)\s*(\(.*\))?$|\b(GMT|UTC?|[ECMP][SD]T)\b/i;
const TIME_OF_DAY = /\d:\d/;
/** Suffixes for UTC, of which the engine accepts one after each form of time. */
const UTC = ["Z", " UTC"];

/** The moment of a text without a zone; other values stay as they are. */
function moment(value: unknown): unknown {
  if (typeof value !== "string" || /^\d+$/.test(value)) return value;
  if (TIME_OF_DAY.test(value) && WITH_ZONE.test(value)) return value;
  const ms = UTC.map((zone) => Date.parse(value.trim() + zone)).find((parsed) => !Number.isNaN(parsed));
  return ms === undefined ? value : new Date(ms);
}
