// A new password; who has changed it is out everywhere else.
import { useTexts } from "../language.ts";
import { Button } from "../parts/button.tsx";
import { Field, Form } from "../parts/form.tsx";
import { Section } from "../parts/section.tsx";
import { Checkbox } from "../parts/checkbox.tsx";
import { showToast } from "../parts/toast.tsx";
import { useMe } from "../session.ts";
import { meTexts } from "../texts/areas.ts";
import { useNewPassword, usePasskeys } from "./data.ts";

export function Password() {
  const t = useTexts(meTexts);
  const { email, hasPassword } = useMe();
  const change = useNewPassword(() => showToast(t.password.changed));
  const passkeys = usePasskeys();
  const set = ({ password = "", endPasskeys }: Record<string, string>, form: HTMLFormElement) =>
    change.mutate({ password, keepPasskeys: endPasskeys === undefined }, { onSuccess: () => form.reset() });
  return (
    <Form className="" fault={change.error} onSubmit={set}>
      <Section title={t.password.title} text={hasPassword ? t.password.text : t.password.none}>
        {/* So that the browser's own keeper of passwords knows whose it is. */}
        <input
          className="hidden-text"
          tabIndex={-1}
          aria-hidden="true"
          autoComplete="username"
          value={email}
          readOnly
        />
        <Field
          name="password"
          type="password"
          label={t.password.new}
          autoComplete="new-password"
          help={t.password.help}
        />
        {passkeys.length > 0 && (
          <Checkbox name="endPasskeys" defaultChecked>
            {t.password.endPasskeys(passkeys.map(({ name }) => name).join(", "))}
          </Checkbox>
        )}
        <div>
          <Button type="submit" busy={change.isPending}>
            {hasPassword ? t.password.change : t.password.set}
          </Button>
        </div>
      </Section>
    </Form>
  );
}
