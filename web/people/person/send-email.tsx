// Sends one email to a person: a template or plain text.
import { useMutation, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { call } from "../../calls/api.ts";
import { useTexts } from "../../base/language.ts";
import { useIdempotencyKey } from "../../base/idempotency-key.ts";
import { Field, TextField } from "../../parts/fields/form.tsx";
import { FormDialog } from "../../parts/fields/form-dialog.tsx";
import { SegmentedControl } from "../../parts/fields/segmented-control.tsx";
import { Select } from "../../parts/fields/select.tsx";
import { showToast } from "../../parts/overlays/toast.tsx";
import { queries } from "../../calls/queries.ts";
import { SenderSelect } from "../../settings/sender-choice.tsx";
import { useSenders } from "../../settings/sender.ts";
import { allTemplatesQuery } from "../../templates/calls.ts";
import { peopleTexts } from "../../texts/areas.ts";
import type { Contact } from "../calls.ts";

type ContentMode = "template" | "plain";

const templatesQuery = { queryKey: ["templates", "to send"], queryFn: allTemplatesQuery, throwOnError: false };

export function SendEmail({ contact, close }: { readonly contact: Contact; readonly close: () => void }) {
  const t = useTexts(peopleTexts);
  const idempotencyKey = useIdempotencyKey();
  const navigate = useNavigate();
  const { data: templates = [] } = useQuery(templatesQuery);
  const senders = useSenders();
  const [chosen, choose] = useState<ContentMode>();
  const way = chosen ?? (templates.length > 0 ? "template" : "plain");
  const sending = useMutation({
    mutationFn: (values: Readonly<Record<string, string>>) => {
      const { template = "", from = "", subject = "", text = "" } = values;
      const content = way === "template" ? { template } : { from, subject, body: paragraphs(text), text };
      return call("POST /v1/send", { ...idempotencyKey, body: { to: contact.email, ...content } });
    },
    onSuccess: ({ data }) => {
      close();
      for (const topic of ["mails", "contacts"]) void queries.invalidateQueries({ queryKey: [topic] });
      const mail = data.emails[0]?.email ?? "";
      const show = () => void navigate({ to: "/mail/$id", params: { id: mail }, search: {} });
      showToast(t.send.done(contact.email), { name: t.send.show, run: show });
    },
    meta: { inForm: true },
  });
  const disabledReason = way === "plain" && senders?.length === 0 ? t.send.noDomain : undefined;
  return (
    <FormDialog
      title={t.send.title(contact.email)}
      wide
      close={close}
      sending={sending}
      unsaved={false}
      submit={t.send.action}
      icon="send"
      disabledReason={disabledReason}
      onSubmit={(values) => sending.mutate(values)}
    >
      {templates.length > 0 && (
        <span>
          <SegmentedControl
            label={t.send.way}
            value={way}
            onChange={choose}
            choices={[
              { value: "template", content: t.send.template },
              { value: "plain", content: t.send.plain },
            ]}
          />
        </span>
      )}
      {way === "template" ? (
        <Select
          name="template"
          label={t.send.template}
          options={templates.map(({ id, name, type }) => ({ id, name, note: t.send.types[type] }))}
          first={templates[0]?.id ?? ""}
          help={t.send.templateHelp}
        />
      ) : (
        <>
          {senders && senders.length > 0 && <SenderSelect label={t.send.from} senders={senders} />}
          <Field name="subject" label={t.send.subject} maxLength={998} autoComplete="off" />
          <TextField name="text" label={t.send.text} rows={7} help={t.send.textHelp} />
        </>
      )}
      {disabledReason && <p className="fault">{disabledReason}</p>}
    </FormDialog>
  );
}

/** Plain text as HTML; an empty line starts a paragraph. */
function paragraphs(text: string): string {
  const safe = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  return safe
    .split(/\n{2,}/)
    .map((part) => `<p>${part.replaceAll("\n", "<br>")}</p>`)
    .join("\n");
}
