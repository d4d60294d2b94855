// CONDITION: a value that is looked at, or a condition as segments have it.
import { lazy, Suspense } from "react";
import { SegmentedControl } from "../../parts/segmented-control.tsx";
import { ComparingFields } from "./comparing-fields.tsx";
import type { FieldsProps } from "./fields-props.ts";

/** The builder comes with it. */
const AskingFields = lazy(() => import("./asking-fields.tsx").then(({ AskingFields }) => ({ default: AskingFields })));

export function ConditionFields(props: FieldsProps) {
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
          <AskingFields step={step} words={words} set={set} />
        </Suspense>
      ) : (
        <ComparingFields {...props} />
      )}
    </>
  );
}
