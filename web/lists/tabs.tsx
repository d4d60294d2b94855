// The tabs of a list: one part of the list each, with its count if that is known.
import type { ReactNode } from "react";
import { useFormats } from "../base/formats.ts";
import { SegmentedControl } from "../parts/fields/segmented-control.tsx";

type TabsProps<Value extends string> = {
  readonly label: string;
  readonly tabs: readonly { readonly value: Value; readonly name: string; readonly count?: number }[];
  readonly value: Value;
  readonly onChange: (value: Value) => void;
};

export function ListTabs<Value extends string>({ label, tabs, value, onChange }: TabsProps<Value>) {
  const { number } = useFormats();
  const tabContent = (name: string, count: number | undefined): ReactNode =>
    count === undefined ? name : [`${name} `, <Count key="count">{number(count)}</Count>];
  return (
    <SegmentedControl
      label={label}
      look="tabs"
      choices={tabs.map(({ value, name, count }) => ({ value, content: tabContent(name, count) }))}
      value={value}
      onChange={onChange}
    />
  );
}

function Count({ children }: { readonly children: string }) {
  return <span className="n">{children}</span>;
}
