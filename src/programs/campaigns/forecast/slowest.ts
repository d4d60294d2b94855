// The limit that determines a campaign's last email: the slowest of all.
import { HOUR_MS, iso } from "../../../base/clock.ts";
import type { Reader } from "../../../store/store.ts";
import type { Forecast } from "./forecast-record.ts";
import type { Times } from "./forecast.ts";

/** A mailbox provider that a workspace sends less mail to, at the provider's request. */
type ProviderBrake = {
  readonly mailbox: string;
  readonly perHour: number;
  readonly pausedUntil: string | null;
  readonly waiting: { readonly count: number };
};

export type CampaignLimits = {
  /** Null = none. */
  readonly ratePerSecond: number | null;
  readonly brakes: readonly ProviderBrake[];
};

/** The limits under which a workspace's email leaves now. */
export type LimitsOn = (reader: Reader, workspace: number) => Promise<CampaignLimits>;

type Bottleneck = NonNullable<Forecast["slowest"]>;

export type AudienceSize = {
  readonly total: number;
  /** By mailbox provider, or by domain. */
  readonly of: (mailbox: string) => number;
  /** The people are among the waiting. */
  readonly isQueued: boolean;
};

type SlowestTerms = { readonly limits: CampaignLimits; readonly people: AudienceSize; readonly domain: string } & Times;

export function slowestOf(forecast: Forecast, terms: SlowestTerms): Bottleneck | null {
  const all = [...byRate(terms), ...terms.limits.brakes.flatMap((brake) => byBrake(brake, terms))];
  if (forecast.providers.some(({ people }) => people > 0))
    all.push({ limit: "WARM_UP", name: terms.domain, doneAt: forecast.doneAt });
  return all.toSorted((one, other) => latest(other) - latest(one))[0] ?? null;
}

function latest({ doneAt }: Bottleneck): number {
  return doneAt === null ? Infinity : Date.parse(doneAt);
}

function byRate({ limits: { ratePerSecond }, people: { total }, fromMs }: SlowestTerms): Bottleneck[] {
  if (ratePerSecond === null || total === 0) return [];
  return [{ limit: "RATE", name: null, doneAt: iso(fromMs + (total / ratePerSecond) * 1_000) }];
}

/** Waiting mail leaves before it, also until it begins. */
function byBrake(
  { mailbox, perHour, pausedUntil, waiting }: ProviderBrake,
  { people, nowMs, fromMs }: SlowestTerms,
): Bottleneck[] {
  const own = people.of(mailbox);
  if (own === 0) return [];
  const toMs = (count: number) => (count / Math.max(1, perHour)) * HOUR_MS;
  const freeMs = Math.max(nowMs, pausedUntil === null ? 0 : Date.parse(pausedUntil)) + toMs(waiting.count);
  const doneMs = Math.max(fromMs, freeMs) + (people.isQueued ? 0 : toMs(own));
  return [{ limit: "PROVIDER_PACE", name: mailbox, doneAt: iso(doneMs) }];
}
