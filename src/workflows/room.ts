// The workflows room: definitions, executions and the webhooks that they send.
import { networkInterfaces } from "node:os";
import type { Renderer } from "../rendering/renderer.ts";
import type { Ground, Room } from "../ground.ts";
import type { Access } from "../access/auth.ts";
import { drawingRoutes } from "./definition/drawing-routes.ts";
import { fieldRoutes } from "./definition/field-routes.ts";
import { workflowRoutes } from "./definition/routes.ts";
import { scheduleRoutes } from "./definition/schedule-routes.ts";
import { versionRoutes } from "./definition/version-routes.ts";
import type { OnEnabled } from "./definition/workflow.ts";
import { EXECUTION_DUE } from "./execution/execution.ts";
import { forgetDeleted, forgetExecutions } from "./execution/forgetting.ts";
import { countRoutes } from "./execution/count-routes.ts";
import { executionListRoutes } from "./execution/list-routes.ts";
import { executionRoutes } from "./execution/routes.ts";
import { recallExecutions } from "./execution/recall.ts";
import { RunLoop } from "./execution/run-loop.ts";
import { startScheduled } from "./execution/schedule-loop.ts";
import { simulationRoutes } from "./execution/simulation-routes.ts";
import { forgetUnstarted } from "./execution/unstarted.ts";
import { unstartedRoutes } from "./execution/unstarted-routes.ts";
import { afterWebhook } from "./execution/webhook-step.ts";
import { webhookAttemptRoutes } from "./webhook/attempt-routes.ts";
import { WebhookLoop } from "./webhook/loop.ts";
import { endCallLeases, recallCalls } from "./webhook/queries.ts";
import { releaseCalls, WEBHOOK_DUE } from "./webhook/queue.ts";
import { machineLookUp, type LookUp } from "./webhook/target.ts";

type WorkflowOptions = {
  readonly renderer: Renderer;
  /** The addresses of hosts that webhooks go to; as the machine finds them unless given. */
  readonly lookUp?: LookUp | undefined;
};

export async function openWorkflows(ground: Ground, access: Access, options: WorkflowOptions): Promise<Room> {
  const { config, store } = ground;
  const { renderer, lookUp = machineLookUp } = options;
  const { allow, timeoutSeconds } = config.webhooks;
  // No other process works on this store, so every claim was left by one that is gone.
  if (store.exclusive) await store.write(endCallLeases);
  const runs = new RunLoop(ground);
  const timeoutMs = timeoutSeconds * 1000;
  const webhooks = new WebhookLoop({
    ...ground,
    renderer,
    allow,
    timeoutMs,
    lookUp,
    interfaces: networkInterfaces,
    onSettled: afterWebhook,
  });
  const onEnabled: OnEnabled = (tx, workflow) => releaseCalls(tx, [workflow]);
  return {
    recall: async (tx) => {
      await recallCalls(tx);
      await recallExecutions(tx);
    },
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
      { name: "running workflows", step: () => runs.step(), wokenBy: EXECUTION_DUE },
      { name: "sending webhooks", step: () => webhooks.step(), wokenBy: WEBHOOK_DUE, inHand: webhooks.inHand },
      { name: "starting scheduled workflows", step: () => startScheduled(ground), goesByDate: true },
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
