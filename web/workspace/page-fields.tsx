// The preference page: the fields that people see and edit there, and whether it asks for a reason to leave.
import { useState } from "react";
import { Link } from "@tanstack/react-router";
import { useTexts } from "../base/language.ts";
import { Button } from "../parts/button.tsx";
import { Checkbox } from "../parts/fields/checkbox.tsx";
import { Field } from "../parts/fields/form.tsx";
import { Section } from "../parts/section.tsx";
import { Select } from "../parts/fields/select.tsx";
import { workspaceTexts } from "../texts/areas.ts";
import type { WorkspaceFieldsProps } from "./fields.tsx";
import { useRecipientLanguages } from "../parts/fields/recipient-languages.ts";
import type { RecipientLanguage } from "../calls/workspace.ts";
import type { Settings } from "./calls.ts";

type PageSettings = Settings["preferencePage"];
type PageField = PageSettings["data"][number];

/** The server's limit. */
const MAX_FIELDS = 20;
const PREFIX = "data.";

export function PreferencePage({ draft, disabledReason }: WorkspaceFieldsProps) {
  const t = useTexts(workspaceTexts).page;
  const { preferencePage: page } = draft.shown;
  const isDisabled = disabledReason !== undefined;
  const set = (change: Partial<PageSettings>) => draft.set({ preferencePage: { ...page, ...change } });
  return (
    <Section title={t.title} text={t.text}>
      <Checkbox
        checked={page.asksWhy}
        disabled={isDisabled}
        onChange={({ target }) => set({ asksWhy: target.checked })}
      >
        {t.asksWhy}
        <span className="help under">{t.asksWhyHelp}</span>
      </Checkbox>
      <DataFields
        shown={page.data}
        first={draft.shown.language}
        isDisabled={isDisabled}
        onChange={(data) => set({ data })}
      />
      <p className="row-text">
        <Link to="/settings/pages" search={{ page: "unsubscribe" }}>
          {t.see}
        </Link>
      </p>
    </Section>
  );
}

type DataProps = {
  readonly shown: readonly PageField[];
  /** The language whose names come first. */
  readonly first: RecipientLanguage;
  readonly isDisabled: boolean;
  readonly onChange: (data: PageField[]) => void;
};

function DataFields({ shown, first, isDisabled, onChange }: DataProps) {
  const t = useTexts(workspaceTexts).page;
  const languages = useRecipientLanguages();
  const [language, setLanguage] = useState<string>(first);
  const change = (at: number, one: PageField) => onChange(shown.map((old, index) => (index === at ? one : old)));
  return (
    <div className="stack" role="group" aria-label={t.data}>
      <div>
        <span className="label">{t.data}</span>
        <span className="help">{t.dataHelp}</span>
      </div>
      {shown.length > 0 && (
        <Select name="pageLanguage" label={t.namesIn} options={languages} value={language} onChange={setLanguage} />
      )}
      {shown.map((one, at) => (
        <DataField
          key={at}
          one={one}
          language={language}
          isDisabled={isDisabled}
          onChange={(changed) => change(at, changed)}
          remove={() => onChange(shown.filter((_, index) => index !== at))}
        />
      ))}
      {!isDisabled && shown.length < MAX_FIELDS && (
        <span>
          <Button small icon="plus" onClick={() => onChange([...shown, { field: PREFIX, label: {} }])}>
            {t.add}
          </Button>
        </span>
      )}
    </div>
  );
}

type DataFieldProps = {
  readonly one: PageField;
  readonly language: string;
  readonly isDisabled: boolean;
  readonly onChange: (one: PageField) => void;
  readonly remove: () => void;
};

function DataField({ one, language, isDisabled, onChange, remove }: DataFieldProps) {
  const t = useTexts(workspaceTexts).page;
  const key = one.field.slice(PREFIX.length);
  return (
    <div className="page-field">
      <Field
        name="pageField"
        label={t.field}
        maxLength={290}
        required
        autoComplete="off"
        spellCheck={false}
        value={key}
        onChange={({ target }) => onChange({ ...one, field: PREFIX + target.value.trim().replace(/^data\./, "") })}
        readOnly={isDisabled}
      />
      <Field
        name="pageLabel"
        label={t.name}
        maxLength={100}
        autoComplete="off"
        placeholder={key}
        value={one.label[language] ?? ""}
        onChange={({ target }) => onChange({ ...one, label: named(one.label, language, target.value) })}
        readOnly={isDisabled}
      />
      {!isDisabled && <Button kind="quiet" icon="trash" label={t.remove(key)} onClick={remove} />}
    </div>
  );
}

/** An empty text removes the name in that language. */
function named(label: PageField["label"], language: string, text: string): PageField["label"] {
  const { [language]: _, ...rest } = label;
  return text === "" ? rest : { ...rest, [language]: text };
}
