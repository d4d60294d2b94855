// The form to add or edit a topic: its texts by language, its default, and whether people see it; also deletes it.
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTexts } from "../base/language.ts";
import { Button } from "../parts/button.tsx";
import { Checkbox } from "../parts/fields/checkbox.tsx";
import { FormDialog, Question } from "../parts/fields/form-dialog.tsx";
import { Field } from "../parts/fields/form.tsx";
import { Select } from "../parts/fields/select.tsx";
import { SegmentedField } from "../parts/fields/segmented-field.tsx";
import { showToast } from "../parts/overlays/toast.tsx";
import { KeptInFiles } from "../saving/kept-in-files.tsx";
import { topicsTexts } from "../texts/areas.ts";
import { useRecipientLanguages } from "../parts/fields/recipient-languages.ts";
import { workspaceQuery, type RecipientLanguage } from "../calls/workspace.ts";
import { useDelete, useSave, useTopicName, type Topic } from "./calls.ts";

type FormProps = { readonly topic?: Topic; readonly close: () => void };

export function TopicForm({ topic: now, close }: FormProps) {
  const [topic] = useState(now);
  const t = useTexts(topicsTexts);
  const nameOf = useTopicName();
  const { data: workspace } = useQuery({ ...workspaceQuery, throwOnError: false });
  const [added, setAdded] = useState<readonly RecipientLanguage[]>([]);
  const [isDefault, setDefault] = useState(topic?.default ?? "in");
  const [name, setName] = useState("");
  const saving = useSave(topic, (saved) => {
    if (!topic) showToast(t.created(nameOf(saved)));
    close();
  });
  const first = workspace?.language ?? "en";
  const known = topic ? (Object.keys(topic.name) as RecipientLanguage[]) : [first];
  const languages = [...known, ...added];
  return (
    <FormDialog
      title={topic ? t.editTitle : t.make}
      wide
      close={close}
      sending={saving}
      submit={topic ? t.save : t.create}
      onSubmit={(values) =>
        saving.mutate({
          key: values["key"]?.trim() ?? "",
          name: wordsIn(values, "name", languages),
          description: wordsIn(values, "description", languages),
          default: isDefault,
          visible: values["visible"] === "on",
        })
      }
    >
      {topic && <KeptInFiles kind="topics" id={topic.id} />}
      {languages.map((language, at) => (
        <Words
          key={language}
          language={language}
          topic={topic}
          isAlone={languages.length === 1}
          focuses={at === languages.length - 1}
          onName={at === 0 ? setName : undefined}
        />
      ))}
      <AddLanguage taken={languages} add={(language) => setAdded([...added, language])} />
      {!topic && (
        <Field
          key={keyOf(name)}
          name="key"
          label={t.key}
          defaultValue={keyOf(name)}
          help={t.keyHelp}
          maxLength={50}
          spellCheck={false}
          autoComplete="off"
        />
      )}
      <SegmentedField
        label={t.forWhom}
        value={isDefault}
        choices={(["in", "out"] as const).map((value) => ({ value, content: t.defaults[value].name }))}
        onChange={setDefault}
        help={t.defaults[isDefault].help}
      />
      <Checkbox name="visible" defaultChecked={topic?.visible ?? true}>
        {t.visible}
      </Checkbox>
    </FormDialog>
  );
}

type WordsProps = {
  readonly language: RecipientLanguage;
  readonly topic: Topic | undefined;
  /** The only language, which needs no label. */
  readonly isAlone: boolean;
  readonly focuses: boolean;
  readonly onName: ((name: string) => void) | undefined;
};

function Words({ language, topic, isAlone, focuses, onName }: WordsProps) {
  const t = useTexts(topicsTexts);
  const named = useRecipientLanguages().find(({ id }) => id === language)?.name ?? language;
  const note = isAlone ? {} : { note: named };
  return (
    <div className="stack" lang={language}>
      <Field
        name={`name.${language}`}
        label={t.name}
        {...note}
        defaultValue={topic?.name[language]}
        maxLength={100}
        autoComplete="off"
        autoFocus={focuses}
        onBlur={({ target }) => onName?.(target.value)}
      />
      <Field
        name={`description.${language}`}
        label={t.description}
        note={isAlone ? t.optional : `${named}, ${t.optional}`}
        defaultValue={topic?.description[language]}
        maxLength={500}
        autoComplete="off"
      />
    </div>
  );
}

type AddLanguageProps = {
  readonly taken: readonly RecipientLanguage[];
  readonly add: (language: RecipientLanguage) => void;
};

function AddLanguage({ taken, add }: AddLanguageProps) {
  const t = useTexts(topicsTexts);
  const [isOpen, setOpen] = useState(false);
  const left = useRecipientLanguages().filter(({ id }) => !taken.includes(id));
  if (left.length === 0) return null;
  if (!isOpen)
    return (
      <span>
        <Button small icon="plus" onClick={() => setOpen(true)}>
          {t.addLanguage}
        </Button>
      </span>
    );
  return (
    <Select
      name="added"
      label={t.addLanguage}
      options={left}
      onChange={(id) => {
        add(id as RecipientLanguage);
        setOpen(false);
      }}
    />
  );
}

/** The values of a field by language; without empty ones. */
function wordsIn(values: Readonly<Record<string, string>>, field: string, languages: readonly RecipientLanguage[]) {
  return Object.fromEntries(
    languages.flatMap((language) => {
      const text = values[`${field}.${language}`]?.trim();
      return text ? [[language, text]] : [];
    }),
  );
}

/** A valid key from the name: without accents, spaces and punctuation. */
function keyOf(name: string): string {
  const plain = name.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
  return plain
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, 50)
    .replace(/^-+|-+$/g, "");
}

export function DeleteQuestion({ topic, close }: { readonly topic: Topic; readonly close: () => void }) {
  const t = useTexts(topicsTexts);
  const name = useTopicName()(topic);
  const removing = useDelete(() => {
    showToast(t.removed(name));
    close();
  });
  return (
    <Question
      title={t.removeTitle(name)}
      close={close}
      action={t.remove}
      risk
      busy={removing.isPending}
      fault={removing.error}
      run={() => removing.mutate(topic.id)}
      text={t.removeText}
    />
  );
}
