// /webhooks/:id/deliveries: the deliveries to an endpoint, with the answers, and sending one again.
import { t } from "elysia";
import type { Access } from "../../../tenant/access/auth.ts";
import { get, post, routes } from "../../../tenant/access/route-table.ts";
import { cursorShapeOf, idShape } from "../../../http/answer-shapes.ts";
import { parameter, wholeNumber } from "../../../http/schemas.ts";
import { cursorOf, keyInCursor } from "../../../store/page.ts";
import type { Reader } from "../../../store/store.ts";
import { sendAgain, sendExample, wholeDelivery } from "./delivery.ts";
import { deliveriesOf } from "./delivery-queries.ts";
import { findEndpoint } from "./endpoint.ts";
import { deliveryRecord, deliveryShape, EVENT_CALL, typeShape, wholeDeliveryShape } from "./record.ts";
import { maySeeHeaders } from "./routes.ts";

const LIST = "webhook-deliveries";
const DEFAULT_LIMIT = 50;

const listing = t.Object({
  state: parameter(t.Literal("FAILED"), "Only those that were given up."),
  limit: parameter(wholeNumber(1, 100, DEFAULT_LIMIT), "How many deliveries a page has at most."),
  cursor: parameter(t.String({ maxLength: 200 }), "The `cursor` of the page before."),
});

export function deliveryRoutes(access: Access) {
  return routes(access, [
    get(
      "/webhooks/:id/deliveries",
      {
        name: "listWebhookDeliveries",
        summary: "List what a webhook was sent, newest first",
        answers: { 200: cursorShapeOf(deliveryShape, "WebhookDeliveryPage") },
        permission: "read",
        query: listing,
        refuses: ["WEBHOOK_NOT_FOUND"],
      },
      async (reader, { params, query, caller }) => {
        const { seq } = await findEndpoint(reader, caller.workspace, params.id);
        return pageOf(reader, seq, query);
      },
      "long",
    ),
    get(
      "/webhooks/:id/deliveries/:deliveryId",
      {
        name: "getWebhookDelivery",
        summary: "Get one delivery with its request and all attempts",
        answers: { 200: wholeDeliveryShape },
        permission: "read",
        refuses: ["WEBHOOK_NOT_FOUND", "DELIVERY_NOT_FOUND"],
      },
      async (reader, { params, caller }) => {
        const endpoint = await findEndpoint(reader, caller.workspace, params.id);
        const { workspaceId } = caller;
        return wholeDelivery(reader, endpoint, params.deliveryId, { workspaceId, headers: maySeeHeaders(caller) });
      },
    ),
    post(
      "/webhooks/:id/deliveries/:deliveryId/replay",
      {
        name: "replayWebhookDelivery",
        summary: "Send one delivery again",
        answers: { 200: wholeDeliveryShape },
        permission: "keys",
        managers: true,
        refuses: ["WEBHOOK_NOT_FOUND", "DELIVERY_NOT_FOUND", "WEBHOOK_STATE"],
        description: "It is sent with the same `webhook-id`, also while the webhook is off.",
        sends: EVENT_CALL,
      },
      async (tx, { params, caller }) => {
        const endpoint = await findEndpoint(tx, caller.workspace, params.id);
        await sendAgain(tx, endpoint, params.deliveryId);
        const { workspaceId } = caller;
        return wholeDelivery(tx, endpoint, params.deliveryId, { workspaceId, headers: maySeeHeaders(caller) });
      },
      { about: ({ contactId }) => (contactId === null ? [] : [contactId]) },
    ),
    post(
      "/webhooks/:id/test",
      {
        name: "testWebhook",
        summary: "Send an example to a webhook",
        answers: { 202: t.Object({ deliveryId: idShape }, { title: "WebhookTest" }) },
        permission: "keys",
        managers: true,
        body: t.Object({ type: typeShape }, { examples: [{ type: "email.bounce" }] }),
        refuses: ["WEBHOOK_NOT_FOUND"],
        description:
          "The example looks like an event of this type, and no other webhook gets it. It is sent also while the webhook is off; its delivery shows the answer.",
        sends: EVENT_CALL,
      },
      async (tx, { params, body, caller }) => ({
        deliveryId: await sendExample(tx, await findEndpoint(tx, caller.workspace, params.id), body.type),
      }),
    ),
  ]);
}

async function pageOf(
  reader: Reader,
  endpoint: number,
  { state, limit = DEFAULT_LIMIT, cursor }: typeof listing.static,
) {
  const before = cursor === undefined ? null : keyInCursor(LIST, "string", cursor);
  const found = await deliveriesOf(reader, { endpoint, failed: state === "FAILED", before }, limit + 1);
  const shown = found.slice(0, limit);
  const last = found.length > limit ? shown.at(-1) : undefined;
  return { data: shown.map(deliveryRecord), cursor: last ? cursorOf(LIST, last.id) : null, hasMore: Boolean(last) };
}
