// The fields of the workspace settings.
import { useId } from "react";
import { Link } from "@tanstack/react-router";
import { useTexts } from "../base/language.ts";
import { CopyButton } from "../parts/copy.tsx";
import { Field, TextField } from "../parts/fields/form.tsx";
import { SegmentedField } from "../parts/fields/segmented-field.tsx";
import { Section } from "../parts/section.tsx";
import { Select } from "../parts/fields/select.tsx";
import { Checkbox } from "../parts/fields/checkbox.tsx";
import { useDisabledReason } from "../calls/session.ts";
import { useSenderHelp } from "../settings/sender-choice.tsx";
import { workspaceTexts } from "../texts/areas.ts";
import { allZones, ownZone } from "../base/zones.ts";
import { NamesField } from "./names-field.tsx";
import { useRecipientLanguages } from "../parts/fields/recipient-languages.ts";
import type { RecipientLanguage } from "../calls/workspace.ts";
import type { Settings } from "./calls.ts";
import type { SettingsDraft } from "./draft.ts";

export type WorkspaceFieldsProps = { readonly draft: SettingsDraft; readonly disabledReason: string | undefined };

export function General({ id, draft, disabledReason }: WorkspaceFieldsProps & { readonly id: string }) {
  const t = useTexts(workspaceTexts);
  const languages = useRecipientLanguages();
  return (
    <Section title={t.general.title} text={disabledReason ?? t.general.text}>
      <Field
        name="name"
        label={t.name}
        maxLength={100}
        value={draft.shown.name}
        onChange={({ target }) => draft.set({ name: target.value })}
        readOnly={disabledReason !== undefined}
      />
      <Select
        name="language"
        label={t.language}
        help={t.languageHelp}
        options={languages}
        value={draft.shown.language}
        onChange={(language) => draft.set({ language: language as RecipientLanguage })}
        disabledReason={disabledReason}
      />
      <Zone draft={draft} disabledReason={disabledReason} />
      <div className="field">
        <span className="label">{t.id}</span>
        <span className="inline">
          <code className="cut">{id}</code>
          <CopyButton text={id} what={t.id} />
        </span>
        <span className="help">{t.idHelp}</span>
      </div>
    </Section>
  );
}

function Zone({ draft, disabledReason }: WorkspaceFieldsProps) {
  const t = useTexts(workspaceTexts);
  const list = useId();
  return (
    <>
      <Field
        name="timeZone"
        label={t.timeZone}
        help={t.timeZoneHelp(ownZone())}
        list={list}
        maxLength={100}
        autoComplete="off"
        spellCheck={false}
        placeholder={ownZone()}
        value={draft.shown.timeZone ?? ""}
        onChange={({ target }) => draft.set({ timeZone: target.value })}
        readOnly={disabledReason !== undefined}
      />
      <datalist id={list}>
        {allZones().map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
    </>
  );
}

const TRACKINGS = ["ENABLED", "MARKETING_ONLY", "DISABLED"] as const;

export function Marketing(fields: WorkspaceFieldsProps) {
  const t = useTexts(workspaceTexts);
  const { shown, set } = fields.draft;
  const isDisabled = fields.disabledReason !== undefined;
  const mayNotSend = useDisabledReason("campaigns.send") !== undefined;
  return (
    <Section title={t.marketing.title} text={t.marketing.text}>
      <TextField
        name="postalAddress"
        label={t.postalAddress}
        help={t.postalAddressHelp}
        rows={3}
        maxLength={500}
        value={shown.postalAddress ?? ""}
        onChange={({ target }) => set({ postalAddress: target.value })}
        readOnly={mayNotSend}
      />
      <SegmentedField
        label={t.tracking}
        choices={TRACKINGS.map((value) => ({ value, content: t.trackings[value] }))}
        value={shown.tracking}
        onChange={(tracking) => isDisabled || set({ tracking })}
        help={t.trackingMeans[shown.tracking]}
      />
      <Choice
        isOn={shown.doubleOptIn}
        onChange={(doubleOptIn) => set({ doubleOptIn })}
        isDisabled={isDisabled}
        text={t.doubleOptIn}
        help={t.doubleOptInHelp}
      />
      <div className="pair">
        <OptionalField {...fields} field="fromName" note={t.fromName} help={t.fromNameHelp} />
        <OptionalField {...fields} field="fromAddress" note={t.fromAddress} help={t.fromAddressHelp} />
      </div>
      <p className="row-text">
        <Link to="/settings/pages">{t.seePages}</Link>
      </p>
    </Section>
  );
}

type OptionalFieldProps = WorkspaceFieldsProps & {
  readonly field: "fromName" | "fromAddress";
  readonly note: string;
  readonly help: string;
};

/** An empty field is null. */
function OptionalField({ field, note, help, draft, disabledReason }: OptionalFieldProps) {
  const t = useTexts(workspaceTexts);
  const shown = draft.shown[field] ?? "";
  return (
    <Field
      name={field}
      label={t.confirmationsFrom}
      note={note}
      help={useSenderHelp(field === "fromAddress" ? shown : "", help)}
      type={field === "fromAddress" ? "email" : "text"}
      maxLength={field === "fromAddress" ? 320 : 100}
      value={shown}
      onChange={({ target }) => draft.set({ [field]: target.value } as Partial<Settings>)}
      readOnly={disabledReason !== undefined}
    />
  );
}

export function SendData({ draft, disabledReason }: WorkspaceFieldsProps) {
  const t = useTexts(workspaceTexts);
  return (
    <Section title={t.sendData.title} text={t.sendData.text}>
      <Choice
        isOn={draft.shown.sendData === "stored"}
        onChange={(isOn) => draft.set({ sendData: isOn ? "stored" : "mail" })}
        isDisabled={disabledReason !== undefined}
        text={t.sendData.stored}
        help={t.sendData.storedHelp}
      />
    </Section>
  );
}

/** The data keys that the search for contacts includes. */
export function SearchFields({ draft, disabledReason }: WorkspaceFieldsProps) {
  const t = useTexts(workspaceTexts);
  return (
    <Section title={t.search.title} text={t.search.text}>
      <NamesField
        name="searchFields"
        names={draft.shown.searchFields.map((field) => field.replace(/^data\./, ""))}
        onChange={(keys) =>
          draft.set({ searchFields: (keys ?? []).map((key) => `data.${key.replace(/^data\./, "")}`) })
        }
        texts={{ label: t.search.fields, help: t.search.fieldsHelp, placeholder: t.search.none }}
        disabledReason={disabledReason}
      />
    </Section>
  );
}

export function PublicKeys({ draft, disabledReason }: WorkspaceFieldsProps) {
  const t = useTexts(workspaceTexts);
  const { publicKeys } = draft.shown;
  const set = (change: Partial<Settings["publicKeys"]>) => draft.set({ publicKeys: { ...publicKeys, ...change } });
  return (
    <Section title={t.publicKeys.title} text={t.publicKeys.text}>
      <Choice
        isOn={publicKeys.update}
        onChange={(update) => set({ update })}
        isDisabled={disabledReason !== undefined}
        text={t.publicKeys.update}
        help={t.publicKeys.updateHelp}
      />
      <Choice
        isOn={publicKeys.unsubscribe}
        onChange={(unsubscribe) => set({ unsubscribe })}
        isDisabled={disabledReason !== undefined}
        text={t.publicKeys.unsubscribe}
        help={t.publicKeys.unsubscribeHelp}
      />
      <NamesField
        name="events"
        names={publicKeys.events}
        onChange={(events) => set({ events: events && [...events] })}
        texts={{
          label: t.publicKeys.events,
          help: t.publicKeys.eventsHelp,
          placeholder: publicKeys.events?.length === 0 ? t.publicKeys.noEvent : t.publicKeys.anyEvent,
        }}
        disabledReason={disabledReason}
      />
    </Section>
  );
}

type ChoiceProps = {
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
  readonly isDisabled: boolean;
  readonly text: string;
  readonly help: string;
};

function Choice({ isOn, onChange, isDisabled, text, help }: ChoiceProps) {
  return (
    <Checkbox checked={isOn} disabled={isDisabled} onChange={({ target }) => onChange(target.checked)}>
      {text}
      <span className="help under">{help}</span>
    </Checkbox>
  );
}
