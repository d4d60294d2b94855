// The shape of a mail and of its timeline, for the interface.
import { t } from "elysia";
import { countShape, idShape, nullable, oneOf, timeShape } from "../../http/answer-shapes.ts";
import { labelsShown } from "../../http/label-shapes.ts";
import { PROVIDER_NAMES } from "../statistics/providers.ts";
import { REASONS } from "./refusals/reason.ts";
import { dataShape } from "../../http/schemas.ts";
import { updatedByShape } from "../../tenant/access/saving-shape.ts";

export const STATUSES = [
  "QUEUED",
  "SENDING",
  "SENT",
  "PERHAPS_DELIVERED",
  "DELIVERED",
  "FAILED",
  "SKIPPED",
  "CANCELLED",
  "BOUNCED",
  "COMPLAINED",
  "RECEIVED",
] as const;
export const MOST_STATUSES = STATUSES.length;
export const emailStatusShape = oneOf(...STATUSES);

export const sourceTypeShape = oneOf("TRANSACTIONAL", "CAMPAIGN", "WORKFLOW", "INBOUND");

/** The happenings of a mail, each with its own time: of opens and clicks the first counts. */
export const happeningShape = oneOf(
  ...([
    "sent",
    "delivered",
    "opened",
    "clicked",
    "unsubscribed",
    "leftTopic",
    "bounced",
    "complained",
    "failed",
    "skipped",
    "cancelled",
  ] as const),
);

/** Why a QUEUED mail is not sent in its turn. */
export const heldShape = oneOf(
  "WORKSPACE_DISABLED",
  "CAMPAIGN_PAUSED",
  "CAMPAIGN_BLOCKED",
  "MARKETING_STOPPED",
  "CLOCK_IN_DOUBT",
  "OPERATOR",
  "PROVIDER_PACE",
);

/** The role of a recipient in the message to its group. */
export const roleShape = oneOf(...(["TO", "CC", "BCC"] as const));

export const reasonShape = oneOf(...REASONS);

export type EmailStatus = typeof emailStatusShape.static;
export type RecipientRole = typeof roleShape.static;
export type SourceType = typeof sourceTypeShape.static;
export type MailMilestone = typeof happeningShape.static;

export const emailShape = t.Object(
  {
    id: idShape,
    projectId: idShape,
    status: emailStatusShape,
    contactId: nullable(idShape),
    campaignId: nullable(idShape),
    templateId: nullable(idShape),
    workflowId: nullable(idShape),
    resentFrom: nullable(t.String({ format: "uuid", description: "The email that this one repeats." })),
    resentAt: nullable(
      t.String({ format: "date-time", description: "When it was last sent again, as another email." }),
    ),
    sourceType: sourceTypeShape,
    subject: t.String(),
    from: t.String(),
    fromName: nullable(t.String()),
    replyTo: nullable(t.String()),
    to: t.String(),
    toName: nullable(t.String()),
    role: nullable({ ...roleShape, description: "Where the recipient stands in a message to a group." }),
    group: nullable(
      t.String({
        format: "uuid",
        description: "The group that got the message; its emails share it. Null: it went to one.",
      }),
    ),
    ...labelsShown,
    returnPath: t.String(),
    messageId: t.String(),
    remoteId: nullable(t.String({ description: "The id that the next mail server gave the email." })),
    held: nullable(heldShape),
    attempts: countShape,
    error: nullable(t.String()),
    reason: nullable(reasonShape),
    createdAt: timeShape,
    scheduledFor: nullable(timeShape),
    attemptedAt: nullable(timeShape),
    sentAt: nullable(timeShape),
    failedAt: nullable(timeShape),
    skippedAt: nullable(
      t.String({
        format: "date-time",
        description: "When its recipient was not subscribed any more, as it should have left.",
      }),
    ),
    cancelledAt: nullable(timeShape),
    cancelledBy: updatedByShape,
    deliveredAt: nullable(timeShape),
    bouncedAt: nullable(timeShape),
    bounceType: nullable(oneOf("Permanent", "Transient")),
    complainedAt: nullable(timeShape),
    opens: t.Number({
      minimum: 0,
      multipleOf: 1,
      description: "By people; fetches by machines are in the timeline only.",
    }),
    openedAt: nullable(timeShape),
    clicks: countShape,
    clickedAt: nullable(timeShape),
  },
  { title: "Email" },
);

const { id, to, toName, status } = emailShape.properties;
/** A mail of a group, as another mail of the group lists it. */
export const memberShape = t.Object({ id, role: roleShape, to, toName, status });

export const timelineShape = t.Array(
  t.Object({ at: timeShape, what: t.String(), detail: nullable(t.Union([t.String(), dataShape])) }),
);

/** The provider of the recipient's mailbox. */
export const providerShape = oneOf(...PROVIDER_NAMES);
