// Endpoints as senders of webhooks: their calls, and switching off an endpoint that fails.
import { DAY_MS, iso } from "../../../base/clock.ts";
import { json } from "../../../store/columns.ts";
import type { Tx } from "../../../store/store.ts";
import { bodyIn, FORMATS, hasType } from "../formats/table.ts";
import {
  UnfitRequest,
  type AttemptResult,
  type WebhookCall,
  type WebhookDelivery,
  type WebhookSender,
} from "../sending/call.ts";
import { WEBHOOK_DUE } from "../sending/queue.ts";
import { admitted, cancelDue, endpointCalls, type EndpointCall } from "./delivery-queries.ts";
import { lacks } from "./patterns.ts";
import { setFailing, setMended, switchOff, type Endpoint } from "./queries.ts";

/** How long an endpoint may go without a successful call. */
const OFF_AFTER_MS = 3 * DAY_MS;

/** An endpoint has been switched off. */
export type OnSwitchedOff = (tx: Tx, off: { readonly workspace: number; readonly url: string }) => Promise<void>;

export function endpointSender(onSwitchedOff: OnSwitchedOff): WebhookSender {
  return {
    admit: async (tx, deliveries) => {
      const those = await admitted(tx, deliveries);
      const others = deliveries.filter((seq) => !those.includes(seq));
      if (others.length > 0) {
        await cancelDue(tx, others);
        // More may be due after these.
        tx.signal(WEBHOOK_DUE);
      }
      return those;
    },
    calls: async (tx, claimed) => {
      const known = new Map(claimed.map((one) => [one.seq, one]));
      const found = await endpointCalls(tx, [...known.keys()]);
      return found.map((call) => callOf(known.get(call.seq) as WebhookDelivery, call, onSwitchedOff));
    },
  };
}

function callOf(delivery: WebhookDelivery, call: EndpointCall, onSwitchedOff: OnSwitchedOff): WebhookCall {
  const { secret, formerSecret, formerUntil, format } = call;
  return {
    ...delivery,
    signedAs: FORMATS[format].signedAs,
    secrets: async (_, nowMs) =>
      formerSecret !== null && formerUntil !== null && formerUntil > iso(nowMs) ? [secret, formerSecret] : [secret],
    request: async () => {
      const body = bodyOf(call, format);
      // The call was due before the format was changed.
      if (body === null) throw new UnfitRequest(lacks(format, call.type));
      return { url: new URL(call.url), method: "POST", headers: call.headers, body, contentType: "application/json" };
    },
    // A call that this format cannot express says nothing about the endpoint.
    onAttempt: async (tx, result) => {
      if (hasType(format, call.type)) await noteAttempt(tx, delivery, { call, result, onSwitchedOff });
    },
  };
}

/** The body, always the same for the same event; null if the format has no such event. */
export function bodyOf({ data, ...told }: BodyParts, format: Endpoint["format"]): string | null {
  return bodyIn(format, { ...told, data: json(data) });
}

type BodyParts = Pick<EndpointCall, "id" | "type" | "createdAt" | "workspaceId" | "data">;

type EndpointAttempt = {
  readonly call: EndpointCall;
  readonly result: AttemptResult;
  readonly onSwitchedOff: OnSwitchedOff;
};

/** A delivery sent by hand is a trial: it shows that an endpoint works, but not that it has failed since then. */
async function noteAttempt(
  tx: Tx,
  { workspace, isByHand }: WebhookDelivery,
  { call: { endpoint, url, failingSince }, result, onSwitchedOff }: EndpointAttempt,
): Promise<void> {
  if (result.outcome === "delivered") {
    // Another attempt may have failed since this one began.
    await setMended(tx, endpoint);
    return;
  }
  if (isByHand) return;
  if (failingSince === null) await setFailing(tx, endpoint);
  else if ((await switchOff(tx, endpoint, iso(tx.nowMs - OFF_AFTER_MS))) > 0)
    await onSwitchedOff(tx, { workspace, url });
}
