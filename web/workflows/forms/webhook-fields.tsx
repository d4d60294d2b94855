// WEBHOOK: URL, request, and the behaviour after a failure.
import { useState } from "react";
import { Field, TextField, useDisabledFields } from "../../parts/fields/form.tsx";
import { SegmentedField } from "../../parts/fields/segmented-field.tsx";
import { Select } from "../../parts/fields/select.tsx";
import { Rows } from "../../labels/name-values.tsx";
import type { StepFieldsProps } from "./fields-props.ts";

const METHODS = ["POST", "PUT", "PATCH", "GET", "DELETE"];

export function WebhookFields({ step, words: { t }, set, faultOf }: StepFieldsProps) {
  const { config } = step;
  const disabledReason = useDisabledFields();
  const {
    url,
    method = "POST",
    headers = {},
    onFailure = "continue",
  } = config as {
    readonly url: string;
    readonly method?: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly onFailure?: "continue" | "stop";
  };
  return (
    <>
      <Field
        name="url"
        label={t.form.url}
        type="url"
        placeholder="https://"
        value={url}
        fault={faultOf("url")}
        onChange={({ currentTarget }) => set({ ...config, url: currentTarget.value }, "url")}
      />
      <Select
        name="method"
        label={t.form.method}
        value={method}
        options={METHODS.map((id) => ({ id, name: id }))}
        onChange={(id) => set({ ...config, method: id })}
      />
      <Rows<string>
        key={step.ref}
        label={t.form.headers}
        nameLabel={t.form.header}
        add={t.form.addHeader}
        remove={t.form.removeHeader}
        first=""
        value={headers}
        set={(next, merge) => set({ ...config, headers: next }, `header ${merge}`)}
        field={({ name, value }, change) => (
          <div className="stack tight">
            <input
              className="input"
              aria-label={t.form.value}
              aria-invalid={faultOf(`headers.${name}`) !== undefined || undefined}
              disabled={disabledReason !== undefined}
              value={value}
              onChange={({ currentTarget }) => change(currentTarget.value)}
            />
            {faultOf(`headers.${name}`) && <span className="fault">{faultOf(`headers.${name}`)}</span>}
          </div>
        )}
      />
      {faultOf("headers") && <span className="fault">{faultOf("headers")}</span>}
      <Body key={`body ${step.ref}`} config={config} set={set} t={t} fault={faultOf("body") ?? faultOf("body.*")} />
      <SegmentedField
        label={t.form.onFailure}
        value={onFailure}
        onChange={(next) => set({ ...config, onFailure: next })}
        choices={(["continue", "stop"] as const).map((value) => ({ value, content: t.form.onFailures[value] }))}
      />
    </>
  );
}

type BodyProps = Pick<StepFieldsProps, "set"> & {
  readonly config: StepFieldsProps["step"]["config"];
  readonly t: StepFieldsProps["words"]["t"];
  readonly fault: string | undefined;
};

/** Invalid JSON stays in the field, but not in the drawing. */
function Body({ config, set, t, fault }: BodyProps) {
  const { body, ...rest } = config;
  const written = body === undefined ? "" : JSON.stringify(body, null, 2);
  const [typed, setTyped] = useState(written);
  const read = readJson(typed);
  const shown = read !== BROKEN && JSON.stringify(read) !== JSON.stringify(body) ? written : typed;
  return (
    <TextField
      name="body"
      label={t.form.body}
      help={t.form.bodyHelp}
      rows={5}
      className="input code-text"
      value={shown}
      fault={readJson(shown) === BROKEN ? t.form.bodyFault : fault}
      onChange={({ currentTarget: { value } }) => {
        setTyped(value);
        const next = readJson(value);
        if (next !== BROKEN) set(next === undefined ? rest : { ...rest, body: next }, "body");
      }}
    />
  );
}

const BROKEN = Symbol("not JSON");

export function readJson(text: string): unknown {
  if (text.trim() === "") return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return BROKEN;
  }
}
