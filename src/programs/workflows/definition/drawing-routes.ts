// PUT /workflows/{id} and POST /workflows/{id}/check: a workflow drawn as a whole.
import { t } from "elysia";
import { AppError, readAll, type FieldError } from "../../../base/errors.ts";
import { nullable } from "../../../http/answer-shapes.ts";
import type { Reader } from "../../../store/store.ts";
import type { Access } from "../../../tenant/access/auth.ts";
import { queryPost, put, routes } from "../../../tenant/access/route-table.ts";
import { readDraft, stepAt, type WorkflowDrawing } from "./draft.ts";
import { withStepsRecord, withStepsShape } from "./record.ts";
import { readEntering, type EnteringInput } from "./reentry.ts";
import { notedWhole } from "./advice/noted-texts.ts";
import { publicRisks } from "./advice/public-risks.ts";
import { silentEvents } from "./advice/silent-events.ts";
import { replaceWorkflow } from "./replace.ts";
import { drawingShape, replacementShape } from "./shape.ts";
import { readTrigger, type TriggerInput } from "./trigger.ts";
import { warnOfPrivateHosts } from "./steps/webhook-config.ts";
import { findWithSteps, findWorkflow, type OnEnable } from "./workflow.ts";

type DrawingOptions = { readonly webhookAllow: readonly string[]; readonly onEnabled: OnEnable };

export function drawingRoutes(access: Access, { webhookAllow, onEnabled }: DrawingOptions) {
  const { clock } = access;
  return routes(access, [
    put(
      "/workflows/:id",
      {
        name: "replaceWorkflow",
        summary: "Replace the steps and transitions of a workflow",
        answers: { 200: withStepsShape },
        permission: "workflows.write",
        body: replacementShape,
        managers: true,
        refuses: ["WORKFLOW_NOT_FOUND", "SEGMENT_NOT_FOUND", "CONFLICT"],
        description:
          "All at once, or nothing. A step whose `ref` is the id of one that is there keeps it, and the people at it; steps and transitions that are not named go. The trigger stays.",
      },
      async (tx, { params, body, caller }) => {
        const place = { workspace: caller.workspace, id: params.id, onEnabled, webhookAllow };
        const workflow = await replaceWorkflow(tx, place, { ...notedWhole(body), by: caller.by });
        warnOfPrivateHosts(body, webhookAllow);
        return withStepsRecord(workflow, caller);
      },
    ),
    queryPost(
      "/workflows/:id/check",
      {
        name: "checkWorkflow",
        summary: "Check the steps and transitions of a workflow without saving them",
        answers: {
          200: t.Object(
            {
              faults: t.Array(
                t.Object({
                  field: t.String(),
                  message: t.String(),
                  code: t.String(),
                  ref: t.Union([t.String(), t.Null()], {
                    description: "The step that it is about; null = the workflow.",
                  }),
                  canSave: t.Boolean({ description: "It may be saved so, but not enabled." }),
                }),
              ),
              risks: t.Array(
                t.Object({ field: t.String(), message: t.String(), code: t.String(), ref: nullable(t.String()) }),
                {
                  description:
                    "What keeps it from nothing, but somebody should know: it shows what strangers can send, or waits for an event that has never happened.",
                },
              ),
            },
            { title: "WorkflowFaults" },
          ),
        },
        permission: "read",
        body: drawingShape,
        refuses: ["WORKFLOW_NOT_FOUND"],
        harmless: true,
        description:
          "Answers all that `PUT /workflows/{id}` would refuse, what the workflow lacks to be enabled, the steps that show data which anybody may send with a public key, and events that have never happened and that no form sends.",
      },
      async (reader, { params, body, caller: { workspace } }) => {
        const { steps: stored } = await findWithSteps(reader, workspace, params.id);
        const { faults, lacks } = await readDraft(reader, { workspace, webhookAllow, stored }, body);
        const own = await triggerFaults(reader, { workspace, id: params.id, nowMs: clock.nowMs() }, body);
        const told = (canSave: boolean) => (fault: FieldError) => ({ ...fault, ref: stepAt(fault, body), canSave });
        const whose = { workspace, id: params.id };
        const risks = [...(await silentEvents(reader, whose, body)), ...(await publicRisks(reader, whose, body))];
        return {
          faults: [...own, ...faults].map(told(false)).concat(lacks.map(told(true))),
          risks: risks.map((risk) => ({ ...risk, ref: stepAt(risk, body) })),
        };
      },
    ),
  ]);
}

type DrawingRequest = { readonly workspace: number; readonly id: string; readonly nowMs: number };

async function triggerFaults(
  reader: Reader,
  { workspace, id, nowMs }: DrawingRequest,
  input: TriggerInput & EnteringInput & WorkflowDrawing,
): Promise<readonly FieldError[]> {
  const workflow = await findWorkflow(reader, workspace, id);
  try {
    readAll({
      trigger: () => readTrigger(input, workflow.trigger, nowMs),
      entering: () => readEntering(input, workflow),
    });
    return [];
  } catch (error) {
    if (!(error instanceof AppError) || !error.details.errors) throw error;
    return error.details.errors;
  }
}
