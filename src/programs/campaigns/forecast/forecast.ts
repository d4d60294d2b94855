// When a campaign of a domain that is warming up will have left: its people by mailbox provider, spread over the days
// of the plan.
import { domainOf } from "../../../base/addresses.ts";
import { iso } from "../../../base/clock.ts";
import type { Config } from "../../../base/config.ts";
import { senderDomain } from "../../../tenant/domains/queries.ts";
import type { Reader } from "../../../store/store.ts";
import { isWanted } from "../../../sending/warmup/is-wanted.ts";
import { standingAt } from "../../../sending/warmup/later.ts";
import { allowedOn, DEFAULT_PLAN, doneAtMs, type WarmupPlan } from "../../../sending/warmup/plan.ts";
import { sentToday, waitingOf, waitingOfCampaign, warmupOf } from "../../../sending/warmup/queries.ts";
import { hasHistory } from "../../../sending/warmup/warmup.ts";
import type { Forecast } from "./forecast-record.ts";
import type { Campaign } from "../queries.ts";

type ProviderCounts = ReadonlyMap<string, number>;

/** The warm-up of its sender domain, and the domain's sent mail of today, by mailbox provider. */
export type DomainWarmup = Pick<Forecast, "state" | "domainId" | "reason"> & {
  readonly plan: WarmupPlan;
  readonly day: number;
  readonly dayBeganAt: string | null;
  readonly sent: ProviderCounts;
  /** The waiting mail of all campaigns together, and of this one. */
  readonly waiting: ProviderCounts;
  readonly own: ProviderCounts;
};

export const MOST_COUNTED = 50_000;
export const AT_ONCE: Forecast = {
  ...{ state: "NONE", domainId: null, reason: null },
  ...{ providers: [], doneAt: null, slowest: null, isEstimate: false },
};

/** Null = it leaves at full pace, or has left. */
export async function standingOf(
  reader: Reader,
  campaign: Campaign,
  { nowMs, config }: { readonly nowMs: number; readonly config: Config },
): Promise<DomainWarmup | null> {
  const { workspace, status } = campaign;
  const domain = await senderDomain(reader, workspace, domainOf(campaign.fromAddress));
  if (!domain || status === "SENT" || status === "CANCELLED") return null;
  const { seq, id: domainId } = domain;
  const [warmup, isKnown] = [
    await warmupOf(reader, { domain: seq }),
    await hasHistory(reader, { workspace, domain: seq }, nowMs),
  ];
  if (warmup === null ? isKnown || !isWanted(config) : warmup.state === "DONE" || warmup.state === "SKIPPED")
    return null;
  const { state, reason, plan, day, dayBeganAt } = warmup ?? PLANNED;
  return {
    ...{ state, domainId, reason, plan, day, dayBeganAt },
    sent: new Map(warmup ? (await sentToday(reader, warmup.seq)).map((one) => [one.mailbox, one.sent]) : []),
    waiting: counts(await waitingOf(reader, seq, MOST_COUNTED)),
    own: counts(await waitingOfCampaign(reader, campaign.seq, MOST_COUNTED)),
  };
}

const PLANNED = { state: "PLANNED", reason: null, plan: DEFAULT_PLAN, day: 1, dayBeganAt: null } as const;

export function counts(waiting: readonly { readonly mailbox: string; readonly count: number }[]): ProviderCounts {
  return new Map(waiting.map(({ mailbox, count }) => [mailbox, count]));
}

/** The time of the forecast, and when the campaign begins to leave. */
export type Times = { readonly nowMs: number; readonly fromMs: number };

/** `people`: the audience of an unsent campaign, by mailbox provider; null = it is being sent. */
export function forecastFrom(
  present: DomainWarmup,
  people: { readonly byProvider: ProviderCounts; readonly isEstimate: boolean } | null,
  { nowMs, fromMs }: Times,
): Forecast {
  const standing = fromMs > nowMs ? standingAt(present, fromMs, nowMs) : present;
  const { state, domainId, reason, sent, waiting, plan, day } = standing;
  const theirs = people?.byProvider ?? standing.own;
  const own = [...theirs].filter(([provider]) => allowedOn(plan, provider, day) !== null);
  const goesOn = state === "RUNNING" || state === "PLANNED";
  const providers = own.map(([provider, count]) => {
    // While it is being sent, its own people are among the waiting.
    const ahead = (waiting.get(provider) ?? 0) + (people === null ? 0 : count);
    const doneMs = doneAtMs({ ...standing, sent: sent.get(provider) ?? 0 }, provider, ahead, fromMs);
    return { provider, people: count, doneAt: goesOn ? iso(doneMs) : null };
  });
  const doneAt =
    providers
      .flatMap((one) => one.doneAt ?? [])
      .toSorted()
      .at(-1) ?? null;
  return { state, domainId, reason, providers, doneAt, slowest: null, isEstimate: people?.isEstimate ?? false };
}
