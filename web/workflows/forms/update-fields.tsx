// UPDATE_CONTACT: contact data and subscription.
import { SegmentedField } from "../../parts/fields/segmented-field.tsx";
import { Rows } from "../../labels/name-values.tsx";
import type { StepFieldsProps } from "./fields-props.ts";
import { ValueField } from "./value-field.tsx";

export function UpdateFields({ step, words, set, faultOf }: StepFieldsProps) {
  const { t } = words;
  const { data = {}, subscribed } = step.config as {
    readonly data?: Readonly<Record<string, unknown>>;
    readonly subscribed?: boolean;
  };
  const flag = subscribed === undefined ? "keep" : subscribed ? "yes" : "no";
  const say = (values: Readonly<Record<string, unknown>>, is: typeof flag, merge?: string) =>
    set({ data: values, ...(is === "keep" ? {} : { subscribed: is === "yes" }) }, merge);
  const fault = faultOf("data") ?? faultOf("");
  return (
    <>
      <Rows<unknown>
        key={step.ref}
        label={t.form.data}
        nameLabel={t.form.key}
        add={t.form.addKey}
        remove={t.form.removeKey}
        first=""
        value={data}
        set={(values, merge) => say(values, flag, merge)}
        field={({ name, value }, change) => (
          <ValueField
            label={t.form.value}
            value={value}
            words={words}
            fault={faultOf(`data.${name}`) ?? faultOf(`data.${name}.*`)}
            set={change}
          />
        )}
      />
      {fault ? <span className="fault">{fault}</span> : <span className="help">{t.form.dataHelp}</span>}
      <SegmentedField
        label={t.form.subscription}
        value={flag}
        onChange={(is) => say(data, is)}
        choices={(["keep", "yes", "no"] as const).map((value) => ({ value, content: t.form.subscribed[value] }))}
      />
    </>
  );
}
