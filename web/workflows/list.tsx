// The list of workflows, newest first, with their counts.
import { getRouteApi, Link } from "@tanstack/react-router";
import { useFormats } from "../formats.ts";
import { ListScreen } from "../frame/list-screen.tsx";
import { useTexts } from "../language.ts";
import { Icon } from "../parts/icon.tsx";
import { Label } from "../parts/state.tsx";
import { useDisabledReason } from "../session.ts";
import { workflowsTexts } from "../texts/areas.ts";
import { useTallies, useWorkflows, type Listed, type Tally } from "./calls.ts";
import type { StepNames } from "./describe-step.ts";
import { NewWorkflow } from "./new-workflow.tsx";
import { describeSchedule } from "./schedule.ts";
import type { WorkflowsSearch } from "./route.ts";
import "./workflows.css";

const route = getRouteApi("/frame/workflows");
const CREATE = {
  method: "POST",
  path: "/workflows",
  body: {
    name: "Welcome",
    eventName: "contact.subscribed",
    steps: [{ type: "DELAY", name: "Three days", config: { amount: 3, unit: "days" } }],
  },
} as const;

export function Workflows() {
  const { heads, ...t } = useTexts(workflowsTexts);
  const { search, make: makes, form } = route.useSearch();
  const navigate = route.useNavigate();
  const disabledReason = useDisabledReason("workflows.write");
  const { all, total, ...pages } = useWorkflows(search);
  const tallies = useTallies(all?.map(({ id }) => id) ?? []);
  const show = (next: { readonly search: string | undefined; readonly make?: string }) =>
    void navigate({ search: next as WorkflowsSearch, replace: true });
  return (
    <ListScreen
      texts={t}
      call={{ path: "/workflows", query: { search } }}
      make={() => show({ search, make: "true" })}
      disabledReason={disabledReason}
      example={CREATE}
      verb={{ id: "new workflow", icon: "workflows" }}
      search={search}
      find={(words) => show({ search: words })}
      className="workflows"
      columns={[
        null,
        heads.name,
        heads.startedBy,
        { end: heads.started },
        { end: heads.inside },
        { end: heads.failed },
        heads.state,
      ]}
      items={all}
      of={pages}
      row={(workflow) => <Row key={workflow.id} workflow={workflow} tally={tallies?.get(workflow.id)} />}
      shown={all && t.shown(all.length, total)}
      pages={pages}
    >
      {makes && disabledReason === undefined && <NewWorkflow form={form} close={() => show({ search })} />}
    </ListScreen>
  );
}

function Row({ workflow, tally }: { readonly workflow: Listed; readonly tally: Tally | undefined }) {
  const t = useTexts(workflowsTexts);
  return (
    <div className="line">
      <Icon name="workflows" />
      <Link className="cut name-of" to="/workflows/$id" params={{ id: workflow.id }}>
        <b>{workflow.name}</b>
      </Link>
      <span className="dim cut">{triggerText(workflow, t)}</span>
      <ExecutionCounts id={workflow.id} tally={tally} />
      <Label icon={workflow.enabled ? "on" : "off"} tone={workflow.enabled ? "ok" : undefined}>
        {workflow.enabled ? t.on : t.off}
      </Label>
    </div>
  );
}

function triggerText({ triggerType, triggerConfig }: Listed, t: StepNames["t"]): string {
  const { eventName, cron } = triggerConfig as { readonly eventName?: string; readonly cron?: string };
  if (triggerType === "MANUAL") return t.byHand;
  return triggerType === "EVENT" ? t.byEvent(eventName ?? "") : describeSchedule(cron ?? "", t);
}

function ExecutionCounts({ id, tally }: { readonly id: string; readonly tally: Tally | undefined }) {
  const t = useTexts(workflowsTexts);
  const { number } = useFormats();
  if (!tally)
    return (
      <>
        <span />
        <span />
        <span />
      </>
    );
  const shown = (count: number) => (tally.isLowerBound ? t.atLeast(number(count)) : number(count));
  return (
    <span className="nums-of">
      <span className="end num-of" data-word={t.started}>
        <Link className="opens" to="/workflows/$id" params={{ id }} search={{ tab: "people", of: "started" }}>
          {shown(tally.started)}
        </Link>
      </span>
      <span className="end num-of" data-word={t.inside}>
        <Link className="opens" to="/workflows/$id" params={{ id }} search={{ tab: "people" }}>
          {shown(tally.inside)}
        </Link>
      </span>
      <span className="end num-of" data-word={t.failed}>
        <Link
          className={tally.failed > 0 ? "opens bad-ink" : "opens"}
          to="/workflows/$id"
          params={{ id }}
          search={{ tab: "past", of: "failed" }}
        >
          {shown(tally.failed)}
        </Link>
      </span>
    </span>
  );
}
