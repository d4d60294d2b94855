// The queue of a workspace as the interface shows it.
import { t } from "elysia";
import { relayShape } from "../../open-ways/state-record.ts";
import { countShape, idShape, nullable, oneOf, timeShape } from "../../../http/answer-shapes.ts";

const laneShape = oneOf("TRANSACTIONAL", "MARKETING");

const tallyShape = t.Object({
  count: countShape,
  isLowerBound: t.Boolean({ description: "Counting stopped there: there may be more." }),
});
export type QueueTally = typeof tallyShape.static;

const HELD_BACK = ["CAMPAIGN_PAUSED", "DOMAIN_NOT_VERIFIED", "MARKETING_STOPPED"] as const;
const heldReasonShape = oneOf(...HELD_BACK);

export const brakeShape = t.Object(
  {
    id: idShape,
    mailbox: t.String({
      description:
        "`gmail`, `outlook` and the others of `GET /emails?provider=`; of any other server, the domain of the addresses.",
    }),
    way: t.String({ description: "The sending route by which its email leaves." }),
    state: t.Union([t.Literal("SLOWED"), t.Literal("PAUSED")], {
      description:
        "PAUSED: it takes none of this workspace's email because of its reputation, and is asked again later.",
    }),
    holds: t.Union([t.Literal("ALL"), t.Literal("MARKETING")], {
      description:
        "MARKETING: only reports of the relay or its provider have asked for it, so transactional email does not wait.",
    }),
    perHour: { ...countShape, description: "At most. It grows again while the provider takes it." },
    pausedUntil: nullable(timeShape),
    since: timeShape,
    changedAt: timeShape,
    reply: t.String({ description: "What the provider said, without addresses." }),
    waiting: tallyShape,
  },
  { title: "Brake" },
);

export const queueShape = t.Object(
  {
    waiting: tallyShape,
    ratePerSecond: t.Number({ minimum: 0, description: "Of this workspace's emails, in the last minute." }),
    configuredRatePerSecond: t.Union([t.Number({ minimum: 0 }), t.Null()], {
      description: "Shared by all workspaces; null = no limit.",
    }),
    doneInSeconds: t.Union([countShape, t.Null()], { description: "At this rate; null where that cannot be told." }),
    lanes: t.Array(
      t.Object({
        lane: laneShape,
        due: tallyShape,
        handingOver: countShape,
        oldestAt: t.Union([timeShape, t.Null()], { description: "Since when the oldest due email waits." }),
      }),
    ),
    reasons: t.Array(
      t.Object({
        reason: oneOf(
          "DUE",
          "SENDING_HELD",
          "CLOCK_IN_DOUBT",
          "RELAY_AWAY",
          "RETRY",
          "PERHAPS_DELIVERED",
          "SCHEDULED",
          "OPERATOR",
          "PROVIDER_PACE",
          ...HELD_BACK,
        ),
        lane: laneShape,
        count: tallyShape,
        nextAt: nullable(timeShape),
      }),
    ),
    held: t.Array(
      t.Object({
        campaignId: idShape,
        name: t.String(),
        reason: heldReasonShape,
        text: nullable(t.String()),
        count: tallyShape,
      }),
    ),
    campaigns: t.Array(
      t.Object({
        id: idShape,
        name: t.String(),
        state: oneOf("SENDING", "PAUSED", "BLOCKED"),
        problem: nullable(t.String()),
        notQueued: tallyShape,
        paced: { ...tallyShape, description: "Its emails that wait for the pace of a mailbox provider." },
      }),
    ),
    brakes: t.Array(brakeShape, {
      description: "Mailbox providers that are sent less email for a while, since they asked for that.",
    }),
    relay: relayShape,
  },
  { title: "Queue" },
);

export type QueueRecord = typeof queueShape.static;
export type HeldReason = typeof heldReasonShape.static;
