// CONDITION by filters: a condition as in segments, checked for each person at the step.
import { useState } from "react";
import { ConditionBuilder } from "../../condition/builder.tsx";
import type { SegmentCondition } from "../../condition/draft.ts";
import { useConditionPreview } from "../../condition/preview.ts";
import { useFormats } from "../../base/formats.ts";
import { useTexts } from "../../base/language.ts";
import { useDisabledFields } from "../../parts/fields/form.tsx";
import { useMembership } from "../../calls/session.ts";
import { conditionTexts } from "../../texts/areas.ts";
import type { StepFieldsProps } from "./fields-props.ts";

export function FilterConditionFields({ step, words: { t }, set }: Pick<StepFieldsProps, "step" | "words" | "set">) {
  const { everybody } = useTexts(conditionTexts);
  const { number } = useFormats();
  const workspace = useMembership()?.name ?? "";
  const [part, setPart] = useState<SegmentCondition | null>(null);
  const condition = (step.config["condition"] ?? null) as SegmentCondition | null;
  const { preview, numbers, faults } = useConditionPreview(condition ?? part);
  return (
    <div className="asking stack tight">
      <ConditionBuilder
        value={condition}
        disabledReason={useDisabledFields()}
        numbers={numbers}
        faults={faults}
        head={preview && everybody(preview.contacts, number(preview.contacts), workspace)}
        onChange={(next, soFar) => {
          setPart(soFar);
          set({ condition: next }, "condition");
        }}
      />
      {condition === null && <span className="fault">{t.form.askNothing}</span>}
      <span className="help">{t.form.askHelp}</span>
    </div>
  );
}
