// The pages and spans of time in requests for SendGrid's lists.
import { iso } from "../../../base/clock.ts";
import type { ReturnsPage, ReturnPeriod } from "../../../mail/emails/feedback/returned-queries.ts";
import { invalidParameter } from "../../../base/errors.ts";

export const SECOND_MS = 1_000;
const LARGEST_PAGE = 500;
const FARTHEST = 10_000;
/** Before and after all times that there may be. */
const ALWAYS: ReturnPeriod = { since: "", until: "9999" };
/** ISO dates of later years have a sign. */
const END_OF_TIME_SECONDS = 253_402_300_800;

/** @throws AppError INVALID_PARAMETERS */
export function spanIn({ url }: Request): ReturnPeriod {
  const query = new URL(url).searchParams;
  const at = (name: string) => {
    const seconds = query.get(name) === null ? null : Number(query.get(name));
    if (seconds !== null && !(Math.abs(seconds) < END_OF_TIME_SECONDS))
      throw invalidParameter(name, "This must be a number of seconds since 1970.");
    return seconds === null ? null : iso(seconds * SECOND_MS);
  };
  return { since: at("start_time") ?? ALWAYS.since, until: at("end_time") ?? ALWAYS.until };
}

/** @throws AppError INVALID_PARAMETERS */
export function pageIn({ url }: Request): ReturnsPage {
  const query = new URL(url).searchParams;
  const [limit, offset] = [Number(query.get("limit") ?? LARGEST_PAGE), Number(query.get("offset") ?? 0)];
  if (!Number.isInteger(limit) || limit < 1 || limit > LARGEST_PAGE)
    throw invalidParameter("limit", `A page has 1 to ${LARGEST_PAGE} addresses.`);
  if (!Number.isInteger(offset) || offset < 0 || limit + offset > FARTHEST)
    throw invalidParameter("offset", `A list goes on to its ${FARTHEST}th address.`);
  return { limit, offset };
}

export function seconds(at: string): number {
  return Math.floor(Date.parse(at) / SECOND_MS);
}
