// The webhooks room: calls of other people's servers, which steps of workflows and endpoints have sent.
import { networkInterfaces } from "node:os";
import type { Ground, Room } from "../ground.ts";
import { endCallLeases, recallCalls } from "./sending/queries.ts";
import { WEBHOOK_DUE } from "./sending/queue.ts";
import { WebhookLoop } from "./sending/loop.ts";
import type { Sender } from "./sending/call.ts";
import { machineLookUp, type LookUp } from "./sending/target.ts";

type WebhookOptions = {
  readonly steps: Sender;
  /** The addresses of hosts that webhooks go to; as the machine finds them unless given. */
  readonly lookUp?: LookUp | undefined;
};

export async function openWebhooks(ground: Ground, { steps, lookUp = machineLookUp }: WebhookOptions): Promise<Room> {
  const { config, store } = ground;
  const { allow, timeoutSeconds } = config.webhooks;
  // No other process works on this store, so every claim was left by one that is gone.
  if (store.exclusive) await store.write(endCallLeases);
  const loop = new WebhookLoop({
    ...ground,
    senders: { steps, endpoints: steps },
    allow,
    timeoutMs: timeoutSeconds * 1000,
    lookUp,
    interfaces: networkInterfaces,
  });
  return {
    recall: async (tx) => void (await recallCalls(tx)),
    loops: [{ name: "sending webhooks", step: () => loop.step(), wokenBy: WEBHOOK_DUE, inHand: loop.inHand }],
  };
}
