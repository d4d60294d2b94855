// The form to add or edit a webhook: its URL and its events.
import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { call } from "../../calls/api.ts";
import { TagsField } from "../../labels/tags-field.tsx";
import { useTexts } from "../../base/language.ts";
import { Checkbox } from "../../parts/fields/checkbox.tsx";
import { FormDialog } from "../../parts/fields/form-dialog.tsx";
import { Field, TextField, useFieldFault, FieldNote } from "../../parts/fields/form.tsx";
import { SegmentedField } from "../../parts/fields/segmented-field.tsx";
import { save } from "../../saving/save.ts";
import { webhooksTexts } from "../../texts/areas.ts";
import { again, type Hook, type HookInput } from "./calls.ts";
import { FORMAT_NAMES, hasType, TYPES, type WebhookFormat, type Pattern } from "./types.ts";

type HookFormProps = { readonly hook?: Hook; readonly close: () => void };

export function HookForm({ hook: now, close }: HookFormProps) {
  const [hook] = useState(now);
  const t = useTexts(webhooksTexts).hooks;
  const navigate = useNavigate();
  const [what, setWhat] = useState<"all" | "some">(hook && !hook.events.includes("*") ? "some" : "all");
  const [format, setFormat] = useState<WebhookFormat>(hook?.format ?? "posthorn");
  const [tags, setTags] = useState<readonly string[]>(hook?.tags ?? []);
  const saving = useMutation({
    mutationFn: async (body: HookInput) =>
      hook
        ? (await save("PATCH /webhooks/{id}", { id: hook.id }, { seen: hook, mine: body })).row
        : call("POST /webhooks", { body }),
    onSuccess: async ({ id }) => {
      await again();
      close();
      await navigate({ to: "/settings/webhooks/$id", params: { id }, search: { outcome: "all" } });
    },
    meta: { inForm: true },
  });
  return (
    <FormDialog
      title={hook ? t.edit : t.add}
      wide
      close={close}
      sending={saving}
      submit={hook ? t.save : t.add}
      onSubmit={({ url = "", description = "", headers = "" }, form) =>
        saving.mutate({
          url: url.trim(),
          format,
          description,
          headers: headersIn(headers),
          tags: [...tags],
          events: what === "all" ? ["*"] : (new FormData(form).getAll("events") as Pattern[]),
        })
      }
    >
      <Field
        name="url"
        label={t.url}
        type="url"
        inputMode="url"
        placeholder="https://app.example.com/posthorn"
        defaultValue={hook?.url}
        autoComplete="off"
        autoFocus
      />
      <SegmentedField
        label={t.format}
        value={format}
        choices={Object.entries(FORMAT_NAMES).map(([value, content]) => ({ value: value as WebhookFormat, content }))}
        onChange={setFormat}
        help={t.formats[format]}
      />
      <SegmentedField
        label={t.events}
        value={what}
        choices={(["all", "some"] as const).map((value) => ({ value, content: t.which[value] }))}
        onChange={setWhat}
      />
      {what === "some" && <Types chosen={hook?.events ?? []} format={format} />}
      <TagsField label={t.tags} note={t.optional} help={t.tagsHelp} most={50} value={tags} onChange={setTags} />
      <Field
        name="description"
        label={t.description}
        note={t.optional}
        help={t.descriptionHelp}
        defaultValue={hook?.description ?? ""}
        maxLength={200}
        autoComplete="off"
      />
      <TextField
        name="headers"
        label={t.headers}
        note={t.optional}
        help={t.headersHelp}
        rows={2}
        placeholder="Authorization: Bearer …"
        defaultValue={textOf(hook?.headers ?? {})}
        spellCheck={false}
      />
    </FormDialog>
  );
}

function Types({ chosen, format }: { readonly chosen: readonly string[]; readonly format: WebhookFormat }) {
  const t = useTexts(webhooksTexts).hooks;
  const fault = useFieldFault("events", undefined);
  return (
    <div className="stack">
      <div className="event-types">
        {Object.entries(TYPES).map(([kind, names]) => {
          const types = names.map((name) => `${kind}.${name}`).filter((type) => hasType(format, type));
          if (types.length === 0) return null;
          return (
            <fieldset className="stack tight" key={kind}>
              <legend className="label">{t.kinds[kind as keyof typeof TYPES]}</legend>
              {types.length > 1 && <Type pattern={`${kind}.*`} chosen={chosen} name={t.allOfKind} />}
              {types.map((type) => (
                <Type key={type} pattern={type} chosen={chosen} />
              ))}
            </fieldset>
          );
        })}
      </div>
      <FieldNote id="events" message={fault && t.noEvents} help={undefined} />
    </div>
  );
}

type TypeProps = { readonly pattern: string; readonly chosen: readonly string[]; readonly name?: string };

function Type({ pattern, chosen, name }: TypeProps) {
  return (
    <Checkbox name="events" value={pattern} defaultChecked={chosen.includes(pattern)}>
      {name ?? <code>{pattern}</code>}
    </Checkbox>
  );
}

/** `Name: value`, one per line. */
function headersIn(text: string): Record<string, string> {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return Object.fromEntries(
    lines.map((line) => {
      const at = line.indexOf(":");
      return at < 0 ? [line.trim(), ""] : [line.slice(0, at).trim(), line.slice(at + 1).trim()];
    }),
  );
}

function textOf(headers: Readonly<Record<string, string>>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join("\n");
}
