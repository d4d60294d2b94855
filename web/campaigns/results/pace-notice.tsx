// A notice that emails of a campaign wait because their mailbox providers asked for less.
import { useQuery } from "@tanstack/react-query";
import { BrakeList } from "../../brakes/brakes.tsx";
import { useFormats } from "../../base/formats.ts";
import { useTexts } from "../../base/language.ts";
import { queueQuery } from "../../overview/calls.ts";
import { Banner } from "../../parts/banner.tsx";
import { brakesTexts } from "../../texts/areas.ts";
import type { Campaign } from "../calls.ts";

export function PaceNotice({ campaign }: { readonly campaign: Campaign }) {
  return campaign.status === "SENDING" && !campaign.paused ? <Waiting id={campaign.id} /> : null;
}

function Waiting({ id }: { readonly id: string }) {
  const t = useTexts(brakesTexts);
  const { number } = useFormats();
  const { data } = useQuery(queueQuery);
  const paced = data?.campaigns.find((one) => one.id === id)?.paced;
  // Mail that waits for a warm-up is shown by forecast.tsx.
  if (!data || !paced || paced.count === 0 || data.brakes.length === 0) return null;
  return (
    <Banner tone="note" role="status">
      {t.ofCampaign(number(paced.count) + (paced.isLowerBound ? "+" : ""))}
      <BrakeList brakes={data.brakes.filter(({ waiting }) => waiting.count > 0)} />
    </Banner>
  );
}
