// The deliveries of an endpoint: shown, sent again, and tried with an example.
import { AppError, invalidField } from "../../../base/errors.ts";
import { newId } from "../../../base/ids.ts";
import type { Reader, Tx } from "../../../store/store.ts";
import { attemptsOf } from "../sending/attempt-queries.ts";
import { WEBHOOK_DUE } from "../sending/queue.ts";
import { maskedHeaders } from "../sending/url.ts";
import { deliveryById, insertDelivery, setSentAgain, type FoundDelivery } from "./delivery-queries.ts";
import { insertTest } from "./event-queries.ts";
import type { EventType } from "../../../tenant/events/catalog.ts";
import { exampleOf } from "./examples.ts";
import { FORMATS, hasType } from "../formats/table.ts";
import { lacks } from "./patterns.ts";
import type { Endpoint } from "./queries.ts";
import { wholeRecord, type wholeDeliveryShape } from "./record.ts";
import { bodyOf } from "./sender.ts";

/** To one endpoint of one event, before it can no longer be sent again. */
export const MOST_ATTEMPTS = 100;

/** @throws AppError DELIVERY_NOT_FOUND */
async function findDelivery(reader: Reader, endpoint: Endpoint, id: string): Promise<FoundDelivery> {
  const delivery = await deliveryById(reader, endpoint.seq, id.toLowerCase());
  if (!delivery) throw new AppError("DELIVERY_NOT_FOUND", `There is no delivery ${id} to this webhook.`);
  return delivery;
}

type DeliveryView = { readonly workspaceId: string; readonly headers: boolean };

export async function wholeDelivery(
  reader: Reader,
  endpoint: Endpoint,
  id: string,
  seenBy: DeliveryView,
): Promise<typeof wholeDeliveryShape.static> {
  const { data, contactId, ...delivery } = await findDelivery(reader, endpoint, id);
  const headers = seenBy.headers ? endpoint.headers : maskedHeaders(endpoint.headers);
  const ownType = Object.keys(headers).some((name) => name.toLowerCase() === "content-type");
  const { signedAs } = FORMATS[endpoint.format];
  const request = {
    url: endpoint.url,
    headers: {
      ...(ownType ? {} : { "content-type": "application/json" }),
      ...headers,
      ...(signedAs && { [`${signedAs}-id`]: delivery.id }),
    },
    body: bodyOf({ ...delivery, workspaceId: seenBy.workspaceId, data }, endpoint.format) ?? "",
  };
  return wholeRecord(delivery, { contactId, request, attempts: await attemptsOf(reader, [delivery.seq]) });
}

/**
 * Sends it again with the same id, also while the endpoint is off. @throws AppError DELIVERY_NOT_FOUND; WEBHOOK_STATE
 * if it is being sent, or has been sent too often
 */
export async function sendAgain(tx: Tx, endpoint: Endpoint, id: string): Promise<void> {
  const { seq } = await findDelivery(tx, endpoint, id);
  if ((await setSentAgain(tx, seq, MOST_ATTEMPTS)) === 0)
    throw new AppError("WEBHOOK_STATE", `It is being sent right now, or it has been sent ${MOST_ATTEMPTS} times.`);
  tx.signal(WEBHOOK_DUE);
}

/**
 * Sends an example of this type, also while the endpoint is off; answers the id of the delivery. @throws AppError
 * VALIDATION_ERROR: its format has no such type
 */
export async function sendExample(tx: Tx, { workspace, seq, format }: Endpoint, type: EventType): Promise<string> {
  if (!hasType(format, type)) throw invalidField("type", lacks(format, type), "not_in_format");
  const id = newId(tx.nowMs);
  const event = { id, workspace, type, data: exampleOf(type, tx.nowMs) };
  await insertDelivery(tx, await insertTest(tx, event), seq);
  tx.signal(WEBHOOK_DUE);
  return id;
}
