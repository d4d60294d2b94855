// Large numbers, and sums: total = part + part.
import { Fragment, type ReactNode } from "react";
import { useFormats } from "../base/formats.ts";
import { StatusIcon, type StatusIconName, type Tone } from "./icons/icon.tsx";
import "./sum.css";

type NumberProps = {
  /** A text if the number has a unit: "14.0". */
  readonly value: number | string;
  readonly label: ReactNode;
  readonly icon?: StatusIconName;
  readonly tone?: Tone;
  /** Wraps the number in a link (class `opens`) to the records that it counts. */
  readonly open?: (shown: string) => ReactNode;
};

export function Number({ value, label, icon, tone, open }: NumberProps) {
  const { number } = useFormats();
  const shown = typeof value === "number" ? number(value) : value;
  return (
    <div className="num">
      <b>{open ? open(shown) : shown}</b>
      <span>
        {icon && <StatusIcon name={icon} tone={tone} />}
        {label}
      </span>
    </div>
  );
}

/** The first number is the sum of the others. */
export function Sum({ parts }: { readonly parts: readonly (NumberProps & { readonly id: string })[] }) {
  return (
    <div className="sum">
      {parts.map(({ id, ...part }, at) => (
        <Fragment key={id}>
          {at > 0 && <span className="op">{at === 1 ? "=" : "+"}</span>}
          <Number {...part} />
        </Fragment>
      ))}
    </div>
  );
}
