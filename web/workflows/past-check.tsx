// What would the last thirty days have started? Counted by the event that is on the canvas, saved or not.
import { useQuery } from "@tanstack/react-query";
import { api, unwrap } from "../api.ts";
import { useFormats } from "../formats.ts";
import { useTexts } from "../language.ts";
import { Button } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Skeleton } from "../parts/layout.tsx";
import { Number } from "../parts/number.tsx";
import { workflowsTexts } from "../texts/areas.ts";
import type { Drawing } from "./drawing.ts";

const DAYS = 30;

type PastProps = { readonly id: string; readonly drawing: Drawing; readonly close: () => void };

export function PastCheck({ id, drawing, close }: PastProps) {
  const { pastCheck: t } = useTexts(workflowsTexts);
  return (
    <Dialog title={t.title} isOpen onClose={close} actions={<Button onClick={close}>{t.close}</Button>}>
      <Answer id={id} drawing={drawing} />
    </Dialog>
  );
}

function Answer({ id, drawing: { trigger, reentry } }: Omit<PastProps, "close">) {
  const { pastCheck: t, atLeast } = useTexts(workflowsTexts);
  const { number } = useFormats();
  const eventName = trigger.type === "EVENT" ? String(trigger.config["eventName"] ?? "") : "";
  const { data } = useQuery({
    queryKey: ["workflow past", id, eventName, reentry],
    queryFn: () =>
      unwrap(
        api.POST("/workflows/{id}/simulate-past", {
          params: { path: { id } },
          body: { days: DAYS, eventName, reentry },
        }),
      ),
    enabled: eventName !== "",
    throwOnError: false,
  });
  if (eventName === "") return <p>{t.notEvent}</p>;
  if (!data) return <Skeleton rows={2} columns={2} />;
  const said = (count: number) => (data.isLowerBound ? atLeast(number(count)) : number(count));
  if (data.events === 0) return <p>{t.none}</p>;
  return (
    <div className="stack">
      <Number
        value={said(data.wouldEnter)}
        label={t.start(said(data.wouldEnter)).replace(said(data.wouldEnter), "").trim()}
      />
      <p className="dim">
        {t.events(said(data.events), eventName)} {t.people(said(data.contacts))}. {t.entering[reentry]}
      </p>
    </div>
  );
}
