// API calls for webhooks.
import type { components, operations } from "../../api.gen.ts";
import { queries } from "../../calls/queries.ts";
import { query } from "../../calls/query.ts";

export type Hook = components["schemas"]["Webhook"];
export type Delivery = components["schemas"]["WebhookDelivery"];
export type HookInput = operations["createWebhook"]["requestBody"]["content"]["application/json"];

export const hooksQuery = query("GET /webhooks", {}, { select: ({ webhooks }) => webhooks });

export const hookQuery = (id: string) => query("GET /webhooks/{id}", { id });

export function again(): Promise<void> {
  return queries.invalidateQueries({ queryKey: ["webhooks"] });
}
