// The current sending rate, and the time until the rest is sent.
import { useQuery } from "@tanstack/react-query";
import { useFormats } from "../../base/formats.ts";
import { useTexts } from "../../base/language.ts";
import { queueQuery } from "../../overview/calls.ts";
import { Number } from "../../parts/number.tsx";
import { useNow } from "../../parts/time.tsx";
import { accountTexts } from "../../texts/areas.ts";
import type { Campaign } from "../calls.ts";
import { forecastQuery } from "../forecast.tsx";
import type { CampaignStatistics } from "./calls.ts";
import { PARTS } from "./parts.ts";

const SECOND_MS = 1_000;

type SendingRateProps = { readonly campaign: Campaign; readonly statistics: CampaignStatistics };

export function SendingRate({ campaign, statistics }: SendingRateProps) {
  const t = useTexts(accountTexts);
  const { number, span } = useFormats();
  const { data } = useQuery(queueQuery);
  const left = PARTS.onWay.count(statistics);
  const rate = data?.ratePerSecond ?? 0;
  const slowest = useQuery(forecastQuery(campaign)).data?.slowest;
  const now = useNow();
  const atMost = data?.configuredRatePerSecond ?? Infinity;
  // While a provider or a warm-up slows the campaign, the current rate does not predict the rest.
  const leftMs = slowest
    ? slowest.doneAt && Math.max(Date.parse(slowest.doneAt) - now.getTime(), (left / atMost) * SECOND_MS)
    : rate > 0 && left > 0 && (left / rate) * SECOND_MS;
  return (
    <div className="push inline pace">
      <Number value={number(Math.round(rate * 10) / 10)} label={t.aSecond} />
      <Number value={leftMs ? span(Math.max(0, leftMs)) : "–"} label={t.toGo} />
    </div>
  );
}
