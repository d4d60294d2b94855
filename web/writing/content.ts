// The content of an email, the same for templates, campaigns and workflow emails. An empty text part is unset.
import type { FieldFault } from "../api.ts";

/** The source of the visual editor; dropped once the body is edited as code. */
export type Design = { readonly kind: "visual"; readonly source: Readonly<Record<string, unknown>> };

export type Content = {
  readonly subject: string;
  /** What an inbox shows behind the subject. */
  readonly preheader: string;
  /** HTML with Liquid. */
  readonly body: string;
  /** The text part; empty: made of the body. */
  readonly text: string;
  readonly design: Design | null;
};

export type WrittenField = "subject" | "preheader" | "body" | "text";

/** `MARKETING` adds the unsubscribe footer. */
export type Kind = "TRANSACTIONAL" | "MARKETING" | "HEADLESS";

/** The position of an error, from 1. */
export type Place = { readonly line: number; readonly column: number };

export function placeOf({ line, column }: FieldFault): Place | null {
  return line !== undefined && column !== undefined ? { line, column } : null;
}
