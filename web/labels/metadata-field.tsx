// Metadata: rows of keys and values.
import { useTexts } from "../base/language.ts";
import { FieldNote, useDisabledFields, useFieldFault } from "../parts/fields/form.tsx";
import { labelsTexts } from "../texts/areas.ts";
import { faultIn, type Metadata } from "./labels.ts";
import { Rows } from "./name-values.tsx";

type MetadataFieldProps = {
  readonly value: Metadata;
  /** `merge`: identifies the changed input, so that its changes are undone together. */
  readonly onChange: (metadata: Metadata, merge: string) => void;
  readonly note?: string;
  readonly help?: string;
};

export function MetadataField({ value, onChange, note, help }: MetadataFieldProps) {
  const t = useTexts(labelsTexts);
  const disabledReason = useDisabledFields();
  const own = faultIn(value);
  const message = useFieldFault("metadata", own ? t.metadataFaults[own.what](own.key) : undefined);
  return (
    <Rows<string>
      label={t.metadata}
      {...(note === undefined ? {} : { note })}
      nameLabel={t.key}
      add={t.addKey}
      remove={t.withoutKey}
      first=""
      value={value}
      set={(next, merge) => onChange({ ...next }, merge)}
      field={(row, set) => (
        <input
          className="input"
          aria-label={t.valueOf(row.name)}
          placeholder={t.value}
          disabled={disabledReason !== undefined}
          value={row.value}
          onChange={({ currentTarget }) => set(currentTarget.value)}
        />
      )}
      below={<FieldNote id="metadata" message={message} help={disabledReason ?? help} />}
    />
  );
}
