// One of a few in a form: its label, the choice, and what the chosen one means.
import { SegmentedControl, type SegmentedControlProps } from "./segmented-control.tsx";

export function SegmentedField<Value extends string>({
  help,
  ...control
}: SegmentedControlProps<Value> & { readonly help: string }) {
  return (
    <div className="field">
      <span className="label">{control.label}</span>
      <SegmentedControl {...control} />
      <span className="help">{help}</span>
    </div>
  );
}
