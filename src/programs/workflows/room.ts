// The workflows room: definitions, and executions with the webhooks that they send.
import type { Renderer } from "../../content/rendering/renderer.ts";
import type { Ground, Room } from "../../ground/ground.ts";
import type { Access } from "../../tenant/access/auth.ts";
import { drawingRoutes } from "./definition/drawing-routes.ts";
import { fieldRoutes } from "./definition/field-routes.ts";
import { workflowRoutes } from "./definition/routes.ts";
import { scheduleRoutes } from "./definition/schedule-routes.ts";
import { versionRoutes } from "./definition/version-routes.ts";
import type { OnEnable } from "./definition/workflow.ts";
import { EXECUTION_DUE } from "./execution/execution.ts";
import { forgetDeleted, forgetExecutions } from "./execution/forgetting.ts";
import { countRoutes } from "./execution/counts/count-routes.ts";
import { executionListRoutes } from "./execution/list-routes.ts";
import { executionRoutes } from "./execution/routes.ts";
import { recallExecutions } from "./execution/recall.ts";
import { RunLoop } from "./execution/run-loop.ts";
import { startScheduled } from "./execution/schedule-loop.ts";
import { simulationRoutes } from "./execution/simulation/simulation-routes.ts";
import { forgetUnstarted } from "./execution/unstarted/unstarted.ts";
import { unstartedRoutes } from "./execution/unstarted/unstarted-routes.ts";
import { webhookAttemptRoutes } from "./webhook/attempt-routes.ts";
import { releaseCalls } from "./webhook/sender.ts";
import { LOOK_OFTEN_MS } from "../../base/jobs/due.ts";

export function openWorkflows(ground: Ground, access: Access, renderer: Renderer): Room {
  const { config, store } = ground;
  const { allow } = config.webhooks;
  const runs = new RunLoop(ground);
  const onEnabled: OnEnable = (tx, workflow) => releaseCalls(tx, [workflow]);
  return {
    recall: recallExecutions,
    routes: [
      drawingRoutes(access, { webhookAllow: allow, onEnabled }),
      scheduleRoutes(access),
      versionRoutes(access),
      fieldRoutes(access),
      workflowRoutes(access, { webhookAllow: allow, onEnabled }),
      countRoutes(access),
      executionListRoutes(access),
      executionRoutes(access),
      unstartedRoutes(access),
      simulationRoutes(access, renderer, allow),
      webhookAttemptRoutes(access),
    ],
    loops: [
      { name: "running workflows", step: () => runs.step(), wokenBy: EXECUTION_DUE, lookEveryMs: LOOK_OFTEN_MS },
      {
        name: "starting scheduled workflows",
        step: () => startScheduled(ground),
        goesByDate: true,
        lookEveryMs: LOOK_OFTEN_MS,
      },
      { name: "deleting the rest of deleted workflows", step: () => forgetDeleted(store) },
      {
        name: "deleting old executions",
        step: () => forgetExecutions(store, config.limits.executionDays),
        goesByDate: true,
      },
      {
        name: "deleting old events that started nothing",
        step: () => forgetUnstarted(store, config.limits.executionDays),
        goesByDate: true,
      },
    ],
  };
}
