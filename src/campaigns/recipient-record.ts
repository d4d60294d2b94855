// One person of a campaign as the interface shows it: the state in which mail and person are (interface-gaps.md §5 "recipients").
import { t } from "elysia";
import { idShape, nullable, oneOf, timeShape } from "../http/answer-shapes.ts";
import { NOT_SUBSCRIBED } from "../emails/withheld.ts";
import type { CampaignRow } from "./queries.ts";
import type { RecipientRow } from "./recipient-queries.ts";

const stateShape = oneOf(
  "PENDING",
  "QUEUED",
  "SENDING",
  "SENT",
  "DELIVERED",
  "BOUNCED",
  "COMPLAINED",
  "FAILED",
  "SKIPPED",
  "CANCELLED",
);

export const recipientShape = t.Object(
  {
    contactId: nullable(idShape),
    email: nullable(t.String()),
    emailId: nullable(idShape),
    state: stateShape,
    reason: nullable(t.String()),
    queuedAt: nullable(timeShape),
    sentAt: nullable(timeShape),
    deliveredAt: nullable(timeShape),
    openedAt: nullable(timeShape),
    clickedAt: nullable(timeShape),
    bouncedAt: nullable(timeShape),
    bounceType: nullable(oneOf("Permanent", "Transient")),
    complainedAt: nullable(timeShape),
    unsubscribedAt: nullable(timeShape),
    failedAt: nullable(timeShape),
  },
  { title: "CampaignRecipient" },
);

/** The row of somebody who was erased has no contactId and no address. */
export function recipientRecord(row: RecipientRow, campaign: CampaignRow): typeof recipientShape.static {
  return {
    contactId: row.contact_id,
    email: row.address,
    emailId: row.email_id,
    ...stateOf(row, campaign),
    queuedAt: row.created_at,
    sentAt: row.sent_at,
    deliveredAt: row.delivered_at,
    openedAt: row.opened_at,
    clickedAt: row.clicked_at,
    bouncedAt: row.bounced_at,
    bounceType: row.bounce_type,
    complainedAt: row.complained_at,
    unsubscribedAt: row.unsubscribed_at,
    failedAt: row.failed_at,
  };
}

function stateOf(row: RecipientRow, campaign: CampaignRow): Pick<typeof recipientShape.static, "state" | "reason"> {
  if (row.reason !== null) return { state: "SKIPPED", reason: row.reason };
  if (row.status === "FAILED" && row.error === NOT_SUBSCRIBED) return { state: "SKIPPED", reason: "unsubscribed" };
  if (row.status !== null) return { state: row.status, reason: row.error };
  if (campaign.status === "CANCELLED") return { state: "CANCELLED", reason: null };
  if (row.contact > campaign.fed_to) return { state: "PENDING", reason: null };
  return { state: "SKIPPED", reason: row.contact_id === null ? "erased" : "taken back" };
}
