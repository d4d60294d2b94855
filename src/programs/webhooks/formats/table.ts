// The formats by the names that endpoints have for them.
import type { Format, WebhookEvent } from "./format.ts";
import { postmark } from "./postmark.ts";
import { resend } from "./resend.ts";

const posthorn: Format = { title: "Posthorn", signedAs: "webhook", bodies: null };

export const FORMATS = { posthorn, resend, postmark } as const;
export type FormatName = keyof typeof FORMATS;

export function hasType(name: FormatName, type: string): boolean {
  const { bodies } = FORMATS[name];
  return bodies === null || Object.hasOwn(bodies, type);
}

/** The body, always the same for the same event; null if the format has no such event. */
export function bodyIn(name: FormatName, told: WebhookEvent): string | null {
  const { bodies } = FORMATS[name];
  const { id, type, createdAt, workspaceId, data } = told;
  if (bodies === null) return JSON.stringify({ id, type, createdAt, workspaceId, data });
  const body = bodies[type]?.(told);
  return body === undefined ? null : JSON.stringify(body);
}
