// Workflows: all of them, newest first, with how many are in each.
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { curlOf } from "../calls.ts";
import { useFormats } from "../formats.ts";
import { Bar } from "../frame/bar.tsx";
import { useTexts } from "../language.ts";
import { Button } from "../parts/button.tsx";
import { Icon } from "../parts/icon.tsx";
import { Skeleton, Empty } from "../parts/layout.tsx";
import { Label } from "../parts/state.tsx";
import { useDisabledReason } from "../session.ts";
import { workflowsTexts } from "../texts/areas.ts";
import { useVerbs } from "../verbs.ts";
import { useTallies, useWorkflows, type Listed, type Tally } from "./calls.ts";
import { MakeWorkflow } from "./make.tsx";
import type { WorkflowsSearch } from "./route.ts";
import "./workflows.css";

const route = getRouteApi("/frame/workflows");
const MAKE = {
  method: "POST",
  path: "/workflows",
  body: {
    name: "Welcome",
    eventName: "signup",
    steps: [{ type: "DELAY", name: "Three days", config: { amount: 3, unit: "days" } }],
  },
} as const;

export function Workflows() {
  const t = useTexts(workflowsTexts);
  const search = route.useSearch();
  const disabledReason = useDisabledReason("workflows.write");
  const navigate = useNavigate();
  const setMakes = (makes: boolean) =>
    void navigate({
      to: "/workflows",
      search: { ...(search.search ? { search: search.search } : {}), ...(makes ? { make: "true" } : {}) },
      replace: true,
    });
  const make = () => setMakes(true);
  useVerbs([{ id: "new workflow", name: t.make, icon: "workflows", run: make, disabledReason }]);
  return (
    <>
      <Bar
        title={t.title}
        call={{ path: "/workflows", query: search.search ? { search: search.search } : {} }}
        actions={
          <Button icon="plus" disabledReason={disabledReason} onClick={make}>
            {t.make}
          </Button>
        }
      />
      <Found search={search} disabledReason={disabledReason} make={make} />
      {search.make && disabledReason === undefined && <MakeWorkflow close={() => setMakes(false)} />}
    </>
  );
}

type FoundProps = {
  readonly search: WorkflowsSearch;
  readonly disabledReason: string | undefined;
  readonly make: () => void;
};

function Found({ search, disabledReason, make }: FoundProps) {
  const t = useTexts(workflowsTexts);
  const navigate = useNavigate();
  const { all, total, hasNextPage, fetchNextPage, isFetchingNextPage } = useWorkflows(search);
  const tallies = useTallies(all?.map(({ id }) => id) ?? []);
  if (all?.length === 0 && search.search === undefined)
    return (
      <div className="page">
        <Empty
          title={t.empty.title}
          curl={curlOf(MAKE)}
          action={
            <Button kind="first" icon="plus" disabledReason={disabledReason} onClick={make}>
              {t.make}
            </Button>
          }
        >
          {t.empty.text}
        </Empty>
      </div>
    );
  return (
    <div className="page">
      <input
        type="search"
        className="input find-workflows"
        aria-label={t.find}
        placeholder={t.find}
        defaultValue={search.search}
        onChange={({ target }) =>
          void navigate({ to: "/workflows", search: target.value ? { search: target.value } : {}, replace: true })
        }
      />
      <section className="panel" aria-label={t.title}>
        {all ? <Rows workflows={all} tallies={tallies} /> : <Skeleton rows={6} columns={5} className="workflows" />}
        {all?.length === 0 && <p className="pad dim row-text">{t.noMatch}</p>}
        {all && all.length > 0 && (
          <div className="foot">
            <span>{t.shown(all.length, total)}</span>
            {hasNextPage && (
              <Button small busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
                {t.more}
              </Button>
            )}
          </div>
        )}
      </section>
    </div>
  );
}

type RowsProps = { readonly workflows: readonly Listed[]; readonly tallies: ReadonlyMap<string, Tally> | null };

function Rows({ workflows, tallies }: RowsProps) {
  const { heads: t, ...words } = useTexts(workflowsTexts);
  return (
    <div className="rows workflows">
      <div className="head wide-only">
        <span />
        <span>{t.name}</span>
        <span>{t.startedBy}</span>
        <span className="end">{t.started}</span>
        <span className="end">{t.inside}</span>
        <span className="end">{t.failed}</span>
        <span>{t.state}</span>
      </div>
      {workflows.map((workflow) => (
        <div key={workflow.id} className="line">
          <Icon name="workflows" />
          <Link className="cut name-of" to="/workflows/$id" params={{ id: workflow.id }}>
            <b>{workflow.name}</b>
          </Link>
          <span className="dim cut">{startedBy(workflow, words)}</span>
          <Sums id={workflow.id} tally={tallies?.get(workflow.id)} />
          <Label icon={workflow.enabled ? "on" : "off"} {...(workflow.enabled ? { tone: "ok" as const } : {})}>
            {workflow.enabled ? words.on : words.off}
          </Label>
        </div>
      ))}
    </div>
  );
}

type Words = { byEvent: (name: string) => string; byHand: string; bySchedule: (cron: string) => string };

function startedBy({ triggerType, triggerConfig }: Listed, t: Words): string {
  const { eventName, cron } = triggerConfig as { readonly eventName?: string; readonly cron?: string };
  if (triggerType === "MANUAL") return t.byHand;
  return triggerType === "EVENT" ? t.byEvent(eventName ?? "") : t.bySchedule(cron ?? "");
}

function Sums({ id, tally }: { readonly id: string; readonly tally: Tally | undefined }) {
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
        <Link className="opens" to="/workflows/$id" params={{ id }}>
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
          search={{ tab: "past", status: "FAILED" }}
        >
          {shown(tally.failed)}
        </Link>
      </span>
    </span>
  );
}
