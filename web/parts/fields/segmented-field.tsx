// A segmented control in a form, with a label and an explanation of the chosen option.
import type { ReactNode } from "react";
import { SegmentedControl, type SegmentedControlProps } from "./segmented-control.tsx";

type SegmentedFieldProps<Value extends string> = SegmentedControlProps<Value> & {
  readonly help?: ReactNode;
  /** Shown below the control. */
  readonly children?: ReactNode;
};

export function SegmentedField<Value extends string>({ help, children, ...control }: SegmentedFieldProps<Value>) {
  return (
    <div className="field">
      <span className="label">{control.label}</span>
      <SegmentedControl {...control} />
      {help && <span className="help">{help}</span>}
      {children}
    </div>
  );
}
