// The dialog for a new campaign: its name and sender.
import { useMutation, useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { Suspense, useState } from "react";
import { useTexts } from "../base/language.ts";
import { Dialog } from "../parts/overlays/dialog.tsx";
import { Field, Form, FormActions } from "../parts/fields/form.tsx";
import { Skeleton } from "../parts/layout.tsx";
import { SenderField } from "../settings/sender-choice.tsx";
import { campaignsTexts } from "../texts/areas.ts";
import { useStarterContent, type WritingMode } from "../writing/starter-content.ts";
import { ModeChoice } from "../writing/mode-choice.tsx";
import { createCampaign } from "./calls.ts";
import { firstSenderQuery, type FirstSender } from "./first-sender.ts";

export function NewCampaign({ close }: { readonly close: () => void }) {
  const t = useTexts(campaignsTexts);
  const { data: sender, ...asked } = useQuery(firstSenderQuery);
  return (
    <Dialog title={t.make} isOpen onClose={close}>
      <Suspense fallback={<Skeleton of={null} rows={4} columns={1} />}>
        {sender === undefined ? (
          <Skeleton of={asked} rows={4} columns={1} />
        ) : (
          <NewCampaignForm close={close} sender={sender} />
        )}
      </Suspense>
    </Dialog>
  );
}

type NewCampaignProps = { readonly close: () => void; readonly sender: FirstSender | null };

function NewCampaignForm({ close, sender }: NewCampaignProps) {
  const t = useTexts(campaignsTexts);
  const navigate = useNavigate();
  const [how, setHow] = useState<WritingMode>("visual");
  const firstWords = useStarterContent();
  const making = useMutation({
    mutationFn: async ({ name = "", from = "", fromName = "" }: Readonly<Record<string, string>>) => {
      const sender = { from: from.trim(), ...(fromName.trim() ? { fromName: fromName.trim() } : {}) };
      const written = { name: name.trim(), subject: name.trim(), ...(await firstWords(how)) };
      return createCampaign({ ...written, ...sender, audienceType: "ALL" });
    },
    onSuccess: ({ id }) => void navigate({ to: "/campaigns/$id", params: { id }, replace: true }),
    meta: { inForm: true },
  });
  return (
    <Form fault={making.error} onSubmit={(values) => making.mutate(values)}>
      <p className="dim row-text">{t.makeText}</p>
      <Field name="name" label={t.name} autoFocus />
      <Field name="fromName" label={t.fromName} defaultValue={sender?.fromName} />
      <SenderField
        label={t.from}
        defaultValue={sender?.from ?? ""}
        type="email"
        help={sender ? t.fromHelp : <NoDomain />}
      />
      <ModeChoice how={how} choose={setHow} />
      <FormActions close={close} submit={t.make} busy={making.isPending} />
    </Form>
  );
}

function NoDomain() {
  const t = useTexts(campaignsTexts);
  return (
    <>
      {t.noDomain}{" "}
      <Link to="/settings/domains/{-$id}" params={{ id: undefined }}>
        {t.addDomain}
      </Link>
    </>
  );
}
