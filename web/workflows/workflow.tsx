// One workflow: edit, test, save; its people and history.
import { useSuspenseQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { CopyActions, ResourceBar, ResourceTabs } from "../parts/bar.tsx";
import { useFormats } from "../base/formats.ts";
import { useTexts } from "../base/language.ts";
import { Button } from "../parts/button.tsx";
import { Label } from "../parts/state.tsx";
import { UnsavedGuard } from "../parts/fields/unsaved.tsx";
import { KeptInFiles } from "../saving/kept-in-files.tsx";
import { useDisabledReason } from "../calls/session.ts";
import { workflowsTexts } from "../texts/areas.ts";
import { useCommands } from "../commands.ts";
import { WorkflowActions } from "./actions.tsx";
import { useCounts, useNotStarted, workflowQuery } from "./calls.ts";
import { useValidation } from "./use-validation.ts";
import { stepsAndTransitions, type Workflow } from "./drawing.ts";
import { Editor } from "./editor/editor.tsx";
import { useTemplates } from "./forms/known.ts";
import { useNewborn } from "./editor/newborn.ts";
import { OnOff } from "./on-off.tsx";
import { ConflictBanner } from "./editor/conflict-banner.tsx";
import { drawingOf } from "./drawing.ts";
import { HistoryTest } from "./test-run/history-test.tsx";
import { WorkflowPeople } from "./executions/workflow-people.tsx";
import { TABS, type WorkflowTab, useWorkflowSearch } from "./search.ts";
import type { StepNames } from "./describe-step.ts";
import { NotStarted } from "./executions/not-started.tsx";
import { Versions } from "./editor/versions.tsx";
import { useUndoKeys, useDraft } from "./editor/use-draft.ts";
import "./workflow.css";

const route = getRouteApi("/frame/workflows/$id");

export function WorkflowScreen() {
  const { id } = route.useParams();
  return <LoadedWorkflow key={id} id={id} />;
}

export function useStepNames(): StepNames {
  const t = useTexts(workflowsTexts);
  const { number } = useFormats();
  const templates = useTemplates();
  // Memoised: the canvas computes its layout again when they change.
  return useMemo(
    () => ({ t, number, templates: new Map(templates.map((template) => [template.id, template])) }),
    [t, number, templates],
  );
}

function LoadedWorkflow({ id }: { readonly id: string }) {
  const words = useStepNames();
  const { t } = words;
  const { data: workflow } = useSuspenseQuery(workflowQuery(id));
  const { tab = "canvas", step } = useWorkflowSearch();
  const counts = useCounts(id);
  const { first } = useNotStarted(id);
  const numbers: Partial<Record<WorkflowTab, number | undefined>> = {
    people: counts?.executions.inside,
    unstarted: first?.total,
  };
  const disabledReason = useDisabledReason("workflows.write");
  const [shows, show] = useState<"past" | "versions" | null>(null);
  const work = useDraft(workflow);
  const { history } = work;
  const { checked, bear, isWaiting } = useNewborn(useValidation(id, history.now), history.now, step);
  useUndoKeys(disabledReason === undefined ? history : null);
  const save = () => work.save();
  useCommands([
    {
      id: "save workflow",
      name: t.save,
      icon: "check",
      run: save,
      disabledReason: disabledReason ?? work.saveDisabledReason(t),
    },
    { id: "against the past", name: t.pastCheck.title, icon: "clock", run: () => show("past") },
  ]);
  return (
    <>
      <ResourceBar
        back={<Link to="/workflows">{t.title}</Link>}
        title={workflow.name}
        call={{ path: `/workflows/${id}` }}
        actions={
          <>
            <span className="inline wide-only">
              <Button
                kind="quiet"
                icon="undo"
                label={t.undo}
                disabledReason={history.undo ? undefined : t.nothingToUndo}
                onClick={() => history.undo?.()}
              />
              <Button
                kind="quiet"
                icon="redo"
                label={t.redo}
                disabledReason={history.redo ? undefined : t.nothingToRedo}
                onClick={() => history.redo?.()}
              />
              <Button
                kind={history.isChanged ? "first" : undefined}
                busy={work.isSaving}
                disabledReason={
                  disabledReason ??
                  work.saveDisabledReason(t) ??
                  (checked.isFaulty ? (isWaiting ? t.fillFirst : t.mendFirst) : undefined)
                }
                onClick={save}
              >
                {t.save}
              </Button>
              <OnOff
                workflow={workflow}
                isChanged={history.isChanged}
                isLacking={checked.isLacking}
                drawing={history.now}
                disabledReason={disabledReason}
              />
            </span>
            <CopyActions />
            <WorkflowActions
              workflow={workflow}
              inside={counts?.executions.inside ?? 0}
              disabledReason={disabledReason}
              showVersions={() => show("versions")}
            />
          </>
        }
      >
        <StatePill workflow={workflow} words={words} />
        <ResourceTabs
          label={t.parts}
          names={TABS}
          texts={t.tabs}
          open={tab}
          first="canvas"
          mark={(name) => numbers[name] !== undefined && <span className="n">{words.number(numbers[name])}</span>}
          isRemembered
        />
      </ResourceBar>
      <KeptInFiles kind="workflows" id={id} />
      {work.isOvertaken && (
        <ConflictBanner
          theirs={work.takeTheirs}
          mine={work.keepMine}
          drawings={{ theirs: drawingOf(workflow), mine: history.now }}
          words={words}
        />
      )}
      {tab === "canvas" && (
        <Editor
          workflow={workflow}
          words={words}
          history={history}
          checked={checked}
          bear={bear}
          counts={counts}
          disabledReason={disabledReason}
          fault={work.fault}
          showPast={() => show("past")}
        />
      )}
      {(tab === "people" || tab === "past") && (
        <WorkflowPeople workflow={workflow} words={words} tab={tab} disabledReason={disabledReason} />
      )}
      {tab === "unstarted" && <NotStarted id={id} words={words} />}
      {history.isChanged && <UnsavedGuard />}
      {shows === "past" && <HistoryTest id={id} drawing={history.now} close={() => show(null)} />}
      {shows === "versions" && (
        <Versions
          id={id}
          close={() => show(null)}
          draw={
            disabledReason === undefined
              ? (version) => history.set({ ...history.now, ...stepsAndTransitions(version) })
              : null
          }
        />
      )}
    </>
  );
}

function StatePill({
  workflow: { enabled, version },
  words: { t, number },
}: {
  readonly workflow: Workflow;
  readonly words: StepNames;
}) {
  return (
    <Label pill icon={enabled ? "on" : "off"} tone={enabled ? "ok" : undefined}>
      {enabled ? t.onVersion(number(version)) : t.offVersion(number(version))}
    </Label>
  );
}
