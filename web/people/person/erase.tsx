// Erases a person: lists the deleted and the kept data, and says that it cannot be undone.
import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { call } from "../../calls/api.ts";
import { useFormats } from "../../base/formats.ts";
import { useTexts } from "../../base/language.ts";
import { Question } from "../../parts/fields/form-dialog.tsx";
import { showToast } from "../../parts/overlays/toast.tsx";
import { peopleTexts } from "../../texts/areas.ts";
import { peopleChanged, type Contact, type Summary } from "../calls.ts";

type EraseProps = { readonly contact: Contact; readonly summary: Summary | undefined; readonly close: () => void };

export function Erase({ contact, summary, close }: EraseProps) {
  const t = useTexts(peopleTexts);
  const { number } = useFormats();
  const navigate = useNavigate();
  const { mutate, isPending } = useMutation({
    mutationFn: () => call("DELETE /contacts/{id}", { id: contact.id }),
    onSuccess: async () => {
      close();
      await navigate({ to: "/people" });
      peopleChanged();
      showToast(t.erase.done(contact.email));
    },
  });
  const mails = summary?.mails.total ?? 0;
  return (
    <Question
      title={t.erase.title(contact.email)}
      close={close}
      action={t.erase.action}
      risk
      busy={isPending}
      run={() => mutate()}
    >
      <ul className="bullets">
        <li>{t.erase.goes(mails, number(mails))}</li>
        <li>{t.erase.queued}</li>
        <li>{t.erase.campaigns}</li>
        {contact.suppressed !== null && <li>{t.erase.suppressed}</li>}
        <li>{t.erase.final}</li>
      </ul>
    </Question>
  );
}
