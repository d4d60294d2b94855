// How a workspace's mail fares, as the interface shows it.
import { t } from "elysia";
import { countShape, oneOf, timeShape } from "../../http/answer-shapes.ts";

const rateShape = t.Number({ minimum: 0, maximum: 100 });

export const healthShape = t.Object(
  {
    since: timeShape,
    sentCount: countShape,
    bouncedCount: countShape,
    hardBouncedCount: countShape,
    softBouncedCount: countShape,
    complainedCount: countShape,
    bounceRate: t.Number({ minimum: 0, maximum: 100, description: "Hard bounces alone, in per cent of sentCount." }),
    complaintRate: rateShape,
    warnings: t.Array(oneOf("BOUNCE_RATE", "COMPLAINT_RATE")),
    stops: t.Array(oneOf("BOUNCE_RATE", "COMPLAINT_RATE"), { description: "Why no marketing mail leaves." }),
  },
  { title: "WorkspaceHealth" },
);
