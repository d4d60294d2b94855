// The document from which an editor generated a body, kept beside its HTML. Posthorn only reads its placeholders: with
// marks of editors in them, the document would generate a body that has the marks again.
import { invalidField } from "../../../base/errors.ts";
import type { Design } from "./design-shape.ts";
import { withoutMarksIn } from "./editor-marks.ts";

export const MAX_DESIGN_CHARS = 1_000_000;

type DesignedBody = { readonly body: string; readonly design: Design | null };
type DesignInput = { readonly body?: string | null | undefined; readonly design?: Design | null | undefined };

/** The design to store after a change. @throws AppError VALIDATION_ERROR for a design that is too large */
export function designAfter(
  before: DesignedBody,
  { body, design }: DesignInput,
  most = MAX_DESIGN_CHARS,
): Design | null {
  if (design === undefined) return (body ?? before.body) === before.body ? before.design : null;
  if (design !== null && JSON.stringify(design).length > most)
    throw invalidField("design", `A design has at most ${most} characters here, as JSON.`, "too_big");
  // Drops other properties: answers have only these two.
  return design && { kind: design.kind, source: withoutMarksIn(design.source) };
}
