// SEND_EMAIL: template and recipient.
import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Suspense, useCallback, useState } from "react";
import { MetadataField } from "../../labels/metadata-field.tsx";
import { TagsField } from "../../labels/tags-field.tsx";
import { useTexts } from "../../base/language.ts";
import { Button } from "../../parts/button.tsx";
import { DisabledFields, Field, useDisabledFields } from "../../parts/fields/form.tsx";
import { SegmentedField } from "../../parts/fields/segmented-field.tsx";
import { Select } from "../../parts/fields/select.tsx";
import { queries } from "../../calls/queries.ts";
import { useDisabledReason } from "../../calls/session.ts";
import { createTemplate } from "../../templates/calls.ts";
import { useFirst } from "../../templates/first.ts";
import { labelsTexts } from "../../texts/areas.ts";
import { TopicField } from "../../topics/topic-field.tsx";
import { useTemplates } from "./known.ts";
import type { Config } from "../drawing.ts";
import type { StepFieldsProps } from "./fields-props.ts";
import { lazyPart } from "../../chunks.tsx";

/** Loaded lazily, because it contains the email editors. */
const TemplateEditor = lazyPart(() => import("./template-editor.tsx"), "TemplateEditor");

export function MailFields({ step, words, set, faultOf }: StepFieldsProps) {
  const { t } = words;
  const templates = useTemplates();
  const ofLabels = useTexts(labelsTexts);
  const {
    templateId,
    to,
    topic = null,
    tags = [],
    metadata = {},
  } = step.config as {
    readonly templateId?: string;
    readonly to?: string;
    readonly topic?: string;
    readonly tags?: readonly string[];
    readonly metadata?: Record<string, string>;
  };
  const chosen = templates.find(({ id }) => id === templateId);
  return (
    <>
      <div className="stack tight">
        <Select
          name="templateId"
          label={t.form.template}
          value={templateId ?? ""}
          options={[
            ...(templateId ? [] : [{ id: "", name: t.form.chooseTemplate }]),
            ...templates.map(({ id, name, subject }) => ({ id, name, note: subject })),
          ]}
          fault={faultOf("templateId")}
          onChange={(id) => set({ ...step.config, templateId: id })}
        />
        <WriteButtons step={step} words={words} set={set} templateId={templateId} />
      </div>
      <SegmentedField
        label={t.form.to}
        value={to === undefined ? "person" : "other"}
        onChange={(whom) => set(withField(step.config, "to", whom === "person" ? undefined : ""))}
        choices={[
          { value: "person", content: t.form.toPerson },
          { value: "other", content: t.form.toOther },
        ]}
      />
      {to !== undefined && (
        <Field
          name="to"
          label={t.form.address}
          value={to}
          fault={faultOf("to")}
          onChange={({ currentTarget }) => set({ ...step.config, to: currentTarget.value }, "to")}
        />
      )}
      {chosen && (
        <div className="stack tight row-text">
          <span className="label">
            {t.form.from} <span>{t.form.fromNote}</span>
          </span>
          <span className={chosen.from ? "" : "warn-ink"}>{chosen.from ?? t.form.noFrom}</span>
        </div>
      )}
      {(topic !== null || chosen?.type === "MARKETING") && (
        <TopicField
          value={topic}
          none={t.form.topicOfTemplate}
          onChange={(next) => set(withField(step.config, "topic", next ?? undefined))}
        />
      )}
      <TagsField
        key={`tags ${step.ref}`}
        value={tags}
        note={ofLabels.optional}
        help={ofLabels.ofStep}
        onChange={(next) => set(withField(step.config, "tags", next.length > 0 ? next : undefined))}
      />
      <MetadataField
        key={`metadata ${step.ref}`}
        value={metadata}
        note={ofLabels.optional}
        onChange={(next, merge) =>
          set(withField(step.config, "metadata", Object.keys(next).length > 0 ? next : undefined), `metadata ${merge}`)
        }
      />
    </>
  );
}

/** `value`: undefined removes the field. */
function withField(config: Config, name: "to" | "topic" | "tags" | "metadata", value: unknown): Config {
  const { [name]: _, ...rest } = config;
  return value === undefined ? rest : { ...rest, [name]: value };
}

type WriteButtonsProps = Pick<StepFieldsProps, "step" | "words" | "set"> & { readonly templateId: string | undefined };

/** Edits the template, or creates one named after the step, without leaving the workflow. */
function WriteButtons({ step, words: { t }, set, templateId }: WriteButtonsProps) {
  const disabledReason = useDisabledFields();
  const [isOpen, open] = useState(false);
  const close = useCallback(() => open(false), []);
  const denied = useDisabledReason("templates.write");
  const first = useFirst();
  const creating = useMutation({
    mutationFn: async () => {
      const name = step.name.trim() || t.types.SEND_EMAIL;
      return createTemplate(await first({ name, type: "TRANSACTIONAL", how: "visual" }));
    },
    onSuccess: async ({ id }) => {
      await queries.invalidateQueries({ queryKey: ["templates", "to choose from"] });
      set({ ...step.config, templateId: id });
      open(true);
    },
  });
  if (!templateId)
    return (
      <Button
        small
        icon="pencil"
        disabledReason={disabledReason ?? denied}
        busy={creating.isPending}
        onClick={() => creating.mutate()}
      >
        {t.form.writeNew}
      </Button>
    );
  return (
    <span className="inline l">
      <Button small icon="pencil" disabledReason={denied} onClick={() => open(true)}>
        {t.form.writeHere}
      </Button>
      <Link className="row-text" to="/templates/$id" params={{ id: templateId }}>
        {t.form.editTemplate}
      </Link>
      <DisabledFields reason={undefined}>
        <Suspense>{isOpen && <TemplateEditor id={templateId} step={step.ref} close={close} />}</Suspense>
      </DisabledFields>
    </span>
  );
}
