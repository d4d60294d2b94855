// The address of the server: the browser's address beside the configured one. Owners set it here unless the file or the
// environment does.
import { useTexts } from "../base/language.ts";
import { Banner } from "../parts/banner.tsx";
import { Button } from "../parts/button.tsx";
import { Field, Form } from "../parts/fields/form.tsx";
import { Facts, Skeleton } from "../parts/layout.tsx";
import { useChangeSettings, type ServerSettings } from "../settings/server/configuration-calls.ts";
import { Place } from "../settings/server/configuration-row.tsx";
import { isOpen } from "../settings/server/setting-text.ts";
import { Unconfirmed } from "../settings/server/unconfirmed.tsx";
import { firstStartTexts } from "../texts/areas.ts";
import { ADDRESS, useConfiguration } from "./state.ts";

export function AddressStep() {
  const t = useTexts(firstStartTexts).address;
  const { data: configuration, ...asked } = useConfiguration();
  const setting = configuration?.data.find(({ key }) => key === ADDRESS);
  if (!configuration || !setting) return <Skeleton of={asked} rows={2} columns={2} />;
  const { source, value, fallback } = setting;
  const configured = String(value ?? fallback);
  const isSet = source !== "DEFAULT";
  return (
    <>
      <Facts
        facts={[
          [
            t.configured,
            <span key="configured">
              <code>{configured}</code> <Place setting={setting} />
            </span>,
          ],
          [t.browser, <code key="browser">{location.origin}</code>],
        ]}
      />
      {!isSet && <Banner tone="note">{t.unset}</Banner>}
      {isSet && configured === location.origin && <Banner tone="ok">{t.same}</Banner>}
      {isSet && configured !== location.origin && <Banner tone="warn">{t.differs}</Banner>}
      <Unconfirmed configuration={configuration} />
      {isOpen(setting) ? (
        <AddressForm key={configured} seen={configuration} address={isSet ? configured : ""} />
      ) : (
        <p className="disabled-reason">{t.elsewhere}</p>
      )}
    </>
  );
}

/** The field's name in the errors of the API. */
const FIELD = `values.${ADDRESS}`;

/** `address`: empty = not set. */
type AddressFormProps = { readonly seen: ServerSettings; readonly address: string };

function AddressForm({ seen, address }: AddressFormProps) {
  const t = useTexts(firstStartTexts).address;
  const saving = useChangeSettings(seen, () => undefined);
  return (
    <Form fault={saving.error} onSubmit={(values) => saving.mutate({ [ADDRESS]: (values[FIELD] ?? "").trim() })}>
      <Field
        name={FIELD}
        type="url"
        label={t.label}
        help={t.help}
        placeholder="https://mail.example.com"
        defaultValue={address || (location.protocol === "https:" ? location.origin : "")}
        spellCheck={false}
      />
      <div>
        <Button type="submit" busy={saving.isPending}>
          {t.save}
        </Button>
      </div>
    </Form>
  );
}
