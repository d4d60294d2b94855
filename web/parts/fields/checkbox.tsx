// A checkbox for forms, and a switch that applies immediately; both are native controls.
import type { ComponentProps, ReactNode } from "react";
import { StatusIcon } from "../icons/icon.tsx";

type CheckboxProps = Omit<ComponentProps<"input">, "type"> & { readonly children: ReactNode };

export function Checkbox({ children, ...input }: CheckboxProps) {
  return (
    <label className="checkbox">
      <input type="checkbox" className="hidden-text" {...input} />
      <span className="box">
        <StatusIcon name="check" />
      </span>
      <span>{children}</span>
    </label>
  );
}

type SwitchProps = {
  readonly label: string;
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
  readonly disabledReason?: string | undefined;
};

export function Switch({ label, isOn, onChange, disabledReason }: SwitchProps) {
  return (
    <button
      type="button"
      role="switch"
      className="switch"
      aria-checked={isOn}
      aria-label={label}
      aria-disabled={disabledReason !== undefined || undefined}
      title={disabledReason}
      onClick={() => disabledReason === undefined && onChange(!isOn)}
    />
  );
}
