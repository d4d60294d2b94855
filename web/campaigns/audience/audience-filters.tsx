// The audience of a campaign as a condition of its own, saved while it is edited.
import { useEffect, useRef, useState } from "react";
import { Fault } from "../../calls/api.ts";
import type { components } from "../../api.gen.ts";
import { ConditionBuilder } from "../../condition/builder.tsx";
import { useConditionPreview } from "../../condition/preview.ts";
import { useTexts } from "../../base/language.ts";
import { campaignsTexts } from "../../texts/areas.ts";
import type { Campaign } from "../calls.ts";

type AudienceCondition = components["schemas"]["Condition"];
type FiltersProps = {
  readonly campaign: Campaign;
  readonly disabledReason: string | undefined;
  readonly fault: unknown;
  readonly save: (condition: AudienceCondition) => void;
};

/** The pause in typing after which the audience is saved. */
const PAUSE_MS = 600;

export function AudienceFilters({ campaign, disabledReason, fault, save }: FiltersProps) {
  const { audience: t } = useTexts(campaignsTexts);
  const [value, setValue] = useState<AudienceCondition | null>(campaign.audienceCondition);
  const { numbers, faults } = useConditionPreview(value);
  useAutosavedAudience({ value, kept: campaign.audienceCondition, fault, save });
  const refused = errorsOf(fault);
  return (
    <div className="stack">
      <ConditionBuilder
        value={value}
        disabledReason={disabledReason}
        numbers={numbers}
        faults={refused.length > 0 ? refused : faults}
        onChange={setValue}
      />
      {value === null && <p className="dim small">{t.notSaved}</p>}
    </div>
  );
}

/** The faults of its filters. */
export function errorsOf(fault: unknown): Fault["errors"] {
  return fault instanceof Fault ? fault.errors : [];
}

type AutosavedAudience = Pick<FiltersProps, "fault" | "save"> & {
  readonly value: AudienceCondition | null;
  readonly kept: AudienceCondition | null;
};

/** Saves a changed condition after a pause in typing, and when the page is left. `fault`: the last save failed. */
function useAutosavedAudience({ value, kept, fault, save }: AutosavedAudience): void {
  const last = useRef(JSON.stringify(kept));
  const latest = useRef(() => {});
  latest.current = () => {
    const text = JSON.stringify(value);
    if (value === null || text === last.current) return;
    last.current = text;
    save(value);
  };
  useEffect(() => {
    const timer = setTimeout(() => latest.current(), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  useEffect(() => {
    if (fault !== null) last.current = "";
  }, [fault]);
  useEffect(() => () => latest.current(), []);
}
