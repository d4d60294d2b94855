// A claimed webhook, and the hooks of its sender (a step of a workflow, an endpoint).
import type { Reader, Tx } from "../../../store/store.ts";
import type { SignatureName } from "./signature.ts";

export type WebhookRequest = {
  readonly url: URL;
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** The configured headers: no other origin gets them. */
  readonly headers: Readonly<Record<string, string>>;
  /** Null for GET. */
  readonly body: string | null;
  readonly contentType: string;
};

/** No request can be made, and no second attempt would change that. */
export class UnfitRequest extends Error {
  override readonly name = "UnfitRequest";
}

/** A row of the queue, as it was claimed. */
export type WebhookDelivery = {
  readonly seq: number;
  /** Public: the `webhook-id`. */
  readonly id: string;
  readonly workspace: number;
  readonly origin: string;
  /** Since it was queued, or last sent by hand. */
  readonly tries: number;
  readonly attempts: number;
  readonly isByHand: boolean;
};

export type AttemptResult = {
  readonly outcome: "delivered" | "later" | "failed";
  readonly status: number | null;
  readonly durationMs: number;
  readonly answer: string | null;
};

export type WebhookCall = WebhookDelivery & {
  /** Null = it is not signed. */
  readonly signedAs: SignatureName | null;
  /** The secrets that sign it at this moment, encrypted, the newest first. */
  readonly secrets: (reader: Reader, nowMs: number) => Promise<readonly string[]>;
  /** Null: it may not be sent at present. @throws UnfitRequest */
  readonly request: () => Promise<WebhookRequest | null>;
  /** After each attempt that counts. */
  readonly onAttempt: (tx: Tx, result: AttemptResult) => Promise<void>;
};

/** A source of webhooks. */
export type WebhookSender = {
  /** Answers those of these due deliveries that may be sent; holds or cancels the others. */
  readonly admit: (tx: Tx, deliveries: readonly number[]) => Promise<readonly number[]>;
  /** The calls of claimed deliveries. Without those about people who are being erased: they are deleted with them. */
  readonly calls: (tx: Tx, claimed: readonly WebhookDelivery[]) => Promise<readonly WebhookCall[]>;
};

export type Senders = { readonly steps: WebhookSender; readonly endpoints: WebhookSender };
