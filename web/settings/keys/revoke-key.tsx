// Revokes a key set; optionally cancels its scheduled emails, also later.
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "../../calls/api.ts";
import { useFormats } from "../../base/formats.ts";
import { useTexts } from "../../base/language.ts";
import { Checkbox } from "../../parts/fields/checkbox.tsx";
import { Question } from "../../parts/fields/form-dialog.tsx";
import { showToast } from "../../parts/overlays/toast.tsx";
import { queries } from "../../calls/queries.ts";
import { keysTexts } from "../../texts/areas.ts";
import { again, type KeyDialogProps } from "./key-dialogs.tsx";
import { scheduledQuery, StillWaiting, useScheduled } from "./scheduled.tsx";

type RevokedMails = { readonly cancelled: number; readonly inHand: number } | null | undefined;

export function RevokeKey({ keySet, close }: KeyDialogProps) {
  const t = useTexts(keysTexts);
  const { id, name } = keySet;
  // Off by default: cancelled emails are lost for good, and they can still be cancelled later.
  const [cancels, setCancels] = useState(false);
  const scheduled = useScheduled(id);
  const outcome = useOutcome();
  const revocation = useMutation({
    mutationFn: () => call("DELETE /keys/{id}", { id, ...(cancels ? { cancelScheduled: true } : {}) }),
    onSuccess: (cancelled) => {
      showToast([t.revoke.done(name ?? t.unnamed), ...outcome(cancelled as RevokedMails)].join(" "));
      return afterwards(id);
    },
    onSettled: close,
  });
  return (
    <Question
      title={t.revoke.title(name ?? t.unnamed)}
      close={close}
      action={t.revoke.confirm}
      risk
      busy={revocation.isPending || scheduled.isLoading}
      run={() => revocation.mutate()}
    >
      <div className="stack">
        <p>{t.revoke.text}</p>
        {scheduled.data && (
          <StillWaiting id={id} scheduled={scheduled.data}>
            <div className="stack tight">
              <Checkbox checked={cancels} onChange={({ currentTarget }) => setCancels(currentTarget.checked)}>
                {t.scheduled.cancelAsWell}
              </Checkbox>
              <span className="help">{t.scheduled.cancelHelp}</span>
            </div>
          </StillWaiting>
        )}
      </div>
    </Question>
  );
}

/** For a key set that has been revoked. */
export function CancelScheduled({ keySet, close }: KeyDialogProps) {
  const t = useTexts(keysTexts);
  const { id, name } = keySet;
  const scheduled = useScheduled(id);
  const outcome = useOutcome();
  const cancellation = useMutation({
    mutationFn: () => call("POST /keys/{id}/scheduled/cancel", { id }),
    onSuccess: (cancelled) => {
      showToast(outcome(cancelled).join(" "));
      return afterwards(id);
    },
    onSettled: close,
  });
  const waits = (scheduled.data?.total ?? 0) > 0;
  return (
    <Question
      title={t.scheduled.title(name ?? t.unnamed)}
      close={close}
      action={t.scheduled.confirm}
      cancel={t.scheduled.leave}
      risk
      busy={cancellation.isPending || scheduled.isLoading}
      disabledReason={scheduled.data && !waits ? t.scheduled.none : undefined}
      run={() => cancellation.mutate()}
    >
      {scheduled.data && !waits && <p>{t.scheduled.none}</p>}
      {scheduled.data && (
        <StillWaiting id={id} scheduled={scheduled.data}>
          <p>{t.scheduled.forGood}</p>
        </StillWaiting>
      )}
    </Question>
  );
}

function useOutcome() {
  const t = useTexts(keysTexts);
  const { number } = useFormats();
  return (outcome: RevokedMails): readonly string[] => {
    if (!outcome) return [];
    const { cancelled, inHand } = outcome;
    const left = inHand > 0 ? [t.scheduled.left(number(inHand), inHand)] : [];
    return [t.scheduled.cancelled(number(cancelled), cancelled), ...left];
  };
}

function afterwards(id: string) {
  return Promise.all([again(), queries.invalidateQueries({ queryKey: scheduledQuery(id).queryKey })]);
}
