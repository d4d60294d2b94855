// A secret of a way out: never shown; an empty field keeps it.
import { useTexts } from "../../base/language.ts";
import { Field } from "../../parts/fields/form.tsx";
import { waysTexts } from "../../texts/areas.ts";

type SecretProps = { readonly name: string; readonly label: string; readonly isKept: boolean };

export function Secret({ name, label, isKept }: SecretProps) {
  const t = useTexts(waysTexts).fields;
  return (
    <Field
      name={name}
      label={label}
      type="password"
      autoComplete="new-password"
      {...(isKept ? { placeholder: t.unchanged } : { note: t.optional })}
    />
  );
}
