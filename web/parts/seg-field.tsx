// One of a few in a form: its label, the choice, and what the chosen one means.
import { Seg, type SegProps } from "./seg.tsx";

export function SegField<Value extends string>({ help, ...seg }: SegProps<Value> & { readonly help: string }) {
  return (
    <div className="field">
      <span className="label">{seg.label}</span>
      <Seg {...seg} />
      <span className="help">{help}</span>
    </div>
  );
}
