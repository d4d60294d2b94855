// The history and the future mail of one person, as the interface shows them.
import { t } from "elysia";
import { recipientStateShape } from "../../programs/campaigns/recipients/recipient-record.ts";
import { consentShape as ledgerShape } from "../../audience/consent/record.ts";
import { contactShape } from "../../audience/contacts/record.ts";
import { emailStatusShape, heldShape, reasonShape, sourceTypeShape } from "../../mail/emails/shape.ts";
import { emailAddressShape, countShape, idShape, nullable, oneOf, timeShape } from "../../http/answer-shapes.ts";
import { dataShape } from "../../http/schemas.ts";
import { noteShape } from "../notes/record.ts";

const named = t.Object({ id: idShape, name: t.String() });

const mailShape = t.Object({
  id: idShape,
  subject: t.String(),
  status: emailStatusShape,
  held: nullable(heldShape),
  sourceType: sourceTypeShape,
  from: t.String(),
  to: t.String(),
  campaign: nullable(named),
  template: nullable(named),
  workflow: nullable(named),
  reason: nullable(reasonShape),
  error: nullable(t.String()),
  opens: countShape,
  clicks: countShape,
  scheduledFor: nullable(timeShape),
  sentAt: nullable(timeShape),
  failedAt: nullable(timeShape),
});

const eventShape = t.Object({
  id: idShape,
  name: t.String(),
  data: t.Union([dataShape, t.Null()], { description: "Null if it is longer than 4,000 characters: see GET /events." }),
  emailId: nullable(idShape),
  subject: nullable(t.String({ description: "Of that email." })),
});

const viaShape = t.Object(
  {
    type: oneOf("import", "undo", "bulk", "key", "public-key", "form", "page"),
    name: nullable(t.String({ description: "Of the imported file, the API key or the form." })),
    at: nullable(t.String({ format: "date-time", description: "When the import or bulk change began." })),
  },
  {
    title: "ContactCause",
    description:
      "An import, one that was undone, a bulk change, a program with an API key, a website with a public key, a form, or a page that an email leads to.",
  },
);
export type ChangeOrigin = typeof viaShape.static;

const consentShape = t.Object({
  subscribed: t.Boolean(),
  reason: nullable(oneOf("bounce", "complaint")),
  by: nullable(
    t.String({
      description:
        "The user who did it in the web interface, or who started the import or bulk change there; null for programs and the contact.",
    }),
  ),
  via: nullable(viaShape),
  emailId: nullable(t.String({ format: "uuid", description: "The email by whose link the contact unsubscribed." })),
});
export type ConsentSummary = typeof consentShape.static;

export const executionShape = t.Object({
  id: idShape,
  workflow: named,
  status: oneOf("RUNNING", "WAITING", "COMPLETED", "EXITED", "FAILED", "CANCELLED"),
  eventName: nullable(t.String()),
  waitingFor: nullable(t.String()),
  resumesAt: nullable(timeShape),
  reason: nullable(t.String()),
  startedAt: timeShape,
  endedAt: nullable(timeShape),
});

const entryShape = t.Union([
  t.Object({ type: t.Literal("mail"), at: timeShape, mail: mailShape }),
  t.Object({ type: t.Literal("event"), at: timeShape, event: eventShape }),
  t.Object({ type: t.Literal("consent"), at: timeShape, consent: consentShape }),
  t.Object({ type: t.Literal("workflow"), at: timeShape, execution: executionShape }),
  t.Object({ type: t.Literal("leftOut"), at: timeShape, campaign: named, reason: t.String() }),
  t.Object({
    type: t.Literal("campaign"),
    at: timeShape,
    campaign: named,
    state: t.Union([recipientStateShape, t.Literal("LEFT_OUT")]),
    reason: nullable(t.String()),
    emailId: nullable(idShape),
    cancelledBy: nullable(t.String()),
    matchesNow: nullable(t.Boolean()),
  }),
]);
export type HistoryEntry = typeof entryShape.static;

export const pageShape = t.Object(
  { entries: t.Array(entryShape), cursor: nullable(t.String()), hasMore: t.Boolean() },
  { title: "ContactTimeline" },
);

const countsShape = t.Object({
  total: t.Number({
    minimum: 0,
    multipleOf: 1,
    description: "Of the emails to the contact, the newest 10,000 at most.",
  }),
  queued: countShape,
  sending: countShape,
  sent: countShape,
  perhapsDelivered: countShape,
  delivered: countShape,
  failed: countShape,
  skipped: countShape,
  cancelled: countShape,
  bounced: countShape,
  complained: countShape,
  received: t.Number({ minimum: 0, multipleOf: 1, description: "Emails that came from the contact; not in `total`." }),
  opened: countShape,
  clicked: countShape,
});
export type MailCounts = typeof countsShape.static;

export const summaryShape = t.Object(
  {
    mails: countsShape,
    segments: t.Array(t.Object({ id: idShape, name: t.String(), type: oneOf("STATIC", "DYNAMIC"), since: timeShape })),
    formerEmails: t.Array(emailAddressShape),
    added: t.Object(
      { by: consentShape.properties.by, via: consentShape.properties.via },
      { description: "Who or what added the contact, as far as it is known." },
    ),
  },
  { title: "ContactSummary" },
);

export const upcomingShape = t.Object(
  {
    campaigns: t.Array(
      t.Object({
        id: idShape,
        name: t.String(),
        scheduledFor: timeShape,
        excluded: nullable(oneOf("unsubscribed", "pending", "suppressed", "topic", "paused")),
      }),
    ),
    executions: t.Array(executionShape),
  },
  { title: "ContactUpcoming" },
);

const record = t.Record(t.String(), t.Unknown());

export const exportShape = t.Object(
  {
    exportedAt: timeShape,
    contact: contactShape,
    formerEmails: summaryShape.properties.formerEmails,
    segments: summaryShape.properties.segments,
    mails: t.Array(record, {
      description: "As GET /emails/{id}, each with its `content`; null = it is not kept any more.",
    }),
    events: t.Array(record),
    executions: t.Array(record),
    excludedBy: t.Array(t.Object({ campaign: named, reason: t.String(), at: timeShape })),
    consent: t.Array(ledgerShape, { description: "As GET /contacts/{id}/consent." }),
    leavingAnswers: t.Array(record, { description: "Why the person left, in their own words." }),
    notes: t.Array(noteShape, { description: "What the team has written about the contact." }),
  },
  { title: "ContactExport" },
);
