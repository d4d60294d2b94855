// The content of an email: the same for templates, campaigns and workflow emails. An empty text part is unset.
import type { FieldFault } from "../calls/api.ts";

/** The source of the visual editor; removed once the body is edited as code. */
export type Design = { readonly kind: "visual"; readonly source: Readonly<Record<string, unknown>> };

export type Content = {
  readonly subject: string;
  /** The text that mail programs show after the subject. */
  readonly preheader: string;
  /** HTML with Liquid. */
  readonly body: string;
  /** The text part; empty = generated from the body. */
  readonly text: string;
  readonly design: Design | null;
};

export type WrittenField = "subject" | "preheader" | "body" | "text";

/** `MARKETING` adds the unsubscribe footer. */
export type TemplateType = "TRANSACTIONAL" | "MARKETING" | "HEADLESS";

/** The position of an error; both count from 1. */
export type TextPosition = { readonly line: number; readonly column: number };

export function placeOf({ line, column }: FieldFault): TextPosition | null {
  return line !== undefined && column !== undefined ? { line, column } : null;
}

type ContentRecord = {
  readonly subject: string;
  readonly preheader: string | null;
  readonly body: string;
  readonly text: string | null;
  readonly design: { readonly kind: string; readonly source: unknown } | null;
};

/** Designs of other editors are ignored. */
export function contentOf({ subject, preheader, body, text, design }: ContentRecord): Content {
  const source = design?.kind === "visual" && typeof design.source === "object" ? design.source : null;
  return {
    subject,
    preheader: preheader ?? "",
    body,
    text: text ?? "",
    design: source === null ? null : { kind: "visual", source: source as Design["source"] },
  };
}

export function changeOf({ subject, preheader, body, text, design }: Content) {
  return { subject, preheader: preheader || null, body, text: text || null, design };
}
