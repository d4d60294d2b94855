// What somebody writes: the same for templates, campaigns and mail steps. An empty text is one that is not set.
import type { FieldFault } from "../api.ts";

/** What a visual editor makes the body of; it is gone once the body is changed as code. */
export type Design = { readonly kind: "visual"; readonly source: Readonly<Record<string, unknown>> };

export type Written = {
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

/** `MARKETING`: with the footer of such mail. */
export type Kind = "TRANSACTIONAL" | "MARKETING" | "HEADLESS";

/** Where in a text something is wrong, from 1. */
export type Place = { readonly line: number; readonly column: number };

export function placeOf({ line, column }: FieldFault): Place | null {
  return line !== undefined && column !== undefined ? { line, column } : null;
}
