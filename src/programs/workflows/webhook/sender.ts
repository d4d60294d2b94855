// Steps of workflows as senders of webhooks: a call is rendered, and waits while its workflow is disabled.
import { iso } from "../../../base/clock.ts";
import { renderedTexts } from "../../../content/rendering/parts.ts";
import type { Renderer } from "../../../content/rendering/renderer.ts";
import type { Store, Tx } from "../../../store/store.ts";
import {
  UnfitRequest,
  type AttemptResult,
  type WebhookSender,
  type WebhookRequest,
} from "../../webhooks/sending/call.ts";
import { WEBHOOK_DUE } from "../../webhooks/sending/queue.ts";
import { originOf } from "../../webhooks/sending/url.ts";
import { webhookSecrets } from "../../../tenant/workspaces/queries.ts";
import type { WebhookConfig } from "../definition/definition.ts";
import { Versions } from "../definition/version.ts";
import { hold, insertCall, release, type NewCall } from "../../webhooks/sending/step-queries.ts";
import { callsOfDisabled, isDisabled, lockDisabled, stepCalls, type StepCall } from "./queries.ts";
import { requestOf, textsOf } from "./request.ts";

/** The others follow when these are claimed, so that enabling a workflow stays quick. */
const MAX_RELEASED = 1_000;

export async function queueCall(tx: Tx, url: string, call: Omit<NewCall, "origin">): Promise<void> {
  await insertCall(tx, { ...call, origin: originOf(url) ?? "" });
  tx.signal(WEBHOOK_DUE);
}

/** For workflows that are enabled. */
export async function releaseCalls(tx: Tx, workflows: readonly number[]): Promise<void> {
  if (workflows.length > 0 && (await release(tx, workflows, MAX_RELEASED)) > 0) tx.signal(WEBHOOK_DUE);
}

/** The webhook of a step, with the number of attempts. */
export type SentStep = StepCall & { readonly attempts: number; readonly isByHand: boolean };

/** A webhook is delivered or given up: its step has the result, and its execution goes on. */
type OnSettle = (tx: Tx, call: SentStep, result: AttemptResult, config: WebhookConfig) => Promise<void>;

type StepSenderOptions = { readonly store: Store; readonly renderer: Renderer; readonly onSettled: OnSettle };

export function stepSender({ store, renderer, onSettled }: StepSenderOptions): WebhookSender {
  const versions = new Versions();
  const configOf = async ({ version, stepId }: StepCall): Promise<WebhookConfig> => {
    const { steps } = await store.read((reader) => versions.bySeq(reader, version));
    return steps.find(({ id }) => id === stepId)?.config as WebhookConfig;
  };
  /** @throws UnfitRequest if its texts take too long to render, or cannot be sent */
  const request = async (call: StepCall): Promise<WebhookRequest | null> => {
    const config = await configOf(call);
    const asked = [textsOf(config, call.payload)];
    const { parts, excess } = await renderer.render(call.workspace, asked, { longestWaitMs: Infinity });
    if (excess) throw new UnfitRequest(excess.reason);
    const made = requestOf(config, call.payload, renderedTexts(parts[0]));
    return (await store.read((reader) => isDisabled(reader, call.workflow))) ? null : made;
  };
  return {
    admit: holdDisabled,
    calls: async (tx, claimed) => {
      const known = new Map(claimed.map((one) => [one.seq, one]));
      const found = await stepCalls(tx, [...known.keys()]);
      await releaseCalls(tx, [...new Set(found.map(({ workflow }) => workflow))]);
      return found.map((call) => {
        const delivery = known.get(call.seq) as (typeof claimed)[number];
        const { attempts, isByHand } = delivery;
        return {
          ...delivery,
          signedAs: "webhook",
          secrets: (reader, nowMs) => webhookSecrets(reader, call.workspace, iso(nowMs)),
          request: () => request(call),
          onAttempt: async (inTx, result) => {
            if (result.outcome === "later") return;
            const { steps } = await versions.bySeq(inTx, call.version);
            const config = steps.find(({ id }) => id === call.stepId)?.config as WebhookConfig;
            await onSettled(inTx, { ...call, attempts, isByHand }, result, config);
          },
        };
      });
    },
  };
}

/** Holds the due calls whose workflows are disabled; answers the others. */
async function holdDisabled(tx: Tx, deliveries: readonly number[]): Promise<readonly number[]> {
  const disabled = await callsOfDisabled(tx, deliveries);
  if (disabled.length === 0) return deliveries;
  const workflows = [...new Set(disabled.map(({ workflow }) => workflow))];
  // Enabling at this moment releases the calls held by then: none may be held after it.
  for (const workflow of await lockDisabled(tx, workflows)) {
    const own = disabled.filter((call) => call.workflow === workflow);
    const ownCalls = own.map(({ seq }) => seq);
    await hold(tx, workflow, ownCalls);
  }
  // Others may be due after these.
  tx.signal(WEBHOOK_DUE);
  const held = new Set(disabled.map(({ seq }) => seq));
  return deliveries.filter((seq) => !held.has(seq));
}
