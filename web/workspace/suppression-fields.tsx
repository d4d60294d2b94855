// The rules that suppress addresses, as fields of the workspace settings.
import type { ChangeEvent } from "react";
import { useTexts } from "../base/language.ts";
import { Field } from "../parts/fields/form.tsx";
import { SegmentedField } from "../parts/fields/segmented-field.tsx";
import { Section } from "../parts/section.tsx";
import { workspaceTexts } from "../texts/areas.ts";
import type { WorkspaceFieldsProps } from "./fields.tsx";
import type { Settings } from "./calls.ts";

const COMPLAINTS = ["marketing", "all"] as const;

/** The rules that suppress addresses automatically. */
export function Suppressions({ draft, disabledReason }: WorkspaceFieldsProps) {
  const t = useTexts(workspaceTexts).suppressions;
  const { suppressions } = draft.shown;
  const isDisabled = disabledReason !== undefined;
  const set = (change: Partial<Settings["suppressions"]>) =>
    draft.set({ suppressions: { ...suppressions, ...change } });
  const numberField = (name: "softBounces" | "softBounceDays", most: number) => ({
    name,
    type: "number",
    min: 0,
    max: most,
    required: true,
    // An emptied number field has NaN.
    value: Number.isNaN(suppressions[name]) ? "" : suppressions[name],
    onChange: ({ target }: ChangeEvent<HTMLInputElement>) => set({ [name]: target.valueAsNumber }),
    readOnly: isDisabled,
  });
  return (
    <Section title={t.title} text={t.text}>
      <SegmentedField
        label={t.complaints}
        choices={COMPLAINTS.map((value) => ({ value, content: t.scopes[value] }))}
        value={suppressions.complaints}
        onChange={(complaints) => isDisabled || set({ complaints })}
      />
      <div className="pair">
        <Field {...numberField("softBounces", 50)} label={t.softBounces} help={t.softBouncesHelp} />
        <Field {...numberField("softBounceDays", 90)} label={t.softBounceDays} help={t.softBounceDaysHelp} />
      </div>
    </Section>
  );
}
