// The settings of one section as a form. What is left empty has its default.
import { useTexts } from "../../language.ts";
import { Field, Form, FormActions, TextField } from "../../parts/form.tsx";
import { Select } from "../../parts/select.tsx";
import { showToast } from "../../parts/toast.tsx";
import { configurationTexts } from "../../texts/areas.ts";
import { useSeen } from "../../saving/saved-over.ts";
import { useChangeSettings, type ServerSettings } from "./configuration-calls.ts";
import { nameIn, SettingRow, unitOf } from "./configuration-row.tsx";
import { isOpen, shownText, typedText, valueOf, type ServerSetting } from "./setting-text.ts";

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
  const open = settings.filter(isOpen);
  const send = (typed: Readonly<Record<string, string>>) => {
    const changed = open.filter((one) => (typed[fieldOf(one)] ?? "") !== typedText(one));
    if (changed.length === 0) return close();
    saving.mutate(Object.fromEntries(changed.map((one) => [one.key, valueIn(one, typed)])));
  };
  return (
    <Form fault={saving.error} onSubmit={send} className="stack l pad setting-form">
      <p className="row-text">{t.empty}</p>
      {settings.map((one) =>
        isOpen(one) ? <SettingField key={one.key} setting={one} /> : <SettingRow key={one.key} setting={one} />,
      )}
      <FormActions submit={t.save} busy={saving.isPending} close={close} />
    </Form>
  );
}

const fieldOf = ({ key }: ServerSetting) => `values.${key}`;
/** Of a secret: an empty field leaves it as it is. */
const REMOVED = "-";

function valueIn(setting: ServerSetting, typed: Readonly<Record<string, string>>) {
  const text = typed[fieldOf(setting)] ?? "";
  return valueOf(setting, setting.isSecret && text.trim() === REMOVED ? "" : text);
}

function SettingField({ setting }: { readonly setting: ServerSetting }) {
  const t = useTexts(configurationTexts);
  const { form, isSecret, source, fallback } = setting;
  const shown = shownText({ ...setting, isSecret: false }, fallback);
  const unit = unitOf(t, setting);
  const common = {
    name: fieldOf(setting),
    label: nameIn(setting.key),
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
  if (form === "FLAG" || form === "CHOICE") return <Choice setting={setting} name={common.name} help={common.help} />;
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

type ChoiceProps = { readonly setting: ServerSetting; readonly name: string; readonly help: string | undefined };

function Choice({ setting, name, help }: ChoiceProps) {
  const t = useTexts(configurationTexts);
  const { form, choices, fallback } = setting;
  const word = (id: string) => (form === "FLAG" ? (id === "true" ? t.on : t.off) : id);
  const ids = form === "FLAG" ? ["true", "false"] : choices;
  const first = { id: "", name: fallback === null ? t.unset : t.byDefault(word(String(fallback))) };
  return (
    <Select
      name={name}
      label={nameIn(setting.key)}
      options={[first, ...ids.map((id) => ({ id, name: word(id) }))]}
      first={typedText(setting)}
      {...(help === undefined ? {} : { help })}
    />
  );
}
