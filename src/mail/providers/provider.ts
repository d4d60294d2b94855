// The interface of a provider: the proof of its requests, and the meaning of each of its events.
import type { DeliveryNotice } from "../inbound/bounces/notice.ts";

export type ProviderJson = Readonly<Record<string, unknown>>;

/** A request as it came in. */
export type ProviderRequest = {
  readonly headers: Headers;
  readonly text: string;
  /** Contains the events. */
  readonly body: unknown;
};

/** The mail of an event: found by the first of these that is given. */
export type ProviderMailRef = {
  /** Our id, as it was sent along. */
  readonly emailId: string;
  /** With or without its brackets; counts together with the recipient. */
  readonly messageId: string;
  readonly recipient: string;
  /** The provider's id from its acceptance of the mail. */
  readonly remoteId: string;
};

type VisitNotice = {
  readonly kind: "visited";
  /** Null = opened. */ readonly link: string | null;
  readonly isMachine: boolean;
};
export type ProviderEvent = { readonly about: Partial<ProviderMailRef>; readonly what: DeliveryNotice | VisitNotice };

export type ProviderAdapter = {
  /** As its users spell it. */
  readonly title: string;
  /** The kind of `relay.provider_key`: without it, only the secret path proves a request. */
  readonly key: "signing key" | "user:password";
  /** Whether the request comes from the provider and is recent. */
  readonly isGenuine: (posted: ProviderRequest, key: string | null, nowMs: number) => boolean;
  /** The token that the provider signs and uses once. Each event counts once, too, by its whole content. */
  readonly onceOf?: (posted: ProviderRequest) => string;
  /** The events of a body. */
  readonly eventsOf: (body: unknown) => readonly ProviderJson[];
  /** Null for an event that changes nothing. */
  readonly read: (event: ProviderJson) => ProviderEvent | null;
};

export function jsonRecord(value: unknown): ProviderJson {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as ProviderJson) : {};
}

/** Without characters that the store cannot keep; a number as its digits. */
export function word(value: unknown): string {
  if (typeof value === "number") return String(value);
  return typeof value === "string" ? value.replaceAll("\0", "").slice(0, 2_000).toWellFormed() : "";
}

/** One event, or a list of them. */
export function oneOrMany(body: unknown): readonly ProviderJson[] {
  return (Array.isArray(body) ? body : [body]).map(jsonRecord);
}

/** The first of these that is not empty. */
export function firstOf(...values: readonly unknown[]): string {
  return values.map(word).find((value) => value !== "") ?? "";
}
