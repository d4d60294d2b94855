// Sends an alert to the operator by email or webhook. Faults are answers: an alert is tried again.
import { networkInterfaces } from "node:os";
import type { Config } from "../../base/config.ts";
import type { SendNow } from "../../sending/delivery/room.ts";
import type { Secrets } from "../../base/secrets.ts";
import type { Store } from "../../store/store.ts";
import { exchange } from "../../programs/webhooks/sending/exchange.ts";
import { signatureOf } from "../../programs/webhooks/sending/signature.ts";
import { machineLookUp, type LookUp } from "../../programs/webhooks/sending/target.ts";
import { alertLetter } from "./letter.ts";
import { callOf, type AlertNews } from "./words.ts";

/** In place of an address: the webhook of the configuration. */
export const WEBHOOK = "webhook";

export type AlertServices = {
  readonly store: Store;
  readonly config: Config;
  readonly secrets: Secrets;
  readonly sendNow: SendNow;
  readonly lookUp?: LookUp | undefined;
};

export function recipientsOf({ alerts }: Pick<Config, "alerts">): readonly string[] {
  return [...alerts.email, ...(alerts.webhook === null ? [] : [WEBHOOK])];
}

/** Null = sent; else why not. */
export async function sendAlert(teller: AlertServices, recipient: string, news: AlertNews): Promise<string | null> {
  return recipient === WEBHOOK ? call(teller, news) : mail(teller, recipient, news);
}

async function mail({ store, config, secrets, sendNow }: AlertServices, recipient: string, news: AlertNews) {
  const terms = { config, secrets, nowMs: store.clock.nowMs() };
  const letter = await store.read((reader) => alertLetter(reader, { recipient, news }, terms));
  const outcome = await sendNow(letter);
  return outcome.kind === "accepted" ? null : outcome.reply;
}

async function call({ store, config, lookUp = machineLookUp }: AlertServices, news: AlertNews): Promise<string | null> {
  const { webhook, webhookSecret } = config.alerts;
  if (webhook === null) return null;
  const url = new URL(webhook);
  const nowMs = store.clock.nowMs();
  const secrets = webhookSecret === null ? [] : [webhookSecret];
  // The same at each attempt, so that a receiver can recognize a repeated call.
  const sign = (body: string) =>
    secrets.length === 0
      ? {}
      : signatureOf({ id: `alert_${Date.parse(news.at)}`, as: "webhook", secrets }, body, nowMs);
  const body = JSON.stringify(callOf(news));
  const request = { url, method: "POST", headers: {}, body, contentType: "application/json" } as const;
  // The operator has named this host, so it may be a machine of the operator's own network.
  const allow = [...config.webhooks.allow, url.hostname.replace(/^\[|\]$/g, ""), url.host];
  const timeoutMs = config.webhooks.timeoutSeconds * 1000;
  const answer = await exchange(request, sign, { allow, lookUp, interfaces: networkInterfaces, timeoutMs });
  if (answer.kind !== "answered") return answer.reason;
  return answer.status >= 200 && answer.status < 300 ? null : `It answered ${answer.status}.`;
}
