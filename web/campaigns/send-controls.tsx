// Pause, resume and cancel for a campaign that is being sent.
import { useState } from "react";
import { useFormats } from "../base/formats.ts";
import { useTexts } from "../base/language.ts";
import { Button } from "../parts/button.tsx";
import { Question } from "../parts/fields/form-dialog.tsx";
import { showToast } from "../parts/overlays/toast.tsx";
import { useDisabledReason } from "../calls/session.ts";
import { campaignsTexts } from "../texts/areas.ts";
import { useCommands } from "../commands.ts";
import { useStatistics } from "./results/calls.ts";
import { useStatusChange, type Campaign } from "./calls.ts";

export function SendControls({ campaign }: { readonly campaign: Campaign }) {
  return campaign.status === "SENDING" ? <ControlButtons campaign={campaign} /> : null;
}

function ControlButtons({ campaign: { id, name, paused } }: { readonly campaign: Campaign }) {
  const { moves: t } = useTexts(campaignsTexts);
  const disabledReason = useDisabledReason("campaigns.send");
  const [isAsking, setAsking] = useState(false);
  const pausing = useStatusChange("pause", () => showToast(t.paused));
  const resuming = useStatusChange("resume", () => showToast(t.resumed));
  const next = paused
    ? { name: t.resume, verb: t.resumeName(name), icon: "play" as const, run: () => resuming.mutate(id) }
    : { name: t.pause, verb: t.pauseName(name), icon: "pause" as const, run: () => pausing.mutate(id) };
  useCommands([
    { id: "pause campaign", name: next.verb, icon: next.icon, run: next.run, disabledReason },
    { id: "cancel campaign", name: t.cancelName(name), icon: "x", run: () => setAsking(true), disabledReason },
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
      <Button kind="risk" className="wide-only" disabledReason={disabledReason} onClick={() => setAsking(true)}>
        {t.cancel}
      </Button>
      {isAsking && <Cancel id={id} name={name} close={() => setAsking(false)} />}
    </>
  );
}

type CancelProps = { readonly id: string; readonly name: string; readonly close: () => void };

function Cancel({ id, name, close }: CancelProps) {
  const { moves: t } = useTexts(campaignsTexts);
  const { number } = useFormats();
  const { data } = useStatistics({ id, status: "SENDING" });
  const left = data ? data.pendingCount + data.queuedCount : 0;
  const cancelling = useStatusChange("cancel", () => {
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
