// A select for forms. For two or three options use SegmentedControl.
import { useId } from "react";
import { Button as AriaButton } from "react-aria-components/Button";
import { Label as AriaLabel } from "react-aria-components/Label";
import { ListBox, ListBoxItem } from "react-aria-components/ListBox";
import { Select as AriaSelect, SelectValue } from "react-aria-components/Select";
import { FieldNote, useDisabledFields, useFieldFault } from "./form.tsx";
import { Popover } from "../overlays/popover.ts";
import { Icon } from "../icons/icon.tsx";

export type Option = { readonly id: string; readonly name: string; readonly note?: string };

type SelectProps = {
  readonly name: string;
  readonly label: string;
  readonly options: readonly Option[];
  readonly first?: string;
  /** Instead of `first`, for a controlled select. */
  readonly value?: string;
  readonly help?: string;
  /** Replaces the error from the server. */
  readonly fault?: string | undefined;
  readonly disabledReason?: string | undefined;
  readonly onChange?: (id: string) => void;
};

export function Select({
  name,
  label,
  options,
  first,
  value,
  help,
  fault,
  disabledReason: own,
  onChange,
}: SelectProps) {
  const id = useId();
  const fields = useDisabledFields();
  const disabledReason = own ?? fields;
  const message = useFieldFault(name, fault);
  return (
    <AriaSelect
      className="field"
      name={name}
      isDisabled={disabledReason !== undefined}
      isInvalid={message !== undefined}
      {...(first === undefined ? {} : { defaultValue: first })}
      {...(value === undefined ? {} : { value })}
      onChange={(chosen) => chosen !== null && onChange?.(String(chosen))}
    >
      <AriaLabel className="label">{label}</AriaLabel>
      <AriaButton className="select" aria-describedby={`${id}-below`}>
        <SelectValue>{({ selectedText }) => selectedText}</SelectValue>
        <Icon name="down" />
      </AriaButton>
      <FieldNote id={id} message={message} help={disabledReason ?? help} />
      <Popover className="menu">
        <ListBox className="entries" items={options}>
          {(option) => (
            <ListBoxItem className="item" id={option.id} textValue={option.name}>
              <span>{option.name}</span>
              {option.note && <span className="dim small">{option.note}</span>}
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </AriaSelect>
  );
}
