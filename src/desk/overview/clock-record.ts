// The state of the server's clock in the overview.
import { t } from "elysia";
import { nullable, timeShape } from "../../http/answer-shapes.ts";

export const clockInDoubt = t.Object(
  {
    kind: t.Literal("CLOCK_IN_DOUBT"),
    since: { ...timeShape, description: "What the clock said as it jumped." },
    seenAt: { ...nullable(timeShape), description: "The latest time that the server had seen before." },
  },
  {
    title: "ClockInDoubt",
    description: "Nothing is deleted by age and no scheduled email leaves until the clock is believed.",
  },
);
export const clockBehind = t.Object(
  {
    kind: t.Literal("CLOCK_BEHIND"),
    seenAt: { ...timeShape, description: "The latest time that the server has seen, which is later than now." },
  },
  {
    title: "ClockBehind",
    description: "The clock is wrong, or it was. Email gets the time of now, and scheduled email leaves by it.",
  },
);
