// The record of a workspace's bounce and complaint rates, for the interface.
import { t } from "elysia";
import { countShape, oneOf, timeShape } from "../../../http/answer-shapes.ts";

const warningsShape = t.Array(oneOf("BOUNCE_RATE", "COMPLAINT_RATE"));
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
    warnings: warningsShape,
    stopReasons: t.Array(oneOf("BOUNCE_RATE", "COMPLAINT_RATE"), { description: "Why marketing email is stopped." }),
  },
  { title: "WorkspaceHealth" },
);

export type Health = Readonly<typeof healthShape.static>;
export type HealthWarning = Health["warnings"][number];
