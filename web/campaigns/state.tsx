// The state of a campaign: a campaign that is paused or held says so instead.
import { useTexts } from "../language.ts";
import { Label, Pill, State, StatePill } from "../parts/state.tsx";
import { campaignsTexts } from "../texts/areas.ts";
import type { Campaign } from "./calls.ts";

type StateProps = { readonly campaign: Pick<Campaign, "status" | "paused" | "blocked"> };

/** In rows. */
export function CampaignState({ campaign: { status, paused, blocked } }: StateProps) {
  const t = useTexts(campaignsTexts);
  if (status !== "SENDING" || !(paused || blocked)) return <State is={status} />;
  return (
    <Label icon="held" tone="warn">
      {paused ? t.paused : t.blocked}
    </Label>
  );
}

/** Beside its name. */
export function CampaignPill({ campaign: { status, paused, blocked } }: StateProps) {
  const t = useTexts(campaignsTexts);
  if (status !== "SENDING" || !(paused || blocked)) return <StatePill is={status} />;
  return (
    <Pill icon="held" tone="warn">
      {paused ? t.paused : t.blocked}
    </Pill>
  );
}
