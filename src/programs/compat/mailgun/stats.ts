// GET /v3/{domain}/stats/total: our sums of the domain, in Mailgun's words.
import { DAY_MS, HOUR_MS } from "../../../base/clock.ts";
import { invalidParameter } from "../../../base/errors.ts";
import type { StatisticsCounts } from "../../../mail/statistics/record.ts";
import { mailStatistics } from "../../../mail/statistics/statistics.ts";
import type { Reader } from "../../../store/store.ts";
import { refuseFilters } from "../fields.ts";
import { msOf } from "./options.ts";

const TAKEN = ["event", "start", "end", "resolution", "duration"];
const DEFAULT_MS = 7 * DAY_MS;
/** A month is read as days. */
const UNITS: Readonly<Record<string, number>> = { h: HOUR_MS, d: DAY_MS, m: 30 * DAY_MS };

/** The sum that counts each event. */
const COUNTS: Readonly<Record<string, (counts: StatisticsCounts) => object>> = {
  accepted: ({ accepted }) => ({ incoming: 0, outgoing: accepted, total: accepted }),
  delivered: ({ delivered }) => ({ smtp: delivered, http: 0, total: delivered }),
  failed: ({ hardBounced, softBounced, failed, skipped }) => ({
    permanent: { bounce: hardBounced, "suppress-bounce": skipped, total: hardBounced + softBounced + failed + skipped },
    temporary: { total: 0 },
  }),
  opened: ({ opened }) => ({ total: opened, unique: opened }),
  clicked: ({ clicked }) => ({ total: clicked, unique: clicked }),
  unsubscribed: ({ unsubscribed }) => ({ total: unsubscribed }),
  complained: ({ complained }) => ({ total: complained }),
};

type StatsRequest = {
  readonly workspace: number;
  readonly domain: string;
  readonly request: Request;
  readonly nowMs: number;
};

/** @throws AppError INVALID_PARAMETERS */
export async function statsPage(reader: Reader, { workspace, domain, request, nowMs }: StatsRequest) {
  refuseFilters(request, TAKEN);
  const query = new URL(request.url).searchParams;
  const events = query.getAll("event");
  const unknown = events.find((one) => !Object.hasOwn(COUNTS, one));
  if (events.length === 0 || unknown !== undefined)
    throw invalidParameter("event", `Name what is counted: ${Object.keys(COUNTS).join(", ")}.`);
  const step = query.get("resolution") === "hour" ? "hour" : "day";
  const span = { ...spanIn(query, nowMs), step, timeZone: "UTC" } as const;
  const { from, to, series } = await mailStatistics(reader, workspace, { ...span, by: "domain" });
  const points = series.find(({ group }) => group === domain)?.points ?? [];
  const stats = points.map(({ at, ...counts }) => ({
    time: new Date(at).toUTCString(),
    ...Object.fromEntries(events.map((event) => [event, COUNTS[event]?.(counts)])),
  }));
  return { start: new Date(from).toUTCString(), end: new Date(to).toUTCString(), resolution: step, stats };
}

/** @throws AppError INVALID_PARAMETERS */
function spanIn(query: URLSearchParams, nowMs: number): { readonly fromMs: number; readonly toMs: number } {
  const timeOf = (name: string): number | null => {
    const text = query.get(name);
    const ms = text === null ? null : msOf(text);
    if (text !== null && ms === null) throw invalidParameter(name, "This must be seconds since 1970, or a date.");
    return ms;
  };
  const [, number, unit = ""] = /^(\d{1,3})([hdm])$/.exec(query.get("duration") ?? "") ?? [];
  if (query.get("duration") && number === undefined)
    throw invalidParameter("duration", "This must be a number of hours, days or months, such as 7d.");
  const toMs = timeOf("end") ?? nowMs;
  const lengthMs = number === undefined ? DEFAULT_MS : Number(number) * (UNITS[unit] as number);
  return { fromMs: number === undefined ? (timeOf("start") ?? toMs - lengthMs) : toMs - lengthMs, toMs };
}
