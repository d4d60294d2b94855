// The calls of webhooks.
import { call } from "../../api.ts";
import type { components, operations } from "../../api.gen.ts";
import { queries } from "../../queries.ts";

export type Hook = components["schemas"]["Webhook"];
export type Delivery = components["schemas"]["WebhookDelivery"];
export type HookInput = operations["createWebhook"]["requestBody"]["content"]["application/json"];
export const hooksQuery = {
  queryKey: ["webhooks", "all"],
  queryFn: async () => (await call("GET /webhooks")).webhooks,
};

export function hookQuery(id: string) {
  return {
    queryKey: ["webhooks", "one", id],
    queryFn: () => call("GET /webhooks/{id}", { id }),
  };
}

export function again(): Promise<void> {
  return queries.invalidateQueries({ queryKey: ["webhooks"] });
}
