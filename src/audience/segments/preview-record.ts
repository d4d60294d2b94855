// The input and the answer of a preview in the API.
import { t } from "elysia";
import type { Caller } from "../../tenant/access/caller.ts";
import { contactRecord, contactShape } from "../contacts/record.ts";
import { countShape } from "../../http/answer-shapes.ts";
import { optional, wholeNumber } from "../../http/schemas.ts";
import { MAX_MISSING, MAX_SAMPLE, type SegmentPreview } from "./preview.ts";

/** Parts of the body of a preview request. */
export const previewInputShape = {
  sample: optional(wholeNumber(0, MAX_SAMPLE), "How many of the people are shown, newest first."),
  perFilter: optional(t.Boolean(), "Whether to count how many are left after each filter and group of the condition."),
  missing: optional(
    t.Array(t.String({ minLength: 1, maxLength: 300 }), { maxItems: MAX_MISSING }),
    "Variables such as `name` or `address.city`: how many of the people lack each, or have it empty.",
  ),
};

const at = t.String({ description: "The place of a filter or group in the condition: `groups.0.filters.1`." });

export const previewShape = t.Object(
  {
    matched: countShape,
    willReceive: t.Number({ minimum: 0, multipleOf: 1, description: "How many of them may get marketing email." }),
    excluded: t.Object(
      { unsubscribed: countShape, pending: countShape, suppressed: countShape, topic: countShape, paused: countShape },
      {
        description:
          "Why the others get none, each under the first reason that holds; `topic`: they have left the topic of the email; `paused`: their email waits.",
      },
    ),
    approximate: t.Boolean({ description: "True if the numbers come from a sample, since counting would take long." }),
    contacts: t.Number({ minimum: 0, multipleOf: 1, description: "Everybody in the workspace." }),
    perFilter: t.Optional(
      t.Array(t.Object({ at, remaining: countShape }), {
        description:
          "Where all must hold, who is left after this filter and those before it. Of alternatives, each counts among those who are left before the first.",
      }),
    ),
    missing: t.Optional(t.Array(t.Object({ name: t.String(), contacts: countShape }))),
    sample: t.Optional(t.Array(contactShape)),
  },
  { title: "AudiencePreview" },
);

/** Its lists are readonly. */
export function previewRecord(
  { sample, ...counts }: SegmentPreview,
  caller: Pick<Caller, "workspaceId" | "topics">,
): typeof previewShape.static {
  const people = sample ? { sample: sample.map((contact) => contactRecord(contact, caller)) } : {};
  return { ...counts, ...people } as typeof previewShape.static;
}
