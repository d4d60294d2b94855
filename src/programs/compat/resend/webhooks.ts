// Webhooks in Resend's fields: each of its events is one of ours, or several.
import { invalidField } from "../../../base/errors.ts";
import { typesOf } from "../../webhooks/endpoints/patterns.ts";
import { OURS_FOR_RESEND } from "../../webhooks/formats/resend.ts";
import { ignoredIn, listIn, nameIgnored, objectIn, textIn, type JsonFields, type FieldSupport } from "../fields.ts";
import type { OperationAnswer } from "../operations.ts";
import type { CompatCall, CompatRequest } from "../own-calls.ts";
import { deletion, type CallDeps } from "./call.ts";
import { listOf, pieceIn, pieceOf } from "./lists.ts";

const FIELDS: FieldSupport = { taken: ["endpoint", "events", "status"], refused: {} };

/** @throws AppError VALIDATION_ERROR for an event that would never come */
function eventsFrom(given: unknown): string[] | undefined {
  if (given == null) return undefined;
  const ours = listIn("events", given).flatMap((one, at) => {
    const event = textIn(`events.${at}`, one);
    const named = OURS_FOR_RESEND.get(event);
    if (named === undefined) throw invalidField(`events.${at}`, `Posthorn has no event ${event}.`, "unsupported");
    return named;
  });
  return [...new Set(ours)];
}

function webhookFrom({ body, set }: CompatRequest): JsonFields {
  const given = objectIn("request", body);
  nameIgnored(set.headers, ignoredIn(given, FIELDS));
  const { endpoint: url, events, status } = given;
  if (status != null && status !== "enabled" && status !== "disabled")
    throw invalidField("status", "This must be enabled or disabled.", "invalid");
  return { url, events: eventsFrom(events), enabled: status == null ? undefined : status === "enabled" };
}

function summaryOf({ id, url, events, format, enabled, createdAt }: OperationAnswer<"getWebhook">) {
  const types = typesOf(events, format);
  const named = [...OURS_FOR_RESEND].flatMap(([event, ours]) =>
    ours.some((one) => types.includes(one)) ? [event] : [],
  );
  return { id, endpoint: url, created_at: createdAt, status: enabled ? "enabled" : "disabled", events: named };
}

export function webhookCalls({ ours }: CallDeps): readonly CompatCall[] {
  return [
    {
      method: "POST",
      path: "/webhooks",
      own: "createWebhook",
      work: async (asked) => {
        const body = { ...webhookFrom(asked), format: "resend" };
        const { id, secret } = await ours.ask("createWebhook", asked, { body });
        return { object: "webhook", id, signing_secret: secret };
      },
    },
    {
      method: "GET",
      path: "/webhooks",
      own: "listWebhooks",
      work: async (asked) => {
        const { webhooks } = await ours.ask("listWebhooks", asked, {});
        const { items, hasMore } = pieceOf(webhooks, pieceIn(asked.request));
        return listOf(items.map(summaryOf), hasMore);
      },
    },
    {
      method: "GET",
      path: "/webhooks/:id",
      own: "getWebhook",
      work: async (asked) => {
        const webhook = await ours.ask("getWebhook", asked, { params: asked.params });
        return { object: "webhook", ...summaryOf(webhook), signing_secret: webhook.secret };
      },
    },
    {
      method: "PATCH",
      path: "/webhooks/:id",
      own: "updateWebhook",
      work: async (asked) => {
        const body = webhookFrom(asked);
        const { id } = await ours.ask("updateWebhook", asked, { params: asked.params, body });
        return { object: "webhook", id };
      },
    },
    {
      method: "POST",
      path: "/webhooks/:id/signing-secret/rotate",
      own: "rotateSecretOfWebhook",
      work: async (asked) => {
        const { id, secret } = await ours.ask("rotateSecretOfWebhook", asked, { params: asked.params });
        return { object: "webhook", id, signing_secret: secret };
      },
    },
    deletion(ours, { object: "webhook", path: "/webhooks/:id", own: "deleteWebhook" }),
  ];
}
