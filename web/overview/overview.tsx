// What needs somebody, what waits, how mail fares; and before the first mail, how to send it.
import { useQuery } from "@tanstack/react-query";
import { Bar } from "../frame/bar.tsx";
import { keep, kept } from "../kept.ts";
import { useTexts } from "../language.ts";
import { Button } from "../parts/button.tsx";
import { Skeleton } from "../parts/layout.tsx";
import { signal, useSignal } from "../signal.ts";
import { overviewTexts } from "../texts/areas.ts";
import { useVerbs } from "../verbs.ts";
import { overviewQuery, type Overview as OverviewData, type Steps } from "./calls.ts";
import { Campaigns } from "./campaigns.tsx";
import { Fares } from "./fares.tsx";
import { FirstMail } from "./first-mail.tsx";
import { MailPanel } from "./mail-panel.tsx";
import { NeedsYou } from "./needs.tsx";
import { QueuePanel } from "./queue.tsx";
import { StepsPanel } from "./steps.tsx";
import "./overview.css";

const HIDDEN = "hidden";
const stepsAreHidden = signal(kept("steps") === HIDDEN);

function hideSteps(hide: boolean): void {
  keep("steps", hide ? HIDDEN : null);
  stepsAreHidden.set(hide);
}

export function Overview() {
  const t = useTexts(overviewTexts);
  const { data } = useQuery(overviewQuery);
  const isHidden = useSignal(stepsAreHidden);
  const hasSteps = data !== undefined && !isDone(data.firstSteps);
  const toggle = () => hideSteps(!isHidden);
  const name = isHidden ? t.steps.show : t.steps.hide;
  useVerbs(hasSteps ? [{ id: "first steps", name, icon: "flag", run: toggle }] : []);
  const actions = hasSteps && (
    <Button kind="quiet" onClick={toggle}>
      {name}
    </Button>
  );
  return (
    <>
      <Bar title={t.title} call={{ path: "/overview" }} live actions={actions} />
      {data ? <Body data={data} showsSteps={hasSteps && !isHidden} /> : <Skeleton rows={4} columns={3} />}
    </>
  );
}

type BodyProps = { readonly data: OverviewData; readonly showsSteps: boolean };

function Body({ data: { attention, firstSteps }, showsSteps }: BodyProps) {
  if (showsSteps && !firstSteps.mailSent) return <FirstMail steps={firstSteps} needs={attention} />;
  return (
    <div className="page">
      <NeedsYou needs={attention} />
      <div className="cols overview">
        <div className="stack l">
          <MailPanel />
          <Campaigns />
        </div>
        <div className="stack l">
          <QueuePanel />
          <Fares />
          {showsSteps && <StepsPanel steps={firstSteps} />}
        </div>
      </div>
    </div>
  );
}

function isDone(steps: Steps): boolean {
  return Object.values(steps).every(Boolean);
}
