// An error in place of the content that could not be loaded: what failed, why, and "Try again".
import { useEffect } from "react";
import { Fault } from "../calls/api.ts";
import { useTexts } from "../base/language.ts";
import { askAgain } from "../calls/queries.ts";
import { signal } from "../base/signal.ts";
import { frameTexts } from "../texts/areas.ts";
import { Button } from "./button.tsx";
import { StatusIcon } from "./icons/icon.tsx";
import { Refusal } from "./refusal.tsx";

/** Faults that are shown beside their field or panel; the bar above the page shows the others. */
export const shownFaults = signal<readonly unknown[]>([]);

export function useShown(fault: unknown): void {
  useEffect(() => {
    if (fault == null) return;
    shownFaults.set([...shownFaults.get(), fault]);
    return () => shownFaults.set(shownFaults.get().toSpliced(shownFaults.get().indexOf(fault), 1));
  }, [fault]);
}

type FailedProps = { readonly fault: unknown; readonly busy?: boolean };

export function Failed({ fault, busy }: FailedProps) {
  const t = useTexts(frameTexts).failed;
  useShown(fault);
  return (
    <div className="not-loaded" role="status">
      <StatusIcon name="warn" tone="warn" />
      <p>
        <b>{t.title}</b> <Reason fault={fault} />
      </p>
      <Button icon="again" busy={busy} onClick={askAgain}>
        {t.again}
      </Button>
    </div>
  );
}

/** The reason, as a sentence. */
export function Reason({ fault }: { readonly fault: unknown }) {
  const { failed, fault: t, wrong } = useTexts(frameTexts);
  if (!(fault instanceof Fault)) return t.other;
  const { code, status, requestId } = fault;
  if (code === "NO_ANSWER") return navigator.onLine ? t.away : failed.offline;
  if (code === "TOO_LATE") return failed.late;
  if (code === "UNREADABLE") return failed.unreadable;
  if (code === "") return failed.status(status);
  if (code !== "INTERNAL_ERROR") return <Refusal fault={fault} />;
  return (
    <>
      {failed.error} {requestId && [wrong.request, " ", <code key="id">{requestId}</code>]}
    </>
  );
}
