// A format: the service whose webhooks those of an endpoint look like, and their signature.
import type { SignatureName } from "../sending/signature.ts";

type Data = Readonly<Record<string, unknown>>;

/** An event as an endpoint gets it. */
export type WebhookEvent = {
  readonly id: string;
  readonly type: string;
  readonly createdAt: string;
  readonly workspaceId: string;
  readonly data: Data;
};

type Body = (told: WebhookEvent) => object;

export type Format = {
  /** As users of the service write it. */
  readonly title: string;
  /** Null = calls are not signed. */
  readonly signedAs: SignatureName | null;
  /** The bodies by our types of events; null = it has all types, unchanged. */
  readonly bodies: Readonly<Record<string, Body>> | null;
};

/** The facts of an email, its contact, and the like: each where the type of event has it. */
export type WebhookEventFacts = {
  readonly emailId: string;
  readonly to: string;
  readonly subject: string;
  readonly from: string;
  readonly fromName?: string;
  readonly messageId?: string;
  readonly templateId: string | null;
  readonly campaignId: string | null;
  readonly tags?: readonly string[];
  readonly metadata?: Readonly<Record<string, string>>;
  readonly reason?: string;
  readonly bounceType?: string;
  readonly suppressionId?: string;
  readonly address?: string | null;
  readonly domain?: string | null;
  readonly link?: string;
  readonly topic?: string;
  readonly isFirstOpen?: boolean;
  readonly contact: {
    readonly id: string;
    readonly email: string;
    readonly subscribed: boolean;
    readonly data?: Data;
  };
};

/** The catalog of events has their types; a caller reads only facts that the type of event has. */
export function factsOf({ data }: WebhookEvent): WebhookEventFacts {
  return data as unknown as WebhookEventFacts;
}
