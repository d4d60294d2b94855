// The choice of a form whose sign-ups start the workflow.
import { useMutation, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { formsQuery } from "../../forms/calls.ts";
import { eventOf } from "../../forms/starting.ts";
import { Select } from "../../parts/fields/select.tsx";
import type { StepNames } from "../describe-step.ts";

type FormChoiceProps = {
  readonly eventName: string;
  readonly words: StepNames;
  readonly set: (eventName: string) => void;
};

export function FormChoice({ eventName, words: { t }, set }: FormChoiceProps) {
  const { data: forms } = useQuery({ ...formsQuery, throwOnError: false });
  const choosing = useMutation({ mutationFn: eventOf, onSuccess: set });
  const chosen = forms?.find(({ event }) => event === eventName);
  if (!forms) return null;
  if (forms.length === 0)
    return (
      <p className="help">
        {t.form.noForms} <Link to="/forms">{t.form.toForms}</Link>
      </p>
    );
  return (
    <>
      <Select
        name="form"
        label={t.form.whichForm}
        help={t.form.whichFormHelp}
        value={chosen?.id ?? ""}
        options={[{ id: "", name: t.form.noForm }, ...forms.map(({ id, name }) => ({ id, name }))]}
        onChange={(id) => {
          const form = forms.find((one) => one.id === id);
          if (form) choosing.mutate(form);
          else if (chosen) set("contact.subscribed");
        }}
      />
      {chosen && (
        <Link className="small" to="/forms/$id" params={{ id: chosen.id }}>
          {t.form.toForm(chosen.name)}
        </Link>
      )}
    </>
  );
}
