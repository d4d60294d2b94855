// The webhooks room: calls to other people's servers, sent by steps of workflows and by endpoints.
import { networkInterfaces } from "node:os";
import type { Access } from "../../tenant/access/auth.ts";
import type { Ground, Room } from "../../ground/ground.ts";
import { deliveryRoutes } from "./endpoints/delivery-routes.ts";
import { forgetOld, forgetRemoved, forgetTaken } from "./endpoints/forgetting.ts";
import { replayRoutes } from "./endpoints/replay-routes.ts";
import { endpointRoutes } from "./endpoints/routes.ts";
import { endpointSender, type OnSwitchedOff } from "./endpoints/sender.ts";
import { endCallLeases, recallCalls } from "./sending/queries.ts";
import { WEBHOOK_DUE } from "./sending/queue.ts";
import { WebhookLoop } from "./sending/loop.ts";
import type { WebhookSender } from "./sending/call.ts";
import { machineLookUp, type LookUp } from "./sending/target.ts";
import { LOOK_OFTEN_MS } from "../../base/jobs/due.ts";

type WebhookOptions = {
  readonly steps: WebhookSender;
  readonly onSwitchedOff: OnSwitchedOff;
  /** True while callers leave little time for deferrable work. */
  readonly isCrowded: () => boolean;
  /** Resolves the hosts of webhooks; by default as the machine does. */
  readonly lookUp?: LookUp | undefined;
};

export async function openWebhooks(
  ground: Ground,
  access: Access,
  { steps, onSwitchedOff, isCrowded, lookUp = machineLookUp }: WebhookOptions,
): Promise<Room> {
  const { config, store, secrets, clock } = ground;
  const { allow } = config.webhooks;
  // No other process works on this store, so every claim was left by a process that is gone.
  if (store.exclusive) await store.write(endCallLeases);
  const loop = new WebhookLoop({
    ...ground,
    senders: { steps, endpoints: endpointSender(onSwitchedOff) },
    isCrowded,
    allow,
    get timeoutMs() {
      return config.webhooks.timeoutSeconds * 1000;
    },
    lookUp,
    interfaces: networkInterfaces,
  });
  return {
    routes: [endpointRoutes(access, { secrets, allow }), deliveryRoutes(access), replayRoutes(access)],
    recall: async (tx) => void (await recallCalls(tx)),
    loops: [
      {
        name: "sending webhooks",
        step: () => loop.step(),
        wokenBy: WEBHOOK_DUE,
        inHand: loop.inHand,
        lookEveryMs: LOOK_OFTEN_MS,
      },
      { name: "deleting the rest of removed webhooks", step: () => forgetRemoved(store) },
      {
        name: "deleting old events of webhooks",
        step: () => forgetOld(store, clock.nowMs(), config.retention),
        goesByDate: true,
      },
      {
        name: "deleting webhooks that were delivered",
        step: () => forgetTaken(store, clock.nowMs(), config.webhooks.deliveredDays),
        goesByDate: true,
      },
    ],
  };
}
