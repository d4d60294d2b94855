// Changes the time of a waiting email, or sends it now.
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "../../calls/api.ts";
import { useTexts } from "../../base/language.ts";
import { Button } from "../../parts/button.tsx";
import { Field } from "../../parts/fields/form.tsx";
import { FormDialog, Question } from "../../parts/fields/form-dialog.tsx";
import { showToast } from "../../parts/overlays/toast.tsx";
import { queries } from "../../calls/queries.ts";
import { useDisabledReason } from "../../calls/session.ts";
import { mailTexts } from "../../texts/areas.ts";
import { momentsOf, ownZone } from "../../base/zones.ts";
import type { WholeMail } from "../calls.ts";

type MailProps = { readonly mail: WholeMail };

/** Renders nothing for a campaign's email: the campaign has the time. */
export function MoveButtons({ mail }: MailProps) {
  const { move: t } = useTexts(mailTexts);
  const disabledReason = useDisabledReason("mail.send");
  const [asked, ask] = useState<"time" | "now" | null>(null);
  if (mail.campaignId !== null) return null;
  const close = () => ask(null);
  return (
    <div className="inline">
      <Button small disabledReason={disabledReason} onClick={() => ask("time")}>
        {t.name}
      </Button>
      <Button small disabledReason={disabledReason} onClick={() => ask("now")}>
        {t.now}
      </Button>
      {asked === "time" && <TimeDialog mail={mail} close={close} />}
      {asked === "now" && <NowDialog mail={mail} close={close} />}
    </div>
  );
}

type DialogProps = MailProps & { readonly close: () => void };

function TimeDialog({ mail, close }: DialogProps) {
  const { move: t } = useTexts(mailTexts);
  const [local, setLocal] = useState(localTime(mail.scheduledFor));
  const moving = useMove(mail, t.done, close);
  const [moment] = momentsOf(local, ownZone());
  const isAhead = moment !== undefined && moment > Date.now();
  return (
    <FormDialog
      title={t.name}
      close={close}
      sending={moving}
      unsaved={false}
      submit={t.save}
      disabledReason={isAhead ? undefined : t.noTime}
      onSubmit={() => moment !== undefined && moving.mutate(new Date(moment).toISOString())}
    >
      <Field
        name="sendAt"
        label={t.time}
        type="datetime-local"
        autoFocus
        value={local}
        help={mail.recipients.length > 1 ? t.all : undefined}
        onChange={({ target }) => setLocal(target.value)}
      />
    </FormDialog>
  );
}

function NowDialog({ mail, close }: DialogProps) {
  const { move: t } = useTexts(mailTexts);
  const moving = useMove(mail, t.sent, close);
  return (
    <Question
      title={t.ask}
      close={close}
      action={t.now}
      icon="send"
      autoFocus
      busy={moving.isPending}
      fault={moving.error}
      run={() => moving.mutate(null)}
    >
      <p>{t.text(mail.to)}</p>
      {mail.recipients.length > 1 && <p>{t.all}</p>}
    </Question>
  );
}

/** Changes the time of sending; null = now. */
function useMove({ id }: WholeMail, done: string, close: () => void) {
  return useMutation({
    meta: { inForm: true },
    mutationFn: async (sendAt: string | null) => call("PATCH /emails/{id}", { id, body: { sendAt } }),
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: ["mails"] });
      close();
      showToast(done);
    },
  });
}

/** The value of a `datetime-local` field; empty = no time. */
function localTime(moment: string | null): string {
  if (moment === null) return "";
  const at = new Date(moment);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
