// SEND_EMAIL: which template, and to whom.
import { Link } from "@tanstack/react-router";
import { Field } from "../../parts/form.tsx";
import { Seg } from "../../parts/seg.tsx";
import { Select } from "../../parts/select.tsx";
import { useTemplates } from "./known.ts";
import type { FieldsProps } from "./step-fields.tsx";

export function MailFields({ step, words: { t }, set, faultOf, off }: FieldsProps) {
  const templates = useTemplates();
  const { templateId, to } = step.config as { readonly templateId?: string; readonly to?: string };
  const chosen = templates.find(({ id }) => id === templateId);
  const fault = faultOf("templateId");
  return (
    <>
      <div className="stack tight">
        <Select
          name="templateId"
          label={t.form.template}
          value={templateId ?? ""}
          options={[
            ...(templateId ? [] : [{ id: "", name: t.form.chooseTemplate }]),
            ...templates.map(({ id, name, subject }) => ({ id, name, note: subject })),
          ]}
          off={off}
          onChange={(id) => set({ ...step.config, templateId: id })}
        />
        {fault && <span className="fault">{fault}</span>}
        {chosen && (
          <span className="help">
            <Link to="/templates/$id" params={{ id: chosen.id }}>
              {t.form.editTemplate}
            </Link>
          </span>
        )}
      </div>
      <div className="field">
        <span className="label">{t.form.to}</span>
        <Seg
          label={t.form.to}
          value={to === undefined ? "person" : "other"}
          onChange={(whom) => off ?? set(whom === "person" ? { templateId } : { templateId, to: "" })}
          choices={[
            { value: "person", content: t.form.toPerson },
            { value: "other", content: t.form.toOther },
          ]}
        />
      </div>
      {to !== undefined && (
        <Field
          name="to"
          label={t.form.address}
          value={to}
          fault={faultOf("to")}
          off={off}
          onChange={({ currentTarget }) => set({ ...step.config, to: currentTarget.value }, "to")}
        />
      )}
      {chosen && (
        <div className="stack tight row-text">
          <span className="label">
            {t.form.from} <span>{t.form.fromNote}</span>
          </span>
          <span className={chosen.from ? "" : "warn-ink"}>{chosen.from ?? t.form.noFrom}</span>
        </div>
      )}
    </>
  );
}
