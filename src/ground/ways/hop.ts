// The names of mail servers in timelines: by address, and by way unless it is the default one.
import { DEFAULT_WAY, type WaySettings } from "../../base/config/ways.ts";

const BETWEEN = ": ";

/** A capture way that a rule names has a hop name as well, for lists and statistics. */
const KEPT = "kept";

/** Null = the default way, if it captures mail. Two ways may lead to one host, so all but the default one are named. */
export function hopName({
  name,
  kind,
  relay,
  ses,
}: Pick<WaySettings, "name" | "kind" | "relay" | "ses">): string | null {
  const places = { ses: `Amazon SES, ${ses.region}`, graph: "Microsoft Graph", smtp: relay.host, capture: null };
  const place = places[kind];
  return name === DEFAULT_WAY ? place : `${name}${BETWEEN}${place ?? KEPT}`;
}

/** The name of the way behind a hop. */
export function wayOfHop(name: string): string {
  const at = name.indexOf(BETWEEN);
  return at < 0 ? DEFAULT_WAY : name.slice(0, at);
}
