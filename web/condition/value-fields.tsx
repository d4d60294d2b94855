// The inputs for a filter's value: number, yes or no, status, topic choice, day, time span, text with suggestions.
import { useState } from "react";
import { Button as AriaButton } from "react-aria-components/Button";
import { ComboBox } from "react-aria-components/ComboBox";
import { Input } from "react-aria-components/Input";
import { ListBox, ListBoxItem } from "react-aria-components/ListBox";
import { Icon } from "../parts/icons/icon.tsx";
import { Popover } from "../parts/overlays/popover.ts";
import type { FilterNode } from "./draft.ts";
import { useValues, type KnownNames } from "./known-names.ts";
import { Picker } from "./picker.tsx";
import { CHOICES, isDay, UNITS, type FilterUnit } from "./subjects.ts";
import type { ConditionNames } from "./describe.ts";

export type ValueProps = {
  readonly filter: FilterNode;
  readonly known: KnownNames;
  readonly words: ConditionNames;
  readonly invalid: boolean;
  readonly onChange: (filter: FilterNode) => void;
};

function parseNumber(text: string): number | undefined {
  const value = Number(text.trim().replace(",", "."));
  return text.trim() === "" || !Number.isFinite(value) ? undefined : value;
}

export function SpanField(props: ValueProps) {
  const { filter, words, onChange } = props;
  const { t } = words;
  const unit = filter.unit ?? "days";
  const nameOf = (unit: FilterUnit) => t.units[unit](filter.value === 1);
  return (
    <>
      <NumberField {...props} label={t.number} />
      <Picker
        label={t.unit}
        value={unit}
        shown={nameOf(unit)}
        choices={UNITS.map((id) => ({ id, name: nameOf(id) }))}
        onChange={(chosen) => onChange({ ...filter, unit: chosen as FilterUnit })}
      />
    </>
  );
}

export function NumberField({ filter, invalid, label, onChange }: ValueProps & { readonly label: string }) {
  const [text, setText] = useState("");
  const { value } = filter;
  // The text stays as typed while it means the value: "3." is the number 3.
  const shown = parseNumber(text) === value ? text : typeof value === "number" ? String(value) : "";
  return (
    <input
      className="input number"
      type="text"
      inputMode="decimal"
      autoComplete="off"
      aria-label={label}
      aria-invalid={invalid || undefined}
      value={shown}
      onChange={({ currentTarget }) => {
        setText(currentTarget.value);
        onChange({ ...filter, value: parseNumber(currentTarget.value) });
      }}
    />
  );
}

export function FlagField({ filter, words, onChange }: ValueProps) {
  const { t } = words;
  return (
    <Picker
      label={t.value}
      value={filter.value === undefined ? "" : String(filter.value)}
      shown={filter.value === undefined ? t.unfilled : filter.value === true ? t.yes : t.no}
      choices={[
        { id: "true", name: t.yes },
        { id: "false", name: t.no },
      ]}
      onChange={(id) => onChange({ ...filter, value: id === "true" })}
    />
  );
}

export function StatusField({ filter, words: { t }, onChange }: ValueProps) {
  const value = filter.value === "PENDING" ? "PENDING" : "ACTIVE";
  return (
    <Picker
      label={t.value}
      value={value}
      shown={t.statuses[value]}
      choices={(["ACTIVE", "PENDING"] as const).map((id) => ({ id, name: t.statuses[id] }))}
      onChange={(id) => onChange({ ...filter, value: id })}
    />
  );
}

/** A person's choice for a topic: in, out, or no choice. */
export function ChoiceField({ filter, words: { t }, onChange }: ValueProps) {
  const value = CHOICES.find((choice) => choice === filter.value) ?? "unsaid";
  return (
    <Picker
      label={t.value}
      value={value}
      shown={t.choices[value]}
      choices={CHOICES.map((id) => ({ id, name: t.choices[id] }))}
      onChange={(id) => onChange({ ...filter, value: id })}
    />
  );
}

/** Timestamps written through the API stay text. */
export function DayField(props: ValueProps) {
  const { filter, words, invalid, onChange } = props;
  if (filter.value !== undefined && !isDay(filter.value)) return <TextValueField {...props} />;
  return (
    <input
      className="input day"
      type="date"
      aria-label={words.t.value}
      aria-invalid={invalid || undefined}
      value={typeof filter.value === "string" ? filter.value : ""}
      onChange={({ currentTarget }) => onChange({ ...filter, value: currentTarget.value || undefined })}
    />
  );
}

export function TextValueField({ filter, words, invalid, onChange }: ValueProps) {
  const values = useValues(filter);
  const typed = typeof filter.value === "string" ? filter.value : "";
  return (
    <ComboBox
      className="combo"
      aria-label={words.t.value}
      defaultItems={values.map((value) => ({ id: value }))}
      // The typed value itself is no suggestion. A list that focus or the button opens still shows all values.
      defaultFilter={(value, text) => value !== text && value.toLowerCase().includes(text.toLowerCase())}
      inputValue={typed}
      onInputChange={(text) => onChange({ ...filter, value: text === "" ? undefined : text })}
      allowsCustomValue
      menuTrigger="focus"
      isInvalid={invalid}
    >
      <Input className="input" maxLength={1_000} autoComplete="off" />
      {values.length > 0 && (
        <AriaButton className="open" aria-label={words.t.suggestions}>
          <Icon name="down" />
        </AriaButton>
      )}
      <Popover className="menu pick">
        <ListBox className="entries">
          {({ id }: { readonly id: string }) => (
            <ListBoxItem id={id} className="item" textValue={id}>
              <span className="cut">{id}</span>
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </ComboBox>
  );
}
