// All ways out in their order, with their state.
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useFormats } from "../../base/formats.ts";
import { useTexts } from "../../base/language.ts";
import { Line } from "../../lists/line.tsx";
import { List } from "../../lists/list.tsx";
import { ResourceActions, type ResourceAction } from "../../parts/overlays/resource-actions.tsx";
import { Label } from "../../parts/state.tsx";
import { Time } from "../../parts/time.tsx";
import { showToast } from "../../parts/overlays/toast.tsx";
import { warmupTexts, waysTexts } from "../../texts/areas.ts";
import { useTurnWay, waysQuery, type SendingRoute } from "./calls.ts";
import { PauseQuestion, RemoveQuestion, TryDialog } from "./questions.tsx";
import { SignInDialog } from "./sign-in.tsx";
import { LOOKS, stateOf } from "./state.ts";
import { StartQuestion } from "./warmups.tsx";
import { EditWay } from "./way-form.tsx";

export function WayList() {
  const t = useTexts(waysTexts);
  const { data, ...asked } = useQuery(waysQuery);
  return (
    <List
      isPart
      name={t.title}
      text={t.text}
      texts={t}
      className="all-ways"
      columns={[null, t.fields.name, t.heads.status, { end: t.heads.limit }, null]}
      items={data}
      of={asked}
      row={(way) => <Row key={way.name} way={way} />}
      empty={null}
    />
  );
}

function Row({ way }: { readonly way: SendingRoute }) {
  const t = useTexts(waysTexts);
  const { number } = useFormats();
  const [isOpen, setOpen] = useState(false);
  const { name, source, kind, ratePerSecond, price } = way;
  const isConfigured = source === "CONFIGURATION";
  const place = kind === "capture" && name !== "default" ? t.kept : placeIn(way, t.fields.kinds);
  const rate = ratePerSecond === null ? t.unlimited : t.rate(number(ratePerSecond));
  return (
    <Line
      icon="out"
      name={name}
      more={isConfigured ? `${place}, ${t.configured}` : place}
      open={isConfigured ? undefined : () => setOpen(true)}
    >
      <Health way={way} />
      <span className="dim small end">{price === null ? rate : `${rate}, ${t.price(number(price))}`}</span>
      <ResourceActions label={t.actions(name)} kind="way" thing={name} actions={useActions(way)} />
      {isOpen && <EditWay way={way} close={() => setOpen(false)} />}
    </Line>
  );
}

function placeIn({ kind, place }: SendingRoute, kinds: Readonly<Record<SendingRoute["kind"], string>>): string {
  if (place === null) return kinds[kind];
  return kind === "ses" || kind === "graph" ? `${kinds[kind]}, ${place}` : place;
}

function Health({ way }: { readonly way: SendingRoute }) {
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

function useActions(way: SendingRoute): readonly ResourceAction[] {
  const { name, pausedAt, source } = way;
  const t = useTexts(waysTexts);
  const warmup = useTexts(warmupTexts);
  const resuming = useTurnWay(name, "resume", () => showToast(t.resume.done(name)));
  const disabledReason = name === "default" ? t.defaultThere : source === "CONFIGURATION" ? t.changedThere : undefined;
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
    ...(way.allowsSignIn
      ? [
          {
            id: "sign-in",
            name: t.signIn.action,
            icon: "key" as const,
            dialog: (close: () => void) => <SignInDialog way={way} close={close} />,
          },
        ]
      : []),
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
