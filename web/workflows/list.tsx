// The list of workflows, newest first, with their counts.
import { getRouteApi, Link } from "@tanstack/react-router";
import { useFormats } from "../base/formats.ts";
import { useTexts } from "../base/language.ts";
import { Line } from "../lists/line.tsx";
import { ListScreen } from "../lists/list-screen.tsx";
import { Label } from "../parts/state.tsx";
import { useDisabledReason } from "../calls/session.ts";
import { workflowsTexts } from "../texts/areas.ts";
import { useTallies, useWorkflows, type ListedWorkflow, type Tally } from "./calls.ts";
import type { StepNames } from "./describe-step.ts";
import { NewWorkflow } from "./starters/new-workflow.tsx";
import { describeSchedule } from "./schedule.ts";
import type { WorkflowsSearch } from "./search.ts";
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
      make={{
        id: "new workflow",
        icon: "workflows",
        run: () => show({ search, make: "true" }),
        disabledReason,
      }}
      example={CREATE}
      search={{ value: search, onChange: (words) => show({ search: words }) }}
      clear={() => show({ search: undefined })}
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
      total={total}
      pages={pages}
    >
      {makes && disabledReason === undefined && <NewWorkflow form={form} close={() => show({ search })} />}
    </ListScreen>
  );
}

function Row({ workflow, tally }: { readonly workflow: ListedWorkflow; readonly tally: Tally | undefined }) {
  const t = useTexts(workflowsTexts);
  return (
    <Line icon="workflows" name={workflow.name} link={{ to: "/workflows/$id", params: { id: workflow.id } }}>
      <span className="dim cut">{triggerText(workflow, t)}</span>
      <ExecutionCounts id={workflow.id} tally={tally} />
      <Label icon={workflow.enabled ? "on" : "off"} tone={workflow.enabled ? "ok" : undefined}>
        {workflow.enabled ? t.on : t.off}
      </Label>
    </Line>
  );
}

function triggerText({ triggerType, triggerConfig }: ListedWorkflow, t: StepNames["t"]): string {
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
  const tallyText = (count: number) => (tally.isLowerBound ? t.atLeast(number(count)) : number(count));
  return (
    <span className="nums-of">
      <span className="end" data-label={t.heads.started}>
        <Link className="opens" to="/workflows/$id" params={{ id }} search={{ tab: "people", of: "started" }}>
          {tallyText(tally.started)}
        </Link>
      </span>
      <span className="end" data-label={t.heads.inside}>
        <Link className="opens" to="/workflows/$id" params={{ id }} search={{ tab: "people" }}>
          {tallyText(tally.inside)}
        </Link>
      </span>
      <span className="end" data-label={t.heads.failed}>
        <Link
          className={tally.failed > 0 ? "opens bad-ink" : "opens"}
          to="/workflows/$id"
          params={{ id }}
          search={{ tab: "past", of: "failed" }}
        >
          {tallyText(tally.failed)}
        </Link>
      </span>
    </span>
  );
}
