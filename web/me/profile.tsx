// Name and address, and what one is here.
import { useTexts } from "../language.ts";
import { Button } from "../parts/button.tsx";
import { Field, Form } from "../parts/form.tsx";
import { Section } from "../parts/section.tsx";
import { showToast } from "../parts/toast.tsx";
import { useMe } from "../session.ts";
import { meTexts } from "../texts/areas.ts";
import { useProfile } from "./data.ts";

export function Profile() {
  const t = useTexts(meTexts);
  const { name, email } = useMe();
  const saving = useProfile(() => showToast(t.profile.saved));
  return (
    <Form className="" fault={saving.error} onSubmit={(values) => saving.mutate({ name: values["name"] ?? "" })}>
      <Section title={t.profile.title} text={t.profile.text}>
        <Field name="name" label={t.profile.name} autoComplete="name" maxLength={100} defaultValue={name} />
        <Field name="email" label={t.profile.email} value={email} readOnly help={t.profile.emailHelp} />
        <div>
          <Button type="submit" busy={saving.isPending}>
            {t.profile.save}
          </Button>
        </div>
      </Section>
    </Form>
  );
}
