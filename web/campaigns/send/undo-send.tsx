// The banner of a scheduled campaign: Undo for ten seconds after sending, then "Back to draft" until its time.
import { useEffect, useState } from "react";
import { useNavigate } from "@tanstack/react-router";
import { useFormats } from "../../base/formats.ts";
import { useZone } from "../../calls/zone.ts";
import { useTexts } from "../../base/language.ts";
import { Banner } from "../../parts/banner.tsx";
import { Button } from "../../parts/button.tsx";
import { useFocusBack } from "../../parts/overlays/dialog.tsx";
import { showToast } from "../../parts/overlays/toast.tsx";
import { useDisabledReason } from "../../calls/session.ts";
import { signal, useSignal } from "../../base/signal.ts";
import { campaignsTexts } from "../../texts/areas.ts";
import { useCommands } from "../../commands.ts";
import { useStatusChange, type Campaign } from "../calls.ts";

export const UNDO_SECONDS = 10;
const SECOND_MS = 1_000;

/** When the sending of just-sent campaigns starts, by id, as `performance.now()`. */
const sendTimes = signal<ReadonlyMap<string, number>>(new Map());

export function startUndoWindow(id: string): void {
  sendTimes.set(new Map(sendTimes.get()).set(id, performance.now() + UNDO_SECONDS * SECOND_MS));
}

export function UndoSend({ campaign }: { readonly campaign: Campaign }) {
  return campaign.status === "SCHEDULED" ? <UndoBanner campaign={campaign} /> : null;
}

function UndoBanner({ campaign: { id, scheduledFor } }: { readonly campaign: Campaign }) {
  const { send: t } = useTexts(campaignsTexts);
  const { inZone } = useFormats();
  const zone = useZone();
  const navigate = useNavigate();
  const disabledReason = useDisabledReason("campaigns.send");
  const seconds = useSecondsLeft(useSignal(sendTimes).get(id));
  const undoing = useStatusChange("unschedule", () => {
    showToast(t.undone);
    focusChecks();
    void navigate({ to: "/campaigns/$id", params: { id }, search: { tab: "check" } });
  });
  const undo = () => undoing.mutate(id);
  // The banner also disappears when the sending starts.
  useFocusBack("main .tabs [aria-current=page]");
  const isNow = seconds !== null;
  useCommands([{ id: "undo sending", name: isNow ? t.undo : t.takeBack, icon: "undo", run: undo, disabledReason }]);
  const message = !isNow
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
      <b>{message}</b>
    </Banner>
  );
}

/** Moves the focus to the tab of the checks: the banner and its button disappear before that tab is the current one. */
function focusChecks(): void {
  const { activeElement: focused } = document;
  if (focused !== document.body && !focused?.closest(".banner")) return;
  document.querySelector<HTMLElement>("main .tabs a[href*='tab=check']")?.focus({ preventScroll: true });
}

/** Null unless the campaign was just sent from this page. */
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
