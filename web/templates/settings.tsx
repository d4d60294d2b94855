// The settings of a template: name, type, sender, alias. A button in the screen's head saves them.
import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { MetadataField } from "../labels/metadata-field.tsx";
import { TagsField } from "../labels/tags-field.tsx";
import { useTexts } from "../base/language.ts";
import { Checkbox } from "../parts/fields/checkbox.tsx";
import { Field, Form } from "../parts/fields/form.tsx";
import { SegmentedField } from "../parts/fields/segmented-field.tsx";
import { Section, Sections } from "../parts/section.tsx";
import { showToast } from "../parts/overlays/toast.tsx";
import { SenderField } from "../settings/sender-choice.tsx";
import { campaignsTexts, labelsTexts, templatesTexts } from "../texts/areas.ts";
import { TopicField } from "../topics/topic-field.tsx";
import { useWorkspace } from "../calls/workspace.ts";
import { changeSeenTemplate, type Template, type TemplateChange } from "./calls.ts";

/** `flush`: saves unsaved content first. */
export function useSaveSettings(flush: () => Promise<void>) {
  const t = useTexts(templatesTexts);
  return useMutation({
    mutationFn: ({ seen, mine }: { readonly seen: Template; readonly mine: TemplateChange }) =>
      flush().then(() => changeSeenTemplate(seen, mine)),
    onSuccess: ({ isMine }) => isMine && showToast(t.saved),
    meta: { inForm: true },
  });
}

type SettingsProps = {
  readonly id: string;
  readonly template: Template;
  readonly disabledReason: string | undefined;
  readonly saving: ReturnType<typeof useSaveSettings>;
};

export function TemplateSettings(props: SettingsProps) {
  const [seen, see] = useState(props.template);
  return <SettingsForm key={seen.updatedAt} {...props} template={seen} see={see} />;
}

type FormProps = SettingsProps & {
  /** Shows this version in the form. */
  readonly see: (template: Template) => void;
};

function SettingsForm({ id, template, disabledReason, saving, see }: FormProps) {
  const t = useTexts(templatesTexts);
  const ofLabels = useTexts(labelsTexts);
  const [type, setType] = useState(template.type);
  const [tags, setTags] = useState<readonly string[]>(template.tags);
  const [metadata, setMetadata] = useState(template.metadata);
  const [topic, setTopic] = useState(template.topic);
  const { postalAddress } = useWorkspace();
  const given = (value: string | null) => value ?? "";
  return (
    <div className="page narrow">
      <Form
        id={id}
        fault={saving.error}
        disabledReason={disabledReason}
        onSubmit={({ name = "", topic: _, publishManually, ...rest }) =>
          saving.mutate(
            {
              seen: template,
              mine: {
                name: name.trim(),
                type,
                topic: type === "MARKETING" ? topic : null,
                tags: [...tags],
                metadata,
                publishManually: publishManually !== undefined,
                ...nullIfEmpty(rest),
              },
            },
            { onSuccess: ({ row }) => see(row) },
          )
        }
      >
        <Sections>
          <Section title={t.tabs.settings} text={t.settingsText}>
            <Field name="name" label={t.name} defaultValue={template.name} />
            <Field name="description" label={t.description} defaultValue={given(template.description)} />
            <SegmentedField
              label={t.type}
              value={type}
              onChange={(next) => disabledReason === undefined && setType(next)}
              choices={[
                { value: "TRANSACTIONAL", content: t.types.TRANSACTIONAL },
                { value: "MARKETING", content: t.types.MARKETING },
              ]}
              help={t.typeHelp[type]}
            >
              {type === "MARKETING" && postalAddress === null && <NoAddress />}
            </SegmentedField>
            {type === "MARKETING" && <TopicField value={topic} onChange={setTopic} />}
          </Section>
          <Section title={t.sender} text={t.senderText}>
            <Field name="fromName" label={t.fromName} defaultValue={given(template.fromName)} />
            <SenderField label={t.from} defaultValue={given(template.from)} />
            <Field name="replyTo" label={t.replyTo} defaultValue={given(template.replyTo)} />
          </Section>
          <Section title={ofLabels.title} text={ofLabels.ofTemplate}>
            <TagsField value={tags} onChange={setTags} help={ofLabels.tagsHelp} />
            <MetadataField value={metadata} onChange={setMetadata} help={ofLabels.metadataHelp} />
          </Section>
          <Section title={t.programs} text={t.programsText}>
            <Field
              name="alias"
              label={t.alias}
              help={t.aliasHelp}
              placeholder="receipt"
              autoComplete="off"
              spellCheck={false}
              defaultValue={given(template.alias)}
            />
            <div className="field">
              <Checkbox
                name="publishManually"
                defaultChecked={template.publishManually}
                disabled={disabledReason !== undefined}
              >
                {t.publishManually}
              </Checkbox>
              <span className="help">{t.publishHelp}</span>
            </div>
          </Section>
        </Sections>
      </Form>
    </div>
  );
}

function NoAddress() {
  const { check: t } = useTexts(campaignsTexts);
  return (
    <span className="warn-ink">
      {t.noAddress} {t.noAddressMore} <Link to="/settings/workspace">{t.toWorkspace}</Link>
    </span>
  );
}

/** An empty field is unset. */
function nullIfEmpty(values: Readonly<Record<string, string>>): Record<string, string | null> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value.trim() || null]));
}
