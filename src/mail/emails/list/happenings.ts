// The happenings of a mail, each at most once: the column with its time, and the index that finds the mails.
import { literal, type Sql, sql } from "../../../store/sql.ts";
import type { EmailStatus, MailMilestone } from "../shape.ts";

const MOMENTS: Readonly<Record<MailMilestone, string>> = {
  sent: "e.sent_at",
  delivered: "e.delivered_at",
  opened: "e.opened_at",
  clicked: "e.clicked_at",
  unsubscribed: "e.unsubscribed_at",
  leftTopic: "e.left_topic_at",
  bounced: "e.bounced_at",
  complained: "e.complained_at",
  failed: "e.failed_at",
  skipped: "e.skipped_at",
  cancelled: "e.cancelled_at",
};

/** The column of mails `e`; null before it happens. */
export function momentOf(what: MailMilestone): Sql {
  return literal(MOMENTS[what]);
}

const INDEXES: Readonly<Partial<Record<MailMilestone, string>>> = {
  opened: "emails_opened",
  clicked: "emails_clicked",
  unsubscribed: "emails_left",
  leftTopic: "emails_leaving_topic",
};

/** Null = no index of its own. */
export function alongHappening(workspace: number, what: MailMilestone): { index: string; where: Sql } | null {
  const index = INDEXES[what];
  return index === undefined
    ? null
    : { index, where: sql`e.workspace = ${workspace} and ${momentOf(what)} is not null` };
}

/** The possible states after it, if they are few enough to search by them. */
export const STATES_AFTER: Readonly<Partial<Record<MailMilestone, readonly EmailStatus[]>>> = {
  delivered: ["DELIVERED", "BOUNCED", "COMPLAINED"],
  bounced: ["BOUNCED", "COMPLAINED"],
  complained: ["COMPLAINED"],
  failed: ["FAILED", "COMPLAINED"],
  skipped: ["SKIPPED"],
  cancelled: ["CANCELLED"],
};
