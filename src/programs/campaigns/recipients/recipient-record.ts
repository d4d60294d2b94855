// A recipient of a campaign as the interface shows it.
import { t } from "elysia";
import { reasonOf } from "../../../mail/emails/refusals/reason.ts";
import { reasonShape, type EmailStatus } from "../../../mail/emails/shape.ts";
import { skipReasonIn } from "../../../mail/emails/refusals/skip-reasons.ts";
import { emailAddressShape, idShape, nullable, oneOf, timeShape } from "../../../http/answer-shapes.ts";
import type { Campaign } from "../queries.ts";

const STATES = [
  "PENDING",
  "QUEUED",
  "SENDING",
  "SENT",
  "PERHAPS_DELIVERED",
  "DELIVERED",
  "BOUNCED",
  "COMPLAINED",
  "FAILED",
  "SKIPPED",
  "CANCELLED",
] as const;
export type RecipientState = (typeof STATES)[number];
export const MOST_STATES = STATES.length;
export const recipientStateShape = oneOf(...STATES);

export const recipientShape = t.Object(
  {
    contactId: nullable(idShape),
    email: nullable(emailAddressShape),
    emailId: nullable(idShape),
    state: recipientStateShape,
    reason: nullable(t.String()),
    refusal: t.Union([reasonShape, t.Null()], {
      description: "What kind of refusal the reason is, of FAILED and BOUNCED.",
    }),
    queuedAt: nullable(timeShape),
    sentAt: nullable(timeShape),
    deliveredAt: nullable(timeShape),
    openedAt: nullable(timeShape),
    clickedAt: nullable(timeShape),
    bouncedAt: nullable(timeShape),
    bounceType: nullable(oneOf("Permanent", "Transient")),
    complainedAt: nullable(timeShape),
    unsubscribedAt: nullable(timeShape),
    leftTopicAt: nullable(timeShape),
    failedAt: nullable(timeShape),
    skippedAt: nullable(timeShape),
    cancelledAt: nullable(timeShape),
  },
  { title: "CampaignRecipient" },
);

type RecipientBody = typeof recipientShape.static;

/** A recipient as read: the address is where the mail goes or went; null = erased. */
export type CampaignRecipient = Omit<RecipientBody, "state" | "refusal"> & {
  /** Absent for a pruned mail: the server's reply was deleted with it. */
  readonly refusal?: RecipientBody["refusal"];
  readonly contact: number;
  readonly status: Exclude<EmailStatus, "RECEIVED"> | null;
  readonly error: string | null;
};

/** A recipient who was erased has no contactId and no address. */
export function recipientRecord(recipient: CampaignRecipient, campaign: Campaign): RecipientBody {
  const { contact, status, error, reason, contactId, email, emailId, refusal: kept, ...moments } = recipient;
  const { bounceType } = moments;
  const refusal = kept ?? (status === null ? null : reasonOf({ status, error, bounceType }));
  const become = stateOf(recipient, campaign);
  return { contactId, email, emailId, ...become, refusal: become.state === "SKIPPED" ? null : refusal, ...moments };
}

function stateOf(recipient: CampaignRecipient, campaign: Campaign): Pick<RecipientBody, "state" | "reason"> {
  const { reason, status, error } = recipient;
  if (reason !== null) return { state: "SKIPPED", reason };
  if (status === "SKIPPED") return { state: "SKIPPED", reason: skipReasonIn(error) };
  if (status === "CANCELLED") return { state: "CANCELLED", reason: null };
  if (status !== null) return { state: status, reason: error };
  if (campaign.status === "CANCELLED") return { state: "CANCELLED", reason: null };
  if (recipient.contact > campaign.queuedTo) return { state: "PENDING", reason: null };
  return { state: "SKIPPED", reason: "erased" };
}
