// /webhooks: endpoints, which get events without a workflow.
import { t } from "elysia";
import type { Access } from "../../../tenant/access/auth.ts";
import { maySeeSecrets, refuseUnproven, type Caller } from "../../../tenant/access/caller.ts";
import { get, patch, post, remove, routes } from "../../../tenant/access/route-table.ts";
import { iso } from "../../../base/clock.ts";
import { noteWarning } from "../../../http/body/body-notes.ts";
import { optional, wholeNumber } from "../../../http/schemas.ts";
import { privateHost } from "../sending/private-host.ts";
import {
  changeEndpoint,
  createEndpoint,
  findEndpoint,
  removeEndpoint,
  rotateSecret,
  type EndpointTerms,
} from "./endpoint.ts";
import { endpointsOf } from "./queries.ts";
import { endpointChangeShape, endpointInputShape, endpointRecord, endpointShape, EVENT_CALL } from "./record.ts";

const DEFAULT_OVERLAP_HOURS = 24;

/** Header values are shown only to callers who may change endpoints. */
export function maySeeHeaders(caller: Caller): boolean {
  return caller.person === null ? maySeeSecrets(caller) : caller.person.permissions.has("keys");
}

function warnOfPrivateHost(body: object, url: string | null | undefined, allow: readonly string[]): void {
  const message = url == null ? null : privateHost(url, allow);
  if (message !== null) noteWarning(body, { field: "url", message });
}

export const endpointListShape = t.Object({ webhooks: t.Array(endpointShape) }, { title: "Webhooks" });

export function endpointRoutes(access: Access, terms: EndpointTerms) {
  const { secrets, allow } = terms;
  const seenBy = (caller: Caller) => ({
    secrets: maySeeSecrets(caller) ? secrets : null,
    headers: maySeeHeaders(caller),
    now: iso(access.clock.nowMs()),
  });
  return routes(access, [
    get(
      "/webhooks",
      {
        name: "listWebhooks",
        summary: "List webhooks",
        answers: { 200: endpointListShape },
        permission: "read",
        description:
          "`secret` is null for a key that is scoped to domains, and for people without the permission `keys` and a fresh proof.",
      },
      async (reader, { caller }) => ({
        webhooks: (await endpointsOf(reader, caller.workspace)).map((one) => endpointRecord(one, seenBy(caller))),
      }),
    ),
    post(
      "/webhooks",
      {
        name: "createWebhook",
        summary: "Add a webhook",
        answers: { 201: endpointShape },
        permission: "keys",
        proof: true,
        managers: true,
        body: endpointInputShape,
        refuses: ["CONFLICT"],
        sends: EVENT_CALL,
      },
      async (tx, { body, caller }) => {
        warnOfPrivateHost(body, body.url, allow);
        return endpointRecord(await createEndpoint(tx, caller.workspace, body, terms), { ...seenBy(caller), secrets });
      },
      { sealedBy: secrets },
    ),
    get(
      "/webhooks/:id",
      {
        name: "getWebhook",
        summary: "Get a webhook",
        answers: { 200: endpointShape },
        permission: "read",
        refuses: ["WEBHOOK_NOT_FOUND"],
      },
      async (reader, { params, caller }) =>
        endpointRecord(await findEndpoint(reader, caller.workspace, params.id), seenBy(caller)),
    ),
    patch(
      "/webhooks/:id",
      {
        name: "updateWebhook",
        summary: "Change a webhook, or switch it on or off",
        answers: { 200: endpointShape },
        permission: "keys",
        managers: true,
        body: endpointChangeShape,
        refuses: ["WEBHOOK_NOT_FOUND", "PROOF_NEEDED", "CONFLICT"],
        description:
          "While it is off nothing is sent to it, and what happens is kept for a replay. People need a fresh proof to change the URL.",
      },
      async (tx, { params, body, caller }) => {
        if (body.url != null && body.url !== (await findEndpoint(tx, caller.workspace, params.id)).url)
          refuseUnproven(caller.person);
        warnOfPrivateHost(body, body.url, allow);
        return endpointRecord(
          await changeEndpoint(tx, { workspace: caller.workspace, id: params.id }, body, allow),
          seenBy(caller),
        );
      },
    ),
    remove(
      "/webhooks/:id",
      {
        name: "deleteWebhook",
        summary: "Delete a webhook",
        answers: { 204: null },
        permission: "keys",
        managers: true,
        refuses: ["WEBHOOK_NOT_FOUND"],
      },
      (tx, { params, caller }) => removeEndpoint(tx, caller.workspace, params.id),
    ),
    post(
      "/webhooks/:id/rotate-secret",
      {
        name: "rotateSecretOfWebhook",
        summary: "Replace the secret of a webhook",
        answers: { 200: endpointShape },
        permission: "keys",
        proof: true,
        managers: true,
        body: t.Object(
          {
            overlapHours: optional(
              wholeNumber(0, 72, DEFAULT_OVERLAP_HOURS),
              "For so long the secret before it signs as well.",
            ),
          },
          { examples: [{ overlapHours: 24 }] },
        ),
        refuses: ["WEBHOOK_NOT_FOUND", "WEBHOOK_STATE"],
      },
      async (tx, { params, body, caller }) => {
        const endpoint = await findEndpoint(tx, caller.workspace, params.id);
        const rotated = await rotateSecret(tx, endpoint, body.overlapHours ?? DEFAULT_OVERLAP_HOURS, secrets);
        return endpointRecord(rotated, seenBy(caller));
      },
      { sealedBy: secrets },
    ),
  ]);
}
