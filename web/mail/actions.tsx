// Actions on an email. Disabled ones stay in place and say why.
import { useMutation } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { call, workspaceId } from "../calls/api.ts";
import { curlOf, linkHere } from "../calls/curl.ts";
import { useKey } from "../base/keyboard.ts";
import { useTexts } from "../base/language.ts";
import { Ask } from "../notes/ask.tsx";
import { Button, DisabledReason } from "../parts/button.tsx";
import { copyText } from "../base/clipboard.ts";
import { Question } from "../parts/fields/form-dialog.tsx";
import { Menu, type MenuEntry } from "../parts/overlays/menu.tsx";
import { showToast, showWarning } from "../parts/overlays/toast.tsx";
import { queries } from "../calls/queries.ts";
import { useDisabledReason } from "../calls/session.ts";
import { signal, useSignal } from "../base/signal.ts";
import { frameTexts, mailTexts } from "../texts/areas.ts";
import { useCommands } from "../commands.ts";
import { ResendDialog } from "./resend-dialog.tsx";
import { saveFrom } from "../base/save-file.ts";
import { addressOf, type WholeMail } from "./calls.ts";

/** The id of an email to resend, requested from its row. The open email then shows the question. */
export const resendRequest = signal<string | null>(null);

export function EmailActions({ mail }: { readonly mail: WholeMail }) {
  const t = useTexts(mailTexts);
  const [isAsking, ask] = useState(false);
  const againDisabledReason = useResendDisabledReason(mail);
  const [isCancelling, askToCancel] = useState(false);
  const cancelDisabledReason = useCancelDisabledReason(mail);
  const cancel = () => cancelDisabledReason === undefined && askToCancel(true);
  const again = () => againDisabledReason === undefined && ask(true);
  useKey("r", again);
  const requested = useSignal(resendRequest);
  useEffect(() => {
    if (requested !== mail.id) return;
    resendRequest.set(null);
    again();
  }, [requested, mail.id]);
  useCommands([
    {
      id: "send again",
      name: t.again.name,
      icon: "again",
      run: again,
      disabledReason: againDisabledReason,
      keys: ["r"],
    },
    {
      id: "take back",
      name: t.takeBack.name,
      icon: "undo",
      run: cancel,
      disabledReason: cancelDisabledReason,
    },
  ]);
  const isQueued = mail.status === "QUEUED";
  return (
    <div className="actions">
      {againDisabledReason !== undefined && !isQueued && <DisabledReason>{againDisabledReason}</DisabledReason>}
      {isQueued && cancelDisabledReason !== undefined && <DisabledReason>{cancelDisabledReason}</DisabledReason>}
      {mail.contactId !== null && <Ask permission="mail.send" contactId={mail.contactId} subject={mail.subject} />}
      {isQueued ? (
        <Button small icon="undo" disabledReason={cancelDisabledReason} onClick={cancel}>
          {t.takeBack.name}
        </Button>
      ) : (
        <Button small icon="again" disabledReason={againDisabledReason} onClick={again} aria-keyshortcuts="r">
          {t.again.name}
        </Button>
      )}
      <MoreMenu mail={mail} />
      {isAsking && <ResendDialog mail={mail} close={() => ask(false)} />}
      {isCancelling && <CancelDialog mail={mail} close={() => askToCancel(false)} />}
    </div>
  );
}

function useResendDisabledReason({ status }: WholeMail): string | undefined {
  const t = useTexts(mailTexts);
  const disabledReason = useDisabledReason("mail.send");
  if (disabledReason !== undefined) return disabledReason;
  if (status === "QUEUED" || status === "SENDING") return t.again.notYet;
  if (status === "PERHAPS_DELIVERED") return t.again.perhaps;
  return status === "RECEIVED" ? t.again.fromOutside : undefined;
}

function useCancelDisabledReason({ status }: WholeMail): string | undefined {
  const t = useTexts(mailTexts);
  return useDisabledReason("mail.send") ?? (status === "QUEUED" ? undefined : t.takeBack.left);
}

function CancelDialog({
  mail: { id, to, recipients },
  close,
}: {
  readonly mail: WholeMail;
  readonly close: () => void;
}) {
  const { takeBack: t } = useTexts(mailTexts);
  const cancelling = useMutation({
    mutationFn: async () => call("DELETE /emails/{id}", { id }),
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: ["mails"] });
      showToast(t.done);
      close();
    },
    meta: { inForm: true },
  });
  return (
    <Question
      title={t.ask}
      close={close}
      action={t.name}
      cancel={t.keep}
      icon="undo"
      risk
      busy={cancelling.isPending}
      fault={cancelling.error}
      run={() => cancelling.mutate()}
    >
      <p>{t.text(to)}</p>
      {recipients.length > 1 && <p>{t.alone}</p>}
    </Question>
  );
}

function MoreMenu({ mail }: { readonly mail: WholeMail }) {
  const t = useTexts(mailTexts);
  const frame = useTexts(frameTexts);
  const copy = async (text: string, done: string) =>
    (await copyText(text)) ? showToast(done) : showWarning(frame.notCopied);
  const { id, messageId } = mail;
  const entries: readonly MenuEntry[] = [
    { id: "eml", name: t.more.eml, icon: "get", run: () => saveFrom(addressOf(`/emails/${id}/raw`), `${id}.eml`) },
    "line",
    { id: "id", name: t.more.copyId, icon: "copy", run: () => void copy(id, t.more.copied) },
    { id: "message id", name: t.more.copyMessageId, icon: "copy", run: () => void copy(messageId, t.more.copied) },
    {
      id: "link",
      name: frame.copyLink,
      icon: "link",
      run: () => void copy(linkHere(workspaceId.get()), frame.linkCopied),
    },
    {
      id: "call",
      name: frame.copyCall,
      icon: "code",
      run: () => void copy(curlOf({ path: `/emails/${id}` }), frame.callCopied),
    },
  ];
  return <Menu label={frame.more} entries={entries} />;
}
