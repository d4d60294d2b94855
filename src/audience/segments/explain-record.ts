// The input and the answer of an explanation in the API.
import { t } from "elysia";
import { idShape, emailAddressShape, nullable, timeShape } from "../../http/answer-shapes.ts";
import type { Explanation } from "./explain.ts";
import { conditionShape, filterShape } from "./condition/record.ts";

const at = t.String({ description: "Its place in the condition: `groups.0.filters.1`." });
const changesAt = nullable(timeShape);

export const explanationShape = t.Object(
  {
    contact: t.Object({ id: idShape, email: emailAddressShape }),
    matches: t.Boolean(),
    changesAt: {
      ...changesAt,
      description: "When this changes if nothing happens but that time passes; null = it does not.",
    },
    condition: { ...nullable(conditionShape), description: "As it was read; null where members are added by hand." },
    filters: t.Array(
      t.Object({
        at,
        filter: filterShape,
        matches: t.Boolean(),
        seen: {
          ...t.Unknown(),
          description:
            "What the filter saw: the value, the moment of the last event, whether it is in the segment; null = nothing is there.",
        },
        emailId: { ...nullable(idShape), description: "The email that the last event is about." },
        changesAt,
      }),
    ),
    groups: t.Array(t.Object({ at, matches: t.Boolean() })),
  },
  { title: "SegmentExplanation" },
);

/** Its lists are readonly. */
export function explanationRecord({ contact, ...rest }: Explanation): typeof explanationShape.static {
  const { id, email } = contact;
  return { contact: { id, email }, ...rest } as typeof explanationShape.static;
}
