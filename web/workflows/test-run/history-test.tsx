// Tests the trigger, saved or not, on the last 30 days.
import { useQuery } from "@tanstack/react-query";
import { call } from "../../calls/api.ts";
import { useFormats } from "../../base/formats.ts";
import { useTexts } from "../../base/language.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/overlays/dialog.tsx";
import { Skeleton } from "../../parts/layout.tsx";
import { Number } from "../../parts/number.tsx";
import { workflowsTexts } from "../../texts/areas.ts";
import type { Drawing } from "../drawing.ts";

const DAYS = 30;

type HistoryTestProps = { readonly id: string; readonly drawing: Drawing; readonly close: () => void };

export function HistoryTest({ id, drawing, close }: HistoryTestProps) {
  const { pastCheck: t } = useTexts(workflowsTexts);
  return (
    <Dialog title={t.title} isOpen onClose={close} actions={<Button onClick={close}>{t.close}</Button>}>
      <Answer id={id} drawing={drawing} />
    </Dialog>
  );
}

function Answer({ id, drawing: { trigger, reentry } }: Omit<HistoryTestProps, "close">) {
  const { pastCheck: t, atLeast } = useTexts(workflowsTexts);
  const { number } = useFormats();
  const eventName = trigger.type === "EVENT" ? String(trigger.config["eventName"] ?? "") : "";
  const { data, ...asked } = useQuery({
    queryKey: ["workflow past", id, eventName, reentry],
    queryFn: () => call("POST /workflows/{id}/simulate-past", { id, body: { days: DAYS, eventName, reentry } }),
    enabled: eventName !== "",
    throwOnError: false,
  });
  if (eventName === "") return <p>{t.notEvent}</p>;
  if (!data) return <Skeleton of={asked} rows={2} columns={2} />;
  const countText = (count: number) => (data.isLowerBound ? atLeast(number(count)) : number(count));
  if (data.events === 0) return <p>{t.none}</p>;
  return (
    <div className="stack">
      <Number
        value={countText(data.wouldEnter)}
        label={t.start(countText(data.wouldEnter)).replace(countText(data.wouldEnter), "").trim()}
      />
      <p className="dim">
        {t.events(countText(data.events), eventName)} {t.people(countText(data.contacts))}. {t.entering[reentry]}
      </p>
    </div>
  );
}
