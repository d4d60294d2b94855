// A field of names, separated by commas.
import { useState } from "react";
import { Field } from "../parts/fields/form.tsx";
import { parseNames, joinNames } from "../base/name-list.ts";

type NamesProps = {
  readonly name: string;
  readonly texts: { readonly label: string; readonly help: string; readonly placeholder: string };
  readonly names: readonly string[] | null;
  readonly onChange: (names: readonly string[] | null) => void;
  readonly disabledReason: string | undefined;
};

/** Keeps the typed text; the setting is the list of names in it. */
export function NamesField({ name, names, onChange, texts, disabledReason }: NamesProps) {
  const [text, setText] = useState(joinNames(names));
  const shown = joinNames(parseNames(text)) === joinNames(names) ? text : joinNames(names);
  return (
    <Field
      name={name}
      {...texts}
      autoComplete="off"
      spellCheck={false}
      value={shown}
      onChange={({ target }) => {
        setText(target.value);
        onChange(parseNames(target.value));
      }}
      readOnly={disabledReason !== undefined}
    />
  );
}
