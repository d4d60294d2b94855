// When the last mail of a campaign will leave if its sender domain is warming up: mailbox providers get it in steps.
import { queryOptions, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { call } from "../calls/api.ts";
import { useFormats } from "../base/formats.ts";
import { useTexts } from "../base/language.ts";
import { Banner } from "../parts/banner.tsx";
import { useDisabledReason } from "../calls/session.ts";
import { forecastTexts } from "../texts/areas.ts";
import type { Campaign } from "./calls.ts";
import { ExpectedTime } from "../parts/planned-time.tsx";
import { PROVIDER_NAMES } from "../texts/provider-names.ts";

/** As `from`: an unsent campaign is sent now, regardless of its schedule. */
export const NOW = 0;

/** `from`: the time of sending to assume, in milliseconds; undefined = its scheduled time, or now. */
export function forecastQuery(campaign: Campaign, from?: number) {
  const { id, updatedAt, status } = campaign;
  const query = from === undefined ? {} : { scheduledFor: new Date(from).toISOString() };
  return queryOptions({
    queryKey: ["campaigns", "forecast", id, status, updatedAt, from],
    queryFn: async () => (await call("GET /campaigns/{id}/forecast", { id, ...query })).data,
  });
}

/** Undefined while loading, and if no recipient waits for a warm-up. */
export function useForecast(campaign: Campaign, from?: number) {
  const { data } = useQuery(forecastQuery(campaign, from));
  return data?.providers.some(({ people }) => people > 0) ? data : undefined;
}

type ForecastProps = {
  readonly campaign: Campaign;
  /** As in `forecastQuery`. */
  readonly from?: number | undefined;
  /** Shows the time, that of the slowest limit; false where the screen has it elsewhere. */
  readonly isTimed?: boolean;
};

export function Forecast({ campaign, from, isTimed = true }: ForecastProps) {
  const t = useTexts(forecastTexts);
  const { number } = useFormats();
  const data = useForecast(campaign, from);
  if (!data) return null;
  const people = data.providers.reduce((sum, one) => sum + one.people, 0);
  const shown = data.isEstimate ? `${t.about} ${number(people)}` : number(people);
  const pacedBy = data.slowest?.limit === "PROVIDER_PACE" ? (data.slowest.name ?? "") : null;
  const domain = campaign.from.slice(campaign.from.lastIndexOf("@") + 1);
  return (
    <Banner tone={data.doneAt === null ? "warn" : "note"}>
      <p>
        {t.waits(t.people(people, shown), domain)}{" "}
        {data.doneAt === null
          ? t.held
          : isTimed && (
              <>
                {t.done} <ExpectedTime at={data.slowest?.doneAt ?? data.doneAt} />
                {pacedBy === null ? "." : `: ${t.limits.PROVIDER_PACE(PROVIDER_NAMES[pacedBy] ?? pacedBy)}.`}
              </>
            )}{" "}
        {data.domainId !== null && (
          <Link className="opens" to="/settings/domains/{-$id}" params={{ id: data.domainId }}>
            {t.open}
          </Link>
        )}
      </p>
      <WarmAlready domain={domain} />
    </Banner>
  );
}

/** A domain that providers already know needs no warm-up: says where to set that, or who may. */
function WarmAlready({ domain }: { readonly domain: string }) {
  const t = useTexts(forecastTexts);
  const denied = useDisabledReason("domains");
  return (
    <p>
      {t.warm(domain)} {denied ?? t.say}
    </p>
  );
}
