// A campaign that is about to leave: for ten seconds there is Undo, and until its time it can be made a draft again.
import { useEffect, useState } from "react";
import { useNavigate } from "@tanstack/react-router";
import { useFormats } from "../formats.ts";
import { useZone } from "../workspace/zone.ts";
import { useTexts } from "../language.ts";
import { Banner } from "../parts/banner.tsx";
import { Button } from "../parts/button.tsx";
import { showToast } from "../parts/toast.tsx";
import { useDisabledReason } from "../session.ts";
import { signal, useSignal } from "../signal.ts";
import { campaignsTexts } from "../texts/areas.ts";
import { useVerbs } from "../verbs.ts";
import { useMove, type Campaign } from "./calls.ts";

export const UNDO_SECONDS = 10;
const SECOND_MS = 1_000;

/** When those that were just sent leave, by the clock of this page: by campaign. */
const leaving = signal<ReadonlyMap<string, number>>(new Map());

export function tellLeaving(id: string): void {
  leaving.set(new Map(leaving.get()).set(id, performance.now() + UNDO_SECONDS * SECOND_MS));
}

export function Leaving({ campaign }: { readonly campaign: Campaign }) {
  return campaign.status === "SCHEDULED" ? <About campaign={campaign} /> : null;
}

function About({ campaign: { id, scheduledFor } }: { readonly campaign: Campaign }) {
  const { send: t } = useTexts(campaignsTexts);
  const { inZone } = useFormats();
  const zone = useZone();
  const navigate = useNavigate();
  const disabledReason = useDisabledReason("campaigns.send");
  const seconds = useSecondsLeft(useSignal(leaving).get(id));
  const undoing = useMove("unschedule", () => {
    showToast(t.undone);
    void navigate({ to: "/campaigns/$id", params: { id }, search: { tab: "check" } });
  });
  const undo = () => undoing.mutate(id);
  const isNow = seconds !== null;
  useVerbs([{ id: "undo sending", name: isNow ? t.undo : t.takeBack, icon: "undo", run: undo, disabledReason }]);
  const said = !isNow
    ? t.scheduled(inZone(new Date(scheduledFor ?? 0), zone))
    : seconds > 0
      ? t.leaving(seconds)
      : t.leavingNow;
  return (
    <Banner
      tone="note"
      role="status"
      actions={
        <Button icon="undo" disabledReason={disabledReason} busy={undoing.isPending} onClick={undo}>
          {isNow ? t.undo : t.takeBack}
        </Button>
      }
    >
      <b>{said}</b>
    </Banner>
  );
}

/** Null for a campaign that was not just sent from here. */
function useSecondsLeft(endMs: number | undefined): number | null {
  const [nowMs, setNow] = useState(() => performance.now());
  const isOver = endMs !== undefined && nowMs >= endMs;
  useEffect(() => {
    if (endMs === undefined || isOver) return;
    const timer = setInterval(() => setNow(performance.now()), SECOND_MS / 4);
    return () => clearInterval(timer);
  }, [endMs, isOver]);
  return endMs === undefined ? null : Math.max(0, Math.ceil((endMs - nowMs) / SECOND_MS));
}
