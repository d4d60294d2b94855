// When the last mail of an unsent campaign will leave: one time, that of the slowest limit, with the limit's name.
import { useQuery } from "@tanstack/react-query";
import { useFormats } from "../../base/formats.ts";
import { useTexts } from "../../base/language.ts";
import { queueQuery } from "../../overview/calls.ts";
import { campaignsTexts, forecastTexts } from "../../texts/areas.ts";
import { PROVIDER_NAMES } from "../../texts/provider-names.ts";
import type { Campaign } from "../calls.ts";
import { forecastQuery } from "../forecast.tsx";
import { ExpectedTime } from "../../parts/planned-time.tsx";

const SECOND_MS = 1_000;

type LeavingProps = {
  readonly campaign: Campaign;
  readonly people: number;
  /** As in `forecastQuery`. */
  readonly from: number;
};

export function LeavingTime({ campaign, people, from }: LeavingProps) {
  const { send: t } = useTexts(campaignsTexts);
  const { limits } = useTexts(forecastTexts);
  const { number, span } = useFormats();
  const { data } = useQuery(queueQuery);
  const { data: forecast } = useQuery(forecastQuery(campaign, from));
  if (!forecast || !data) return "…";
  const { slowest } = forecast;
  const rate = data.configuredRatePerSecond;
  if (slowest && slowest.limit !== "RATE") {
    const { limit, name, doneAt } = slowest;
    const why = limits[limit](PROVIDER_NAMES[name ?? ""] ?? name ?? "");
    return doneAt === null ? (
      <>{why}</>
    ) : (
      <>
        {limits.done} <ExpectedTime at={doneAt} />: {why}
      </>
    );
  }
  return rate === null ? t.noRate : t.rate(number(Math.round(rate * 10) / 10), span((people / rate) * SECOND_MS));
}
