// Changes a person's email address.
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useTexts } from "../../base/language.ts";
import { Field } from "../../parts/fields/form.tsx";
import { FormDialog } from "../../parts/fields/form-dialog.tsx";
import { showToast } from "../../parts/overlays/toast.tsx";
import { peopleTexts } from "../../texts/areas.ts";
import type { Contact } from "../calls.ts";
import { changePerson } from "./change.ts";

export function ChangeEmail({ contact: now, close }: { readonly contact: Contact; readonly close: () => void }) {
  const t = useTexts(peopleTexts);
  const [contact] = useState(now);
  const renaming = useMutation({
    mutationFn: (email: string) => changePerson(contact, { email }),
    onSuccess: ({ row, isMine }) => {
      close();
      if (!isMine) return;
      const back = () => void changePerson(row, { email: contact.email });
      showToast(t.rename.done, { name: t.undo, icon: "undo", run: back });
    },
    meta: { inForm: true },
  });
  return (
    <FormDialog
      title={t.rename.title}
      close={close}
      sending={renaming}
      unsaved={false}
      submit={t.save}
      onSubmit={({ email = "" }) => renaming.mutate(email)}
    >
      <Field name="email" label={t.email} type="email" defaultValue={contact.email} autoFocus help={t.rename.help} />
    </FormDialog>
  );
}
