// What mail servers are called in timelines: by their place, and but for those of the default way after their way.
import { DEFAULT_WAY } from "../../base/config/ways.ts";
import type { Way } from "./way.ts";

const BETWEEN = ": ";

/** What a way keeps by a rule has a name, too, for lists and statistics. */
const KEPT = "kept";

/**
 * Null = the default way, and mails do not leave. Two ways may lead to one host, so all but the default one are named.
 */
export function hopName({ name, kind, relay, ses }: Pick<Way, "name" | "kind" | "relay" | "ses">): string | null {
  const place = kind === "ses" ? `Amazon SES, ${ses.region}` : kind === "smtp" ? relay.host : null;
  return name === DEFAULT_WAY ? place : `${name}${BETWEEN}${place ?? KEPT}`;
}

/** The name of the way that led there. */
export function wayOfHop(name: string): string {
  const at = name.indexOf(BETWEEN);
  return at < 0 ? DEFAULT_WAY : name.slice(0, at);
}
