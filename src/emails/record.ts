// A mail as the interface shows it (interface-gaps.md §10 "The email record").
import { t } from "elysia";
import type { EventRow } from "../events/queries.ts";
import { countShape, idShape, nullable, oneOf, timeShape } from "../http/answer-shapes.ts";
import { dataShape } from "../http/schemas.ts";
import { isErased } from "./email.ts";
import { messageIdOf } from "./message-id.ts";
import type { MachineVisit } from "./engagement-queries.ts";
import type { AttemptRow, MailSummary } from "./queries.ts";

export const emailStatusShape = oneOf(
  "QUEUED",
  "SENDING",
  "SENT",
  "DELIVERED",
  "FAILED",
  "BOUNCED",
  "COMPLAINED",
  "RECEIVED",
);

export const emailShape = t.Object(
  {
    id: idShape,
    projectId: idShape,
    status: emailStatusShape,
    contactId: nullable(idShape),
    campaignId: nullable(idShape),
    templateId: nullable(idShape),
    sourceType: oneOf("TRANSACTIONAL", "CAMPAIGN", "WORKFLOW", "INBOUND"),
    subject: t.String(),
    from: t.String(),
    fromName: nullable(t.String()),
    replyTo: nullable(t.String()),
    to: t.String(),
    toName: nullable(t.String()),
    returnPath: t.String(),
    messageId: t.String(),
    remoteId: nullable(t.String({ description: "The next hop's own name for the mail." })),
    attempts: countShape,
    error: nullable(t.String()),
    createdAt: timeShape,
    scheduledFor: nullable(timeShape),
    attemptedAt: nullable(timeShape),
    sentAt: nullable(timeShape),
    failedAt: nullable(timeShape),
    deliveredAt: nullable(timeShape),
    bouncedAt: nullable(timeShape),
    complainedAt: nullable(timeShape),
    opens: t.Number({
      minimum: 0,
      multipleOf: 1,
      description: "By people; what machines fetched stands in the timeline.",
    }),
    openedAt: nullable(timeShape),
    clicks: countShape,
    clickedAt: nullable(timeShape),
  },
  { title: "Email" },
);

export const timelineShape = t.Array(
  t.Object({ at: timeShape, what: t.String(), detail: nullable(t.Union([t.String(), dataShape])) }),
);

export function emailRecord(mail: MailSummary, returnPath: string): typeof emailShape.static {
  return {
    id: mail.id,
    projectId: mail.workspace_id,
    status: mail.status,
    contactId: mail.contact_id,
    campaignId: mail.campaign_id,
    templateId: mail.template_id,
    sourceType: mail.source_type,
    subject: isErased(mail) ? "" : (mail.rendered_subject ?? mail.subject),
    from: mail.from_address,
    fromName: mail.from_name,
    replyTo: mail.reply_to,
    to: mail.to_address,
    toName: mail.to_name,
    returnPath,
    messageId: messageIdOf(mail),
    remoteId: mail.remote_id,
    attempts: mail.attempts,
    error: mail.error,
    createdAt: mail.created_at,
    /** Not handed over before this; null once that is settled. */
    scheduledFor: mail.status === "QUEUED" ? mail.due_at : null,
    attemptedAt: mail.attempted_at,
    sentAt: mail.sent_at,
    failedAt: mail.failed_at,
    deliveredAt: mail.delivered_at,
    bouncedAt: mail.bounced_at,
    complainedAt: mail.complained_at,
    opens: mail.opens,
    openedAt: mail.opened_at,
    clicks: mail.clicks,
    clickedAt: mail.clicked_at,
  };
}

type TimelineEntry = {
  readonly at: string;
  readonly what: string;
  readonly detail: string | Record<string, unknown> | null;
};

type Past = {
  readonly attempts: readonly AttemptRow[];
  readonly events: readonly EventRow[];
  readonly machineVisits: readonly MachineVisit[];
};

/** What happened to a mail, in the order in which it happened. */
export function timeline(mail: MailSummary, { attempts, events, machineVisits }: Past): TimelineEntry[] {
  const queued: TimelineEntry = { at: mail.created_at, what: "queued", detail: null };
  const entries: TimelineEntry[] = [
    ...(mail.status === "RECEIVED" ? [] : [queued]),
    ...attempts.map(({ at, outcome, number, reply }) => ({
      at,
      what: `attempt.${outcome}`,
      detail: { number, reply },
    })),
    ...events.map(({ created_at: at, name: what, data }) => ({
      at,
      what,
      detail: JSON.parse(data) as Record<string, unknown>,
    })),
    ...machineVisits.map(({ at, kind, link }) => ({
      at,
      what: `email.${kind}`,
      detail: { bot: true, ...(link === null ? {} : { link }) },
    })),
  ];
  return entries.sort((one, other) => (one.at < other.at ? -1 : one.at > other.at ? 1 : 0));
}
