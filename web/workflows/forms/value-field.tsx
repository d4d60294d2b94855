// A typed value: text, number or boolean. Digits are a number only if the type says so.
import { Picker } from "../../condition/picker.tsx";
import { useDisabledFields } from "../../parts/fields/form.tsx";
import { FieldRefusal } from "../../parts/refusal.tsx";
import type { StepNames } from "../describe-step.ts";

type ValueType = "text" | "number" | "flag";

type ValueFieldProps = {
  readonly label: string;
  readonly value: unknown;
  readonly words: StepNames;
  readonly fault?: string | undefined;
  readonly set: (value: unknown) => void;
};

const FIRST: Readonly<Record<ValueType, unknown>> = { text: "", number: 0, flag: true };

export function ValueField({ label, value, words: { t }, fault, set }: ValueFieldProps) {
  const disabledReason = useDisabledFields();
  const kind: ValueType = typeof value === "number" ? "number" : typeof value === "boolean" ? "flag" : "text";
  const shown = typeof value === "object" && value !== null ? JSON.stringify(value) : String(value ?? "");
  return (
    <div className="stack tight">
      <div className="value-field">
        <Picker
          label={t.form.kind}
          value={kind}
          shown={t.form.kinds[kind]}
          choices={(["text", "number", "flag"] as const).map((id) => ({ id, name: t.form.kinds[id] }))}
          onChange={(id) => set(FIRST[id as ValueType])}
        />
        {kind === "flag" ? (
          <Picker
            label={label}
            value={String(value)}
            shown={value === true ? t.form.yes : t.form.no}
            choices={[
              { id: "true", name: t.form.yes },
              { id: "false", name: t.form.no },
            ]}
            onChange={(id) => set(id === "true")}
          />
        ) : (
          <input
            className="input"
            type={kind === "number" ? "number" : "text"}
            step="any"
            aria-label={label}
            aria-invalid={fault !== undefined || undefined}
            disabled={disabledReason !== undefined}
            value={shown}
            onChange={({ currentTarget }) => set(kind === "number" ? Number(currentTarget.value) : currentTarget.value)}
          />
        )}
      </div>
      {fault && (
        <span className="fault">
          <FieldRefusal fault={{ field: "value", message: fault }} />
        </span>
      )}
    </div>
  );
}
