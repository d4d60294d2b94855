// The button beside a segment that begins a campaign to its people.
import { useTexts } from "../language.ts";
import { Button } from "../parts/button.tsx";
import { useDisabledReason } from "../session.ts";
import { segmentsTexts } from "../texts/areas.ts";
import type { Segment } from "./calls.ts";
import { useCampaignTo } from "./use-campaign-to.ts";

export function ToThese({ segment }: { readonly segment: Segment }) {
  const t = useTexts(segmentsTexts);
  const disabledReason = useDisabledReason("campaigns.write");
  const making = useCampaignTo();
  return (
    <Button
      icon="campaigns"
      label={t.campaign}
      disabledReason={disabledReason}
      busy={making.isPending}
      onClick={() => making.mutate(segment)}
    >
      <span className="wide-only">{t.campaign}</span>
    </Button>
  );
}
