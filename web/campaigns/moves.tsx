// A campaign on its way: paused, let go on, cancelled.
import { useState } from "react";
import { useFormats } from "../formats.ts";
import { useTexts } from "../language.ts";
import { Button } from "../parts/button.tsx";
import { Question } from "../parts/form-dialog.tsx";
import { showToast } from "../parts/toast.tsx";
import { useDisabledReason } from "../session.ts";
import { campaignsTexts } from "../texts/areas.ts";
import { useVerbs } from "../verbs.ts";
import { useStatistics } from "./account/calls.ts";
import { useMove, type Campaign } from "./calls.ts";

export function Moves({ campaign }: { readonly campaign: Campaign }) {
  return campaign.status === "SENDING" ? <Moving campaign={campaign} /> : null;
}

function Moving({ campaign: { id, name, paused } }: { readonly campaign: Campaign }) {
  const { moves: t } = useTexts(campaignsTexts);
  const disabledReason = useDisabledReason("campaigns.send");
  const [asks, setAsks] = useState(false);
  const pausing = useMove("pause", () => showToast(t.paused));
  const resuming = useMove("resume", () => showToast(t.resumed));
  const next = paused
    ? { name: t.resume, verb: t.resumeName(name), icon: "play" as const, run: () => resuming.mutate(id) }
    : { name: t.pause, verb: t.pauseName(name), icon: "pause" as const, run: () => pausing.mutate(id) };
  useVerbs([
    { id: "pause campaign", name: next.verb, icon: next.icon, run: next.run, disabledReason },
    { id: "cancel campaign", name: t.cancelName(name), icon: "x", run: () => setAsks(true), disabledReason },
  ]);
  return (
    <>
      <Button
        icon={next.icon}
        label={next.name}
        disabledReason={disabledReason}
        busy={pausing.isPending || resuming.isPending}
        onClick={next.run}
      >
        <span className="wide-only">{next.name}</span>
      </Button>
      <Button kind="risk" className="wide-only" disabledReason={disabledReason} onClick={() => setAsks(true)}>
        {t.cancel}
      </Button>
      {asks && <Cancel id={id} name={name} close={() => setAsks(false)} />}
    </>
  );
}

type CancelProps = { readonly id: string; readonly name: string; readonly close: () => void };

function Cancel({ id, name, close }: CancelProps) {
  const { moves: t } = useTexts(campaignsTexts);
  const { number } = useFormats();
  const { data } = useStatistics({ id, status: "SENDING" });
  const left = data ? data.pendingCount + data.queuedCount : 0;
  const cancelling = useMove("cancel", () => {
    close();
    showToast(t.cancelled);
  });
  return (
    <Question
      title={t.cancelTitle(name)}
      close={close}
      cancel={t.keep}
      action={t.cancelNow}
      risk
      busy={cancelling.isPending}
      run={() => cancelling.mutate(id)}
      text={t.cancelText(left, number(left))}
    />
  );
}
