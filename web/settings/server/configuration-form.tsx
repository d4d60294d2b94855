// The settings of one section as a form. An empty field means the default.
import { Fault } from "../../calls/api.ts";
import { useTexts } from "../../base/language.ts";
import { Banner } from "../../parts/banner.tsx";
import { Field, Form, FormActions, TextField } from "../../parts/fields/form.tsx";
import { FieldRefusal } from "../../parts/refusal.tsx";
import { Select } from "../../parts/fields/select.tsx";
import { showToast } from "../../parts/overlays/toast.tsx";
import { configurationTexts } from "../../texts/areas.ts";
import { useSeen } from "../../saving/saved-over.ts";
import { useChangeSettings, type ServerSettings } from "./configuration-calls.ts";
import { nameIn, SettingRow, unitOf } from "./configuration-row.tsx";
import { isOpen, shownText, typedText, valueOf, type ServerSetting, type SettingValue } from "./setting-text.ts";

type SectionFormProps = {
  readonly configuration: ServerSettings;
  readonly settings: readonly ServerSetting[];
  readonly close: () => void;
};

export function SectionForm({ configuration, settings, close }: SectionFormProps) {
  const t = useTexts(configurationTexts);
  const seen = useSeen(configuration);
  const saving = useChangeSettings(seen, (isMine) => {
    if (isMine) showToast(t.saved);
    close();
  });
  const send = (typed: TypedValues) => {
    const changed = changesIn(settings, typed);
    if (Object.keys(changed).length === 0) return close();
    saving.mutate(changed);
  };
  return (
    <Form fault={saving.error} onSubmit={send} className="stack l pad setting-form">
      <p className="row-text">{t.empty}</p>
      <FaultsElsewhere fault={saving.error} settings={settings} />
      {settings.map((one) =>
        isOpen(one) ? <SettingField key={one.key} setting={one} /> : <SettingRow key={one.key} setting={one} />,
      )}
      <FormActions submit={t.save} busy={saving.isPending} close={close} />
    </Form>
  );
}

type TypedValues = Readonly<Record<string, string>>;

/** The settings whose typed value differs from the current one. */
export function changesIn(
  settings: readonly ServerSetting[],
  typed: TypedValues,
): Readonly<Record<string, SettingValue>> {
  const changed = settings.filter((one) => isOpen(one) && (typed[fieldOf(one)] ?? "") !== typedText(one));
  return Object.fromEntries(changed.map((one) => [one.key, valueIn(one, typed)]));
}

type FaultsElsewhereProps = { readonly fault: unknown; readonly settings: readonly ServerSetting[] };

/** Errors of settings without a field in this form. */
export function FaultsElsewhere({ fault, settings }: FaultsElsewhereProps) {
  const fields = settings.filter(isOpen).map(fieldOf);
  const others = fault instanceof Fault ? fault.errors.filter(({ field }) => !fields.includes(field)) : [];
  return others.map((one) => (
    <Banner key={one.field} tone="bad" role="alert">
      <FieldRefusal fault={one} />
    </Banner>
  ));
}

const fieldOf = ({ key }: ServerSetting) => `values.${key}`;
/** Typed into the field of a secret, it removes the secret; an empty field keeps it. */
const REMOVED = "-";

function valueIn(setting: ServerSetting, typed: TypedValues) {
  const text = typed[fieldOf(setting)] ?? "";
  return valueOf(setting, setting.isSecret && text.trim() === REMOVED ? "" : text);
}

type SettingFieldProps = {
  readonly setting: ServerSetting;
  /** By default its name in the file. */
  readonly label?: string;
  /** The names of its choices. */
  readonly words?: Readonly<Record<string, string>>;
};

export function SettingField({ setting, label = nameIn(setting.key), words }: SettingFieldProps) {
  const t = useTexts(configurationTexts);
  const { form, isSecret, source, fallback } = setting;
  const shown = shownText({ ...setting, isSecret: false }, fallback);
  const unit = unitOf(t, setting);
  const common = {
    name: fieldOf(setting),
    label,
    ...(unit === undefined ? {} : { note: unit }),
    help: setting.change === "CONFIRMED" ? t.risky : undefined,
  };
  if (isSecret)
    return (
      <Field
        {...common}
        type="password"
        autoComplete="new-password"
        placeholder={source === "DEFAULT" ? t.unset : t.unchanged}
        help={source === "DEFAULT" ? undefined : t.removed(REMOVED)}
      />
    );
  if (form === "FLAG" || form === "CHOICE") return <Choice {...{ setting, words }} {...common} />;
  if (form === "LIST")
    return (
      <TextField {...common} rows={3} defaultValue={typedText(setting)} placeholder={shown ?? ""} note={t.oneALine} />
    );
  return (
    <Field
      {...common}
      defaultValue={typedText(setting)}
      placeholder={shown ?? t.unset}
      {...(form === "NUMBER" ? { inputMode: "decimal" as const } : {})}
    />
  );
}

type ChoiceProps = Pick<SettingFieldProps, "setting"> & {
  readonly name: string;
  readonly label: string;
  readonly help: string | undefined;
  readonly words: SettingFieldProps["words"] | undefined;
};

function Choice({ setting, name, label, help, words }: ChoiceProps) {
  const t = useTexts(configurationTexts);
  const { form, choices, fallback } = setting;
  const word = (id: string) => (form === "FLAG" ? (id === "true" ? t.on : t.off) : (words?.[id] ?? id));
  const ids = form === "FLAG" ? ["true", "false"] : choices;
  const first = { id: "", name: fallback === null ? t.unset : t.byDefault(word(String(fallback))) };
  return (
    <Select
      name={name}
      label={label}
      options={[first, ...ids.map((id) => ({ id, name: word(id) }))]}
      first={typedText(setting)}
      {...(help === undefined ? {} : { help })}
    />
  );
}
