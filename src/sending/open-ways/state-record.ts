// The state of the ways out as the interface shows it.
import { t } from "elysia";
import { nullable, oneOf, timeShape } from "../../http/answer-shapes.ts";

const hop = {
  state: oneOf("ANSWERING", "AWAY", "UNKNOWN"),
  since: nullable(timeShape),
  attemptedAt: nullable(timeShape),
  reply: t.Union([t.String(), t.Null()], { description: "Why it is away." }),
};

export const wayStateShape = t.Object(
  {
    name: t.String(),
    transport: oneOf("smtp", "ses", "graph", "capture"),
    place: nullable(
      t.String({
        description: "Host and port of the relay, the region of Amazon SES, or the mailbox at Microsoft Graph.",
      }),
    ),
    ...hop,
    circuit: t.Union([t.Literal("CLOSED"), t.Literal("HALF_OPEN"), t.Literal("OPEN")], {
      description: "OPEN: it gets no email. HALF_OPEN: it gets one email at a time until one was accepted.",
    }),
    isStalled: t.Boolean({ description: "Email waits for its answer, and none has come for 15 seconds." }),
    ratePerSecond: t.Union([t.Number({ minimum: 0 }), t.Null()], { description: "At most; null = no limit." }),
    isPaused: t.Boolean({ description: "By owners: it gets no email." }),
  },
  { title: "WayState" },
);

export const relayShape = t.Object(
  {
    ...hop,
    ways: t.Array(wayStateShape, { description: "Of each sending route, in their order; none if there is only one." }),
  },
  { title: "RelayState" },
);
