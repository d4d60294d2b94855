// The editor of a form. The preview shows changes before the button in the head saves them.
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { useTexts } from "../base/language.ts";
import { Checkbox } from "../parts/fields/checkbox.tsx";
import { Field, Form, TextField } from "../parts/fields/form.tsx";
import { Section, Sections } from "../parts/section.tsx";
import { SegmentedControl } from "../parts/fields/segmented-control.tsx";
import { Select } from "../parts/fields/select.tsx";
import { segmentsQuery } from "../segments/calls.ts";
import { formsTexts } from "../texts/areas.ts";
import { topicsQuery, useTopicName } from "../topics/calls.ts";
import { useRecipientLanguages } from "../parts/fields/recipient-languages.ts";
import { useWorkspace, type RecipientLanguage } from "../calls/workspace.ts";
import { bodyOf, draftOf, type FormDraft, type FormEditor } from "./draft.ts";
import { FieldList } from "./field-list.tsx";
import { Preview } from "./preview.tsx";
import { Started } from "./started.tsx";
import type { SignUpForm, useChange } from "./calls.ts";

type EditorProps = {
  /** For the submit button, which is in the head of the screen. */
  readonly id: string;
  readonly form: SignUpForm;
  readonly saving: ReturnType<typeof useChange>;
  /** Called at each change of the draft. */
  readonly onChange: () => void;
  readonly disabledReason: string | undefined;
};

export function Editor({ id, form, saving, onChange, disabledReason }: EditorProps) {
  const t = useTexts(formsTexts);
  const workspace = useWorkspace();
  const [saved] = useState(() => draftOf(form));
  const [draft, setDraft] = useState(saved);
  const [language, setLanguage] = useState<RecipientLanguage>(workspace.language);
  const set = (change: Partial<FormDraft>) => {
    onChange();
    setDraft((before) => ({ ...before, ...change }));
  };
  const editing = { draft, language, set };
  const [shown, setShown] = useState<"edit" | "preview">("edit");
  // The fields show the errors, and on a narrow screen the preview would hide them.
  useEffect(() => {
    if (saving.error) setShown("edit");
  }, [saving.error]);
  return (
    <div className={`page form-editor shows-${shown}`}>
      <div className="form-switch">
        <SegmentedControl
          label={t.parts}
          choices={[
            { value: "edit", content: t.edit },
            { value: "preview", content: t.preview },
          ]}
          value={shown}
          onChange={setShown}
        />
      </div>
      <Form
        id={id}
        fault={saving.error}
        disabledReason={disabledReason}
        unsaved={draft !== saved}
        onSubmit={() => saving.mutate(bodyOf(draft))}
      >
        <Select
          name="language"
          label={t.language}
          help={t.languageHelp}
          options={useRecipientLanguages()}
          value={language}
          onChange={(chosen) => setLanguage(chosen as RecipientLanguage)}
        />
        <Sections>
          <Section title={t.page} text={t.pageText}>
            <Words {...editing} name="title" label={t.pageTitle} help={t.pageTitleHelp} />
            <Words {...editing} name="intro" label={t.intro} long />
            <Words {...editing} name="button" label={t.button} help={t.buttonHelp} />
          </Section>
          <Section title={t.fields} text={t.fieldsText}>
            <FieldList {...editing} />
          </Section>
          <Topics {...editing} isFixed={disabledReason !== undefined} />
          <Section title={t.consent} text={t.consentText}>
            <Words
              {...editing}
              name="wording"
              label={t.wording}
              help={t.wordingHelp(form.consent?.version ?? 0)}
              long
            />
            <Checkbox
              checked={draft.checkbox}
              disabled={disabledReason !== undefined}
              onChange={({ target }) => set({ checkbox: target.checked })}
            >
              {t.box}
            </Checkbox>
          </Section>
          <After {...editing} form={form.id} isFixed={disabledReason !== undefined} />
          <Section title={t.address} text={t.addressText}>
            <Line {...editing} name="name" label={t.name} maxLength={100} />
            <Line {...editing} name="key" label={t.key} help={t.keyHelp} />
            <TextField
              name="sites"
              label={t.sites}
              help={t.sitesHelp}
              rows={2}
              placeholder="https://www.example.com"
              spellCheck={false}
              value={draft.sites}
              onChange={({ target }) => set({ sites: target.value })}
            />
          </Section>
        </Sections>
      </Form>
      <Preview draft={draft} language={language} />
    </div>
  );
}

type WordsProps = FormEditor & {
  readonly name: "title" | "intro" | "button" | "wording" | "besides";
  readonly label: string;
  readonly help?: string;
  readonly long?: true;
};

/** A text of the form, in the language that is edited. */
function Words({ draft, language, set, name, label, help, long }: WordsProps) {
  const Input = long ? TextField : Field;
  return (
    <Input
      name={name === "wording" ? "consent.wording" : name}
      label={label}
      {...(help === undefined ? {} : { help })}
      lang={language}
      maxLength={long ? 2_000 : 200}
      {...(long ? { rows: 3 } : {})}
      value={draft[name][language] ?? ""}
      onChange={({ target }: { readonly target: { readonly value: string } }) =>
        set({ [name]: { ...draft[name], [language]: target.value } })
      }
    />
  );
}

type FormFieldProps = FormEditor & {
  readonly name: "name" | "key" | "redirectUrl" | "confirmedUrl" | "event" | "tags";
  readonly label: string;
  readonly help?: string;
  readonly placeholder?: string;
  readonly maxLength?: number;
};

function Line({ draft, set, language: _, name, ...field }: FormFieldProps) {
  return (
    <Field
      name={name}
      autoComplete="off"
      {...field}
      value={draft[name]}
      onChange={({ target }) => set({ [name]: target.value })}
    />
  );
}

/** The topics that people can choose in the form. */
function Topics({ isFixed, ...editing }: FormEditor & { readonly isFixed: boolean }) {
  const { draft, language, set } = editing;
  const t = useTexts(formsTexts);
  const nameOf = useTopicName();
  const { data: topics } = useQuery(topicsQuery);
  if (topics === undefined) return null;
  return (
    <Section title={t.topics} text={topics.length === 0 ? t.noTopics : t.topicsText}>
      <div className="stack">
        {topics.map(({ key, name }) => (
          <Checkbox
            key={key}
            checked={draft.topics.includes(key)}
            disabled={isFixed}
            onChange={({ target }) =>
              set({ topics: [...draft.topics.filter((one) => one !== key), ...(target.checked ? [key] : [])] })
            }
          >
            {name[language] ?? nameOf({ key, name })}
          </Checkbox>
        ))}
        <Link to="/topics" className="small">
          {t.toTopics}
        </Link>
      </div>
      {draft.topics.length > 0 && <Words {...editing} name="besides" label={t.besides} help={t.besidesHelp} long />}
    </Section>
  );
}

/** The effects of a sign-up: double opt-in, segment, tags, event and redirects. */
function After({ form, isFixed, ...editing }: FormEditor & { readonly form: string; readonly isFixed: boolean }) {
  const t = useTexts(formsTexts);
  const { draft, set } = editing;
  const { data: segments = [] } = useQuery(segmentsQuery);
  const lists = segments.filter(({ type }) => type === "STATIC").map(({ id, name }) => ({ id, name }));
  return (
    <Section title={t.after} text={t.afterText}>
      <Checkbox
        checked={draft.doubleOptIn}
        disabled={isFixed}
        onChange={({ target }) => set({ doubleOptIn: target.checked })}
      >
        {t.doubleOptIn}
        <span className="help">{draft.doubleOptIn ? t.doubleOptInOn : t.doubleOptInOff}</span>
      </Checkbox>
      <Select
        name="segmentId"
        label={t.segment}
        help={t.segmentHelp}
        options={[{ id: "", name: t.noSegment }, ...lists]}
        value={draft.segmentId}
        onChange={(segmentId) => set({ segmentId })}
      />
      <Line {...editing} name="tags" label={t.tags} help={t.tagsHelp} placeholder="newsletter, fair 2026" />
      <Line {...editing} name="event" label={t.event} help={t.eventHelp} placeholder="newsletter.joined" />
      <Started form={form} event={draft.event.trim()} />
      <Line {...editing} name="redirectUrl" label={t.redirectUrl} help={t.redirectHelp} placeholder="https://…" />
      <Line {...editing} name="confirmedUrl" label={t.confirmedUrl} help={t.confirmedHelp} placeholder="https://…" />
    </Section>
  );
}
