// Rows of names and values: contact data, headers of a webhook, or metadata. A name may be empty while typing.
import { useState, type ReactNode } from "react";
import { Button } from "../parts/button.tsx";
import { useDisabledFields } from "../parts/fields/form.tsx";
import "./name-values.css";

export type NameValue<Value> = { readonly name: string; readonly value: Value };

type RowsProps<Value> = {
  readonly label: string;
  /** Beside the label, dim. */
  readonly note?: string;
  /** Below the rows. */
  readonly below?: ReactNode;
  readonly nameLabel: string;
  readonly add: string;
  readonly remove: (name: string) => string;
  readonly first: Value;
  readonly value: Readonly<Record<string, Value>>;
  readonly set: (value: Readonly<Record<string, Value>>, merge: string) => void;
  readonly field: (row: NameValue<Value>, set: (value: Value) => void) => ReactNode;
};

export function Rows<Value>({
  label,
  note,
  below,
  nameLabel,
  add,
  remove,
  first,
  value,
  set,
  field,
}: RowsProps<Value>) {
  const disabledReason = useDisabledFields();
  const [rows, setRows] = useState<readonly NameValue<Value>[]>(() => rowsOf(value));
  // A value that differs from the rows comes from outside: an undo, or another step.
  const json = JSON.stringify(objectOf(rows));
  const shown = json === JSON.stringify(value) ? rows : rowsOf(value);
  const say = (next: readonly NameValue<Value>[], merge = "") => {
    setRows(next);
    set(objectOf(next), merge);
  };
  return (
    <div className="field name-values" role="group" aria-label={label}>
      <span className="label">
        {label} {note && <span>{note}</span>}
      </span>
      {shown.map((row, at) => (
        <div className="name-value" key={at}>
          <input
            className="input"
            aria-label={`${nameLabel} ${at + 1}`}
            placeholder={nameLabel}
            disabled={disabledReason !== undefined}
            value={row.name}
            onChange={({ currentTarget: { value: name } }) =>
              say(
                shown.map((one) => (one === row ? { ...one, name } : one)),
                `name ${at}`,
              )
            }
          />
          {field(row, (next) =>
            say(
              shown.map((one) => (one === row ? { ...one, value: next } : one)),
              `value ${at}`,
            ),
          )}
          {disabledReason === undefined && (
            <Button
              kind="quiet"
              small
              icon="x"
              label={remove(row.name)}
              onClick={() => say(shown.filter((one) => one !== row))}
            />
          )}
        </div>
      ))}
      {disabledReason === undefined && (
        <Button small icon="plus" onClick={() => setRows([...shown, { name: "", value: first }])}>
          {add}
        </Button>
      )}
      {below}
    </div>
  );
}

function rowsOf<Value>(value: Readonly<Record<string, Value>>): readonly NameValue<Value>[] {
  return Object.entries(value).map(([name, one]) => ({ name, value: one }));
}

function objectOf<Value>(rows: readonly NameValue<Value>[]): Readonly<Record<string, Value>> {
  return Object.fromEntries(rows.filter(({ name }) => name !== "").map(({ name, value }) => [name, value]));
}
