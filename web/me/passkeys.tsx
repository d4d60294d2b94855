// Adds and removes passkeys, or says why they are not available.
import { useTexts } from "../base/language.ts";
import { Banner } from "../parts/banner.tsx";
import { Fault } from "../calls/api.ts";
import { Button, DisabledReason } from "../parts/button.tsx";
import { Field, Form } from "../parts/fields/form.tsx";
import { Icon } from "../parts/icons/icon.tsx";
import { Section } from "../parts/section.tsx";
import { Switch } from "../parts/fields/checkbox.tsx";
import { Time } from "../parts/time.tsx";
import { showToast } from "../parts/overlays/toast.tsx";
import { hasPasskeys } from "../calls/passkeys.ts";
import { useMe } from "../calls/session.ts";
import { meTexts } from "../texts/areas.ts";
import {
  useAddPasskey,
  usePasskeyOffer,
  usePasskeys,
  useRemovePasskey,
  useRequirePasskey,
  type Passkey,
} from "./data.ts";
import "./me.css";

export function Passkeys() {
  const t = useTexts(meTexts);
  const passkeys = usePasskeys();
  const why = useUnavailableReason();
  return (
    <Section title={t.passkeys.title} text={t.passkeys.text}>
      {passkeys.length > 0 && (
        <ul className="rows own">
          {passkeys.map((passkey) => (
            <PasskeyRow key={passkey.id} passkey={passkey} />
          ))}
        </ul>
      )}
      {why === undefined ? <NewPasskey /> : <DisabledReason>{why}</DisabledReason>}
      {passkeys.length > 0 && <RequirePasskey />}
    </Section>
  );
}

/** Undefined = passkeys can be made. */
function useUnavailableReason(): string | undefined {
  const t = useTexts(meTexts);
  const { offered, reason } = usePasskeyOffer();
  if (!offered) return reason ?? t.passkeys.notHere;
  return hasPasskeys() ? undefined : t.passkeys.notInBrowser;
}

function PasskeyRow({ passkey }: { readonly passkey: Passkey }) {
  const t = useTexts(meTexts);
  const { name, usedAt, createdAt } = passkey;
  const removal = useRemovePasskey(() => showToast(t.passkeys.removed(name)));
  return (
    <li className="line">
      <Icon name="finger" />
      <span>
        <b className="cut">{name}</b>
        <span className="dim small">
          {t.passkeys.made} <Time at={createdAt} />, {usedAt === null ? t.passkeys.neverUsed : t.passkeys.used}{" "}
          {usedAt !== null && <Time at={usedAt} />}
        </span>
      </span>
      <Button
        kind="quiet"
        small
        icon="trash"
        label={t.passkeys.remove(name)}
        busy={removal.isPending}
        onClick={() => removal.mutate(passkey)}
      />
    </li>
  );
}

function NewPasskey() {
  const t = useTexts(meTexts);
  const adding = useAddPasskey(() => showToast(t.passkeys.added));
  const isOfBrowser = adding.error !== null && !(adding.error instanceof Fault);
  const add = ({ passkeyName = "" }, form: HTMLFormElement) =>
    adding.mutate(passkeyName.trim() || t.passkeys.usualName, { onSuccess: () => form.reset() });
  return (
    <Form className="stack" fault={isOfBrowser ? null : adding.error} onSubmit={add}>
      {isOfBrowser && (
        <Banner tone="warn" role="alert">
          {t.passkeys.notMade}
        </Banner>
      )}
      <Field
        name="passkeyName"
        label={t.passkeys.name}
        placeholder={t.passkeys.usualName}
        help={t.passkeys.nameHelp}
        maxLength={100}
        autoComplete="off"
      />
      <div>
        <Button type="submit" icon="finger" busy={adding.isPending}>
          {t.passkeys.add}
        </Button>
      </div>
    </Form>
  );
}

function RequirePasskey() {
  const t = useTexts(meTexts);
  const { passkeyRequired, hasPassword } = useMe();
  const required = useRequirePasskey();
  const disabledReason = hasPassword ? undefined : t.passkeys.onlyWay;
  return (
    <div className="inline l switched">
      <Switch
        label={t.passkeys.required}
        isOn={passkeyRequired}
        disabledReason={disabledReason}
        onChange={(isOn) => required.mutate(isOn)}
      />
      <span>
        <span className="row-text">{t.passkeys.required}</span>
        <span className="help">{disabledReason ?? t.passkeys.requiredHelp}</span>
      </span>
    </div>
  );
}
