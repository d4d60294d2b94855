// Another address for the same person.
import { useMutation } from "@tanstack/react-query";
import { useId } from "react";
import { useTexts } from "../../language.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Field, Form } from "../../parts/form.tsx";
import { showToast } from "../../parts/toast.tsx";
import { peopleTexts } from "../../texts/areas.ts";
import type { Contact } from "../calls.ts";
import { changePerson } from "./change.ts";

export function Rename({ contact, close }: { readonly contact: Contact; readonly close: () => void }) {
  const t = useTexts(peopleTexts);
  const id = useId();
  const { mutate, isPending, error } = useMutation({
    mutationFn: (email: string) => changePerson(contact.id, { email }),
    onSuccess: () => {
      close();
      const back = () => void changePerson(contact.id, { email: contact.email });
      showToast(t.rename.done, { name: t.undo, icon: "undo", run: back });
    },
    meta: { inForm: true },
  });
  const actions = (
    <>
      <Button onClick={close}>{t.cancel}</Button>
      <Button kind="first" type="submit" form={id} busy={isPending}>
        {t.save}
      </Button>
    </>
  );
  return (
    <Dialog isOpen title={t.rename.title} onClose={close} actions={actions}>
      <Form id={id} onSubmit={({ email = "" }) => mutate(email)} fault={error} unsaved={false}>
        <Field name="email" label={t.email} type="email" defaultValue={contact.email} autoFocus help={t.rename.help} />
      </Form>
    </Dialog>
  );
}
