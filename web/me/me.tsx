// The account page: profile, appearance, sign-in methods, sessions.
import { useId } from "react";
import { Bar } from "../parts/bar.tsx";
import { useTexts } from "../base/language.ts";
import { Sections, Section } from "../parts/section.tsx";
import { frameTexts, meTexts } from "../texts/areas.ts";
import { Appearance } from "./appearance.tsx";
import { Totp } from "./totp.tsx";
import { Identities } from "./identities.tsx";
import { Passkeys } from "./passkeys.tsx";
import { Sessions } from "./sessions.tsx";
import { Button } from "../parts/button.tsx";
import { Field, Form } from "../parts/fields/form.tsx";
import { showToast } from "../parts/overlays/toast.tsx";
import { useMe } from "../calls/session.ts";
import { useProfile, useChangePassword, usePasskeys } from "./data.ts";
import { Checkbox } from "../parts/fields/checkbox.tsx";

export function MeScreen() {
  const { me } = useTexts(frameTexts);
  const t = useTexts(meTexts);
  const { hasPassword } = useMe();
  const form = useId();
  const saving = useProfile(() => showToast(t.profile.saved));
  return (
    <>
      <Bar
        title={me}
        call={{ path: "/me", person: true }}
        actions={
          <Button kind="first" type="submit" form={form} busy={saving.isPending}>
            {t.profile.save}
          </Button>
        }
      />
      <div className="page narrow">
        <Sections>
          <Profile id={form} saving={saving} />
          <Appearance />
          <Password />
          <Passkeys />
          {hasPassword && <Totp />}
          <Identities />
          <Sessions />
        </Sections>
      </div>
    </>
  );
}

type ProfileProps = { readonly id: string; readonly saving: ReturnType<typeof useProfile> };

function Profile({ id, saving }: ProfileProps) {
  const t = useTexts(meTexts);
  const { name, email } = useMe();
  return (
    <Form
      id={id}
      className=""
      fault={saving.error}
      onSubmit={(values) => saving.mutate({ name: values["name"] ?? "" })}
    >
      <Section title={t.profile.title} text={t.profile.text}>
        <Field name="name" label={t.profile.name} autoComplete="name" maxLength={100} defaultValue={name} />
        <Field name="email" label={t.profile.email} value={email} readOnly help={t.profile.emailHelp} />
      </Section>
    </Form>
  );
}

/** Changing the password ends all other sessions. */
function Password() {
  const t = useTexts(meTexts);
  const { email, hasPassword } = useMe();
  const change = useChangePassword(() => showToast(t.password.changed));
  const passkeys = usePasskeys();
  const set = ({ password = "", endPasskeys }: Record<string, string>, form: HTMLFormElement) =>
    change.mutate({ password, keepPasskeys: endPasskeys === undefined }, { onSuccess: () => form.reset() });
  return (
    <Form className="" fault={change.error} onSubmit={set}>
      <Section title={t.password.title} text={hasPassword ? t.password.text : t.password.none}>
        {/* Tells password managers the account of the new password. */}
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
