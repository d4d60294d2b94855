// The calls of webhooks.
import { api, unwrap } from "../../api.ts";
import type { components, operations } from "../../api.gen.ts";
import { queries } from "../../queries.ts";

export type Hook = components["schemas"]["Webhook"];
export type Delivery = components["schemas"]["WebhookDelivery"];
export type HookInput = operations["createWebhook"]["requestBody"]["content"]["application/json"];
/** `email.bounce`, `email.*` or `*`. */
export type Pattern = HookInput["events"][number];
export type EventType = operations["testWebhook"]["requestBody"]["content"]["application/json"]["type"];

/** As the server has them (src/webhooks/endpoints/patterns.ts), kind by kind. */
export const TYPES = {
  email: ["accepted", "sent", "deferred", "failed", "delivery", "open", "click", "bounce", "complaint", "received"],
  contact: ["created", "updated", "subscribed", "unsubscribed", "erased"],
  suppression: ["added", "removed"],
  segment: ["entry", "exit"],
  event: ["tracked"],
  campaign: ["started", "blocked", "finished"],
  domain: ["verified", "failing"],
  import: ["finished"],
} as const;

export const ALL_TYPES = Object.entries(TYPES).flatMap(([kind, names]) =>
  names.map((name) => `${kind}.${name}` as EventType),
);

export const hooksQuery = {
  queryKey: ["webhooks", "all"],
  queryFn: async () => (await unwrap(api.GET("/webhooks"))).webhooks,
};

export function hookQuery(id: string) {
  return {
    queryKey: ["webhooks", "one", id],
    queryFn: () => unwrap(api.GET("/webhooks/{id}", { params: { path: { id } } })),
  };
}

export function again(): Promise<void> {
  return queries.invalidateQueries({ queryKey: ["webhooks"] });
}
