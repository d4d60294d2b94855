// What a provider is: how its requests are proved, and what each of its events says of a mail.
import type { DeliveryNotice } from "../inbound/bounces/notice.ts";

export type ProviderJson = Readonly<Record<string, unknown>>;

/** A request as it came in. */
export type ProviderRequest = {
  readonly headers: Headers;
  readonly text: string;
  /** The events are in it. */
  readonly body: unknown;
};

/** How the mail of an event is found: by what is first there. */
export type ProviderMailRef = {
  /** Ours, as it was sent along. */
  readonly emailId: string;
  /** With or without its brackets; counts together with the recipient. */
  readonly messageId: string;
  readonly recipient: string;
  /** What the provider called the mail when it took it. */
  readonly remoteId: string;
};

type VisitNotice = {
  readonly kind: "visited";
  /** Null = opened. */ readonly link: string | null;
  readonly isMachine: boolean;
};
export type ProviderEvent = { readonly about: Partial<ProviderMailRef>; readonly what: DeliveryNotice | VisitNotice };

export type ProviderAdapter = {
  /** As its users write it. */
  readonly title: string;
  /** What `relay.provider_key` is: without it, the secret path alone proves a request. */
  readonly key: "signing key" | "user:password";
  /** Whether it comes from the provider and is not too old. */
  readonly isGenuine: (posted: ProviderRequest, key: string | null, nowMs: number) => boolean;
  /** What the provider signs and uses once. Each event counts once, too, by all that it says. */
  readonly onceOf?: (posted: ProviderRequest) => string;
  /** The events of a body. */
  readonly eventsOf: (body: unknown) => readonly ProviderJson[];
  /** Null for an event that changes nothing. */
  readonly read: (event: ProviderJson) => ProviderEvent | null;
};

export function jsonRecord(value: unknown): ProviderJson {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as ProviderJson) : {};
}

/** Without what the store cannot keep; a number as its digits. */
export function word(value: unknown): string {
  if (typeof value === "number") return String(value);
  return typeof value === "string" ? value.replaceAll("\0", "").slice(0, 2_000).toWellFormed() : "";
}

/** One event, or a list of them. */
export function oneOrMany(body: unknown): readonly ProviderJson[] {
  return (Array.isArray(body) ? body : [body]).map(jsonRecord);
}

/** The first words that are there. */
export function firstOf(...values: readonly unknown[]): string {
  return values.map(word).find((value) => value !== "") ?? "";
}
