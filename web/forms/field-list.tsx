// The fields of a form: each with its label, its type and options, and the data key that its value is saved under.
import { useRef } from "react";
import { useTexts } from "../base/language.ts";
import { Button } from "../parts/button.tsx";
import { Checkbox } from "../parts/fields/checkbox.tsx";
import { Field, TextField, useDisabledFields, useFieldFault, FieldNote } from "../parts/fields/form.tsx";
import { Select } from "../parts/fields/select.tsx";
import { formsTexts } from "../texts/areas.ts";
import { keyFrom, newField, type DraftField, type FormEditor } from "./draft.ts";
import { linesOf, optionsFrom } from "./options.ts";

export const TYPES = ["text", "choice", "checkbox", "number", "date", "hidden"] as const;
const MOST = 30;

export function FieldList(editing: FormEditor) {
  const t = useTexts(formsTexts);
  const { draft, set } = editing;
  const list = useRef<HTMLOListElement>(null);
  const disabledReason = useDisabledFields() ?? (draft.fields.length >= MOST ? t.mostFields(MOST) : undefined);
  const add = () => {
    set({ fields: [...draft.fields, newField()] });
    setTimeout(() => list.current?.querySelector<HTMLInputElement>("li:last-child input")?.focus());
  };
  return (
    <>
      <ol className="form-fields" ref={list}>
        {draft.fields.map((field, index) => (
          <li key={field.id}>
            <OneField {...editing} field={field} index={index} />
          </li>
        ))}
      </ol>
      <div>
        <Button icon="plus" disabledReason={disabledReason} onClick={add}>
          {t.addField}
        </Button>
      </div>
    </>
  );
}

type OneFieldProps = FormEditor & { readonly field: DraftField; readonly index: number };

function OneField({ draft, set, language, field, index }: OneFieldProps) {
  const t = useTexts(formsTexts);
  const disabledReason = useDisabledFields();
  const { fields } = draft;
  const label = field.label[language] ?? "";
  const change = (changes: Partial<DraftField>) =>
    set({ fields: fields.map((one) => (one.id === field.id ? { ...one, ...changes } : one)) });
  const say = (words: string) => {
    // The key follows the label until it is edited.
    const follows = field.name === keyFrom(label);
    change({ label: { ...field.label, [language]: words }, ...(follows ? { name: keyFrom(words) } : {}) });
  };
  const move = (by: number) => {
    const moved = fields.filter((one) => one !== field);
    set({ fields: [...moved.slice(0, index + by), field, ...moved.slice(index + by)] });
  };
  const named = label || field.name || t.newField;
  return (
    <fieldset className="form-field" aria-label={named}>
      <div className="form-field-row">
        <Field
          name={`fields.${index}.label`}
          label={t.label}
          lang={language}
          maxLength={200}
          value={label}
          onChange={({ target }) => say(target.value)}
        />
        <Select
          name={`fields.${index}.type`}
          label={t.type}
          options={TYPES.map((id) => ({ id, name: t.types[id] }))}
          value={field.type}
          onChange={(type) => change({ type: type as DraftField["type"] })}
        />
        <Field
          name={`fields.${index}.name`}
          label={t.dataKey}
          spellCheck={false}
          autoComplete="off"
          maxLength={64}
          value={field.name}
          onChange={({ target }) => change({ name: target.value })}
        />
      </div>
      <Details field={field} index={index} language={language} change={change} />
      <div className="inline">
        {field.type !== "hidden" && (
          <Checkbox
            checked={field.required}
            disabled={disabledReason !== undefined}
            onChange={({ target }) => change({ required: target.checked })}
          >
            {t.required}
          </Checkbox>
        )}
        <span className="push inline">
          <Button
            small
            kind="quiet"
            icon="moveUp"
            label={t.moveUp(named)}
            disabledReason={disabledReason ?? (index === 0 ? t.isFirst : undefined)}
            onClick={() => move(-1)}
          />
          <Button
            small
            kind="quiet"
            icon="moveDown"
            label={t.moveDown(named)}
            disabledReason={disabledReason ?? (index === fields.length - 1 ? t.isLast : undefined)}
            onClick={() => move(1)}
          />
          <Button
            small
            kind="quiet"
            icon="trash"
            label={t.removeField(named)}
            disabledReason={disabledReason}
            onClick={() => set({ fields: fields.filter((one) => one !== field) })}
          />
        </span>
      </div>
    </fieldset>
  );
}

type DetailsProps = Pick<OneFieldProps, "field" | "index" | "language"> & {
  readonly change: (changes: Partial<DraftField>) => void;
};

/** The settings of a field by its type. */
function Details({ field, index, language, change }: DetailsProps) {
  const t = useTexts(formsTexts);
  const path = `fields.${index}`;
  const fault = useFieldFault(`${path}.min`, undefined);
  if (field.type === "choice")
    return (
      <TextField
        name={`${path}.options`}
        label={t.options}
        help={t.optionsHelp}
        lang={language}
        rows={3}
        value={linesOf(field.options, language)}
        onChange={({ target }) => change({ options: optionsFrom(target.value, field.options, language) })}
      />
    );
  if (field.type === "number")
    return (
      <>
        <div className="form-field-row">
          {(["min", "max"] as const).map((name) => (
            <Field
              key={name}
              name={name}
              label={t[name]}
              type="number"
              step="any"
              value={field[name] ?? ""}
              onChange={({ target }) => change({ [name]: target.value === "" ? null : Number(target.value) })}
            />
          ))}
        </div>
        <FieldNote id={path} message={fault} help={undefined} />
      </>
    );
  if (field.type === "hidden")
    return (
      <Field
        name={`${path}.value`}
        label={t.value}
        help={t.valueHelp(field.name || "source")}
        maxLength={500}
        value={field.value ?? ""}
        onChange={({ target }) => change({ value: target.value || null })}
      />
    );
  return null;
}
