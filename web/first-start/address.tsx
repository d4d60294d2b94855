// The address of the server: what the browser uses and what is set. It is kept here unless the file or the environment
// sets it.
import { useTexts } from "../language.ts";
import { Banner } from "../parts/banner.tsx";
import { Button } from "../parts/button.tsx";
import { Field, Form } from "../parts/form.tsx";
import { Facts, Skeleton } from "../parts/layout.tsx";
import { useChangeSettings, type ServerSettings } from "../settings/server/configuration-calls.ts";
import { Unconfirmed } from "../settings/server/unconfirmed.tsx";
import { firstStartTexts } from "../texts/areas.ts";
import { Place } from "./place.tsx";
import { ADDRESS, useConfiguration } from "./state.ts";

/** Changing it means that a start, too, finds another value. */
const ELSEWHERE = ["FILE", "ENVIRONMENT", "COMMAND_LINE"];

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
      {ELSEWHERE.includes(source) ? (
        <p className="disabled-reason">{t.elsewhere}</p>
      ) : (
        <AddressForm key={configured} seen={configuration} address={isSet ? configured : ""} />
      )}
    </>
  );
}

/** As its faults name it. */
const FIELD = `values.${ADDRESS}`;

/** `address`: empty = it is not set. */
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
