// The status of a campaign, with "paused" and "held" taking precedence.
import { useTexts } from "../base/language.ts";
import { Label, State } from "../parts/state.tsx";
import { campaignsTexts } from "../texts/areas.ts";
import type { Campaign } from "./calls.ts";

type StateProps = {
  readonly campaign: Pick<Campaign, "status" | "paused" | "blocked">;
  /** For the place beside the campaign's name. */
  readonly pill?: boolean;
};

export function CampaignState({ campaign: { status, paused, blocked }, pill }: StateProps) {
  const t = useTexts(campaignsTexts);
  if (status !== "SENDING" || !(paused || blocked)) return <State is={status} pill={pill} />;
  return (
    <Label icon="held" tone="warn" pill={pill}>
      {paused ? t.paused : t.blocked}
    </Label>
  );
}
