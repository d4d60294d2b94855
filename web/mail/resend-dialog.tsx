// The confirmation before an email is sent again.
import { useMutation } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { call } from "../calls/api.ts";
import { useTexts } from "../base/language.ts";
import { Question } from "../parts/fields/form-dialog.tsx";
import { showToast } from "../parts/overlays/toast.tsx";
import { useIdempotencyKey } from "../base/idempotency-key.ts";
import { queries } from "../calls/queries.ts";
import { mailTexts } from "../texts/areas.ts";
import type { MailSearch } from "./filter/filters.ts";
import type { WholeMail } from "./calls.ts";
import { mayPass } from "./reasons.ts";

const route = getRouteApi("/frame/mail");

type ResendProps = { readonly mail: WholeMail; readonly close: () => void };

export function ResendDialog({ mail, close }: ResendProps) {
  const t = useTexts(mailTexts);
  const { mutate, isPending, error } = useResend(mail, close);
  const { reason } = mail;
  return (
    <Question
      title={t.again.title}
      close={close}
      action={t.again.name}
      icon="again"
      autoFocus
      busy={isPending}
      fault={error}
      run={() => mutate()}
    >
      <div className="stack">
        <p>{t.again.text(mail.subject || t.noSubject, mail.to)}</p>
        {reason !== null && !mayPass(reason) && <p>{t.again.likely(t.reasons[reason].title)}</p>}
        {mail.resentAs.length > 0 && <p>{t.again.already(mail.resentAs.length)}</p>}
      </div>
    </Question>
  );
}

function useResend({ id }: WholeMail, close: () => void) {
  const t = useTexts(mailTexts);
  const navigate = route.useNavigate();
  const idempotencyKey = useIdempotencyKey();
  return useMutation({
    meta: { inForm: true },
    mutationFn: async () => call("POST /emails/{id}/resend", { id, ...idempotencyKey }),
    onSuccess: (mail) => {
      void queries.invalidateQueries({ queryKey: ["mails"] });
      close();
      showToast(t.again.done, {
        name: t.again.open,
        run: () => void navigate({ to: "/mail/$id", params: { id: mail.id }, search: (now: MailSearch) => now }),
      });
    },
  });
}
