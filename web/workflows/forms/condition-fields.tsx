// CONDITION: by a value, or by filters as in segments.
import { Suspense } from "react";
import { SegmentedControl } from "../../parts/fields/segmented-control.tsx";
import { ValueConditionFields } from "./value-condition-fields.tsx";
import type { StepFieldsProps } from "./fields-props.ts";
import { lazyPart } from "../../chunks.tsx";

/** Loaded lazily, because it contains the condition builder. */
const FilterConditionFields = lazyPart(() => import("./filter-condition-fields.tsx"), "FilterConditionFields");

export function ConditionFields(props: StepFieldsProps) {
  const { step, words, set } = props;
  const { form: t } = words.t;
  const isAsking = step.config["condition"] !== undefined;
  const choose = (kind: "value" | "condition") => {
    if ((kind === "condition") === isAsking) return;
    set(kind === "condition" ? { condition: null } : { field: "", operator: "equals", value: "" });
  };
  return (
    <>
      <SegmentedControl
        label={t.asks}
        value={isAsking ? "condition" : "value"}
        onChange={choose}
        choices={[
          { value: "value", content: t.asksValue },
          { value: "condition", content: t.asksCondition },
        ]}
      />
      {isAsking ? (
        <Suspense fallback={<div aria-busy="true" />}>
          <FilterConditionFields step={step} words={words} set={set} />
        </Suspense>
      ) : (
        <ValueConditionFields {...props} />
      )}
    </>
  );
}
