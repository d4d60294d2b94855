// All ways out in their order, with how they are doing.
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useCommands } from "../../commands.ts";
import { useFormats } from "../../formats.ts";
import { useTexts } from "../../language.ts";
import { Button } from "../../parts/button.tsx";
import { Panel, Skeleton } from "../../parts/layout.tsx";
import { ResourceActions, type ResourceAction } from "../../parts/resource-actions.tsx";
import { Label } from "../../parts/state.tsx";
import { Time } from "../../parts/time.tsx";
import { showToast } from "../../parts/toast.tsx";
import { warmupTexts, waysTexts } from "../../texts/areas.ts";
import { useTurnWay, waysQuery, type Way } from "./calls.ts";
import { PauseQuestion, RemoveQuestion, TryDialog } from "./questions.tsx";
import { LOOKS, stateOf } from "./state.ts";
import { StartQuestion } from "./warmups.tsx";
import { AddWay, EditWay } from "./way-form.tsx";

export function WayList() {
  const t = useTexts(waysTexts);
  const { data, ...asked } = useQuery(waysQuery);
  const [adds, setAdds] = useState(false);
  useCommands([{ id: "add way", name: t.add.action, icon: "plus", run: () => setAdds(true) }]);
  return (
    <Panel
      title={t.title}
      actions={
        <span className="push">
          <Button small icon="plus" onClick={() => setAdds(true)}>
            {t.add.action}
          </Button>
        </span>
      }
    >
      <p className="pad row-text dim">{t.text}</p>
      {data ? (
        <ul className="rows all-ways">
          {data.map((way) => (
            <Row key={way.name} way={way} />
          ))}
        </ul>
      ) : (
        <Skeleton of={asked} className="all-ways" rows={2} columns={3} />
      )}
      {adds && <AddWay close={() => setAdds(false)} />}
    </Panel>
  );
}

function Row({ way }: { readonly way: Way }) {
  const t = useTexts(waysTexts);
  const { number } = useFormats();
  const { name, source, kind, ratePerSecond, price } = way;
  const rate = ratePerSecond === null ? t.unlimited : t.rate(number(ratePerSecond));
  return (
    <li className="line">
      <span className="cut">
        <b>{name}</b> {source === "CONFIGURATION" && <span className="dim">{t.configured}</span>}
        <br />
        <span className="dim small">
          {kind === "capture" && name !== "default" ? t.kept : placeIn(way, t.fields.kinds)}
        </span>
      </span>
      <Health way={way} />
      <span className="dim small cut">{price === null ? rate : `${rate}, ${t.price(number(price))}`}</span>
      <ResourceActions label={t.actions(name)} kind="way" thing={name} actions={useActions(way)} />
    </li>
  );
}

function placeIn({ kind, place }: Way, kinds: Readonly<Record<Way["kind"], string>>): string {
  if (place === null) return kinds[kind];
  return kind === "ses" ? `${kinds.ses}, ${place}` : place;
}

function Health({ way }: { readonly way: Way }) {
  const t = useTexts(waysTexts);
  const is = stateOf(way);
  const problem = way.problemCode === null ? null : t.problems[way.problemCode];
  const why = problem ?? way.problem ?? (is === "OPEN" ? way.state?.reply : null);
  return (
    <span className="cut">
      <Label {...LOOKS[is]}>
        {t.states[is]} {is === "PAUSED" && way.pausedAt !== null && <Time at={way.pausedAt} as="brief" />}
      </Label>
      {why && (
        <>
          <br />
          <span className="dim small" title={why}>
            {why}
          </span>
        </>
      )}
      {way.refusedDomains.map(({ domain, problem, problemValues }) => {
        const refusal = t.refuses(domain, problemValues["reply"] ?? problem ?? "");
        return (
          <span key={domain}>
            <br />
            <span className="small" title={refusal}>
              {refusal}
            </span>
          </span>
        );
      })}
    </span>
  );
}

function useActions(way: Way): readonly ResourceAction[] {
  const { name, pausedAt, source } = way;
  const t = useTexts(waysTexts);
  const warmup = useTexts(warmupTexts);
  const resuming = useTurnWay(name, "resume", () => showToast(t.resume.done(name)));
  const disabledReason = source === "CONFIGURATION" ? t.changedThere : undefined;
  return [
    {
      id: "try",
      name: t.test.action,
      icon: "again",
      reads: true,
      dialog: (close) => <TryDialog way={way} close={close} />,
    },
    {
      id: "edit",
      name: t.edit.action,
      icon: "pencil",
      disabledReason,
      dialog: (close) => <EditWay way={way} close={close} />,
    },
    ...(way.kind === "capture"
      ? []
      : [
          {
            id: "warm-up",
            name: warmup.actions.start,
            icon: "clock" as const,
            dialog: (close: () => void) => <StartQuestion way={way} close={close} />,
          },
        ]),
    "line",
    pausedAt === null
      ? {
          id: "pause",
          name: t.pause.action,
          icon: "pause",
          dialog: (close) => <PauseQuestion way={way} close={close} />,
        }
      : { id: "resume", name: t.resume.action, icon: "play", run: () => resuming.mutate() },
    {
      id: "remove",
      name: t.remove.action,
      icon: "trash",
      risk: true,
      disabledReason,
      dialog: (close) => <RemoveQuestion way={way} close={close} />,
    },
  ];
}
