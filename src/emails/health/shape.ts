// How a workspace's mail fares, as the interface shows it.
import { t } from "elysia";
import { countShape, oneOf, timeShape } from "../../http/answer-shapes.ts";

const rateShape = t.Number({ minimum: 0, maximum: 100 });

export const healthShape = t.Object(
  {
    since: timeShape,
    sentCount: countShape,
    bouncedCount: t.Number({ minimum: 0, multipleOf: 1, description: "Permanent bounces." }),
    complainedCount: countShape,
    bounceRate: rateShape,
    complaintRate: rateShape,
    warnings: t.Array(oneOf("BOUNCE_RATE", "COMPLAINT_RATE")),
    stops: t.Array(oneOf("BOUNCE_RATE", "COMPLAINT_RATE"), { description: "Why no marketing mail leaves." }),
  },
  { title: "WorkspaceHealth" },
);
