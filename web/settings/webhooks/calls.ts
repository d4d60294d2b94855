// The calls of webhooks.
import { api, unwrap } from "../../api.ts";
import type { components, operations } from "../../api.gen.ts";
import { queries } from "../../queries.ts";

export type Hook = components["schemas"]["Webhook"];
export type Delivery = components["schemas"]["WebhookDelivery"];
export type HookInput = operations["createWebhook"]["requestBody"]["content"]["application/json"];
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
