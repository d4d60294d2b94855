// On or off: a tick in a form, a switch that works at once. Both are the browser's own controls in our clothes.
import type { ComponentProps, ReactNode } from "react";
import { Mark } from "./icon.tsx";

type TickProps = Omit<ComponentProps<"input">, "type"> & { readonly children: ReactNode };

export function Tick({ children, ...input }: TickProps) {
  return (
    <label className="tick">
      <input type="checkbox" className="hidden-text" {...input} />
      <span className="box">
        <Mark name="check" />
      </span>
      <span>{children}</span>
    </label>
  );
}

type SwitchProps = {
  readonly label: string;
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
  /** Why it cannot be changed. */
  readonly off?: string | undefined;
};

export function Switch({ label, isOn, onChange, off }: SwitchProps) {
  return (
    <button
      type="button"
      role="switch"
      className="switch"
      aria-checked={isOn}
      aria-label={label}
      aria-disabled={off !== undefined || undefined}
      title={off}
      onClick={() => off === undefined && onChange(!isOn)}
    />
  );
}
