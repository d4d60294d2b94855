// The secret with which a workspace's webhooks are signed (Standard Webhooks, interface-gaps.md §6 "Webhook"): made with the
// workspace, encrypted in the store.
import { randomBytes } from "node:crypto";
import type { Secrets } from "../secrets.ts";
import type { Tx } from "../store/store.ts";
import { setWebhookSecret, workspacesWithoutSecret } from "./queries.ts";

const SECRET_BYTES = 32;

/** `whsec_` and 32 random bytes in base64. */
export function newWebhookSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString("base64")}`;
}

/** Takes the place of the one before, which signs nothing more. */
export async function rotateWebhookSecret(tx: Tx, secrets: Secrets, workspace: number): Promise<void> {
  await setWebhookSecret(tx, workspace, secrets.encrypt(newWebhookSecret()));
}

/** For workspaces that are older than webhooks. */
export async function giveWebhookSecrets(tx: Tx, secrets: Secrets): Promise<void> {
  for (const { seq } of await workspacesWithoutSecret(tx)) await rotateWebhookSecret(tx, secrets, seq);
}
