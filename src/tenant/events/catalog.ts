// The facts that can happen, each a row whose columns name all that follows from it.
import { t, type Static, type TSchema } from "elysia";
import * as data from "./data-shape.ts";
import type { NewsChannel } from "./notify.ts";

/** `new`: the contact was made, with all that it has. `updatedAt`: any part has changed. */
export type ContactPart = "new" | "email" | "subscribed" | "status" | "paused" | "updatedAt";

/** A mail has hard-bounced or was complained about. */
export const MAIL_RETURNED = "mail-returned";

/**
 * The consequences of a fact; a missing column has none. The audit log has no column: it notes what a person
 * has called, at the door, by the name of the call.
 */
type FactColumns = {
  readonly data: TSchema;
  /**
   * Who hears of it. `log`: an event of this name, for segments, workflows and endpoints. `type`: events of many names,
   * which endpoints know by this one. `endpoints`: a notice for endpoints alone, which no workflow starts with.
   * `change`: endpoints get the change of the contact itself.
   */
  readonly told?: "log" | "type" | "endpoints" | "change";
  /** It is told as this event. */
  readonly event?: "email.bounce" | "email.open" | "email.click";
  /** The open pages that look again; for an event, besides those of the log. */
  readonly pages?: NewsChannel;
  /** The parts of the contact that have changed, for segments. */
  readonly touches?: readonly ContactPart[];
  /** Its column in the statistics of mails. */
  readonly counts?: string;
  /** The name of its row in the ledger of consent. */
  readonly ledger?: string;
  /** Its label in a counter of mails: of those accepted, or of what was reported after they had left. */
  readonly metric?: "accepted" | "delivered" | "bounced" | "failed" | "complained";
  /** The loops that it wakes. */
  readonly wakes?: string;
};

/** The order is that of the columns of statistics, and of the names in the ledger. */
export const FACTS = {
  "email.accepted": {
    data: data.acceptedMail,
    told: "endpoints",
    pages: "mails",
    counts: "accepted",
    metric: "accepted",
  },
  "email.sent": { data: data.mailEvent({ sentAt: data.time }), told: "log", pages: "mails", counts: "sent" },
  "email.deferred": { data: data.mailNotice({ nextAttemptAt: data.time }), told: "endpoints", pages: "mails" },
  "email.delivery": {
    data: data.mailEvent({ deliveredAt: data.time }),
    told: "log",
    pages: "mails",
    counts: "delivered",
    metric: "delivered",
  },
  "email.failed": { data: data.mailNotice({}), told: "endpoints", pages: "mails", counts: "failed" },
  /** A later server refused it, and not because of the recipient. */
  "email.undelivered": { data: data.nothing, pages: "mails", counts: "failed", metric: "failed" },
  /** A person says that it did not arrive. */
  "email.lost": { data: data.nothing, pages: "mails", counts: "failed" },
  /** A bounce came after it had left. */
  "email.returned": { data: data.nothing, metric: "bounced" },
  /** Counted as the one or the other, unless it may be a reply to a mail that has arrived. */
  "email.bounce": { data: data.bounce, told: "log", pages: "mails" },
  "email.hard-bounce": { data: data.hardBounce, event: "email.bounce", counts: "hard_bounced", wakes: MAIL_RETURNED },
  "email.soft-bounce": { data: data.softBounce, event: "email.bounce", counts: "soft_bounced" },
  "email.complaint": {
    data: data.mailEvent({ complainedAt: data.time }),
    told: "log",
    pages: "mails",
    counts: "complained",
    metric: "complained",
    wakes: MAIL_RETURNED,
  },
  "email.open": {
    data: data.opened,
    told: "log",
    pages: "mails",
  },
  "email.first-open": { data: data.opened, event: "email.open", counts: "opened" },
  "email.click": {
    data: data.clicked,
    told: "log",
    pages: "mails",
  },
  "email.first-click": { data: data.clicked, event: "email.click", counts: "clicked" },
  "email.received": { data: data.receivedMail, told: "log", pages: "mails" },
  /** Its reader left everything, or its topic, through it. */
  "email.unsubscribed": { data: data.nothing, counts: "unsubscribed" },
  "email.topic-left": { data: data.nothing, counts: "left_topic" },
  "email.skipped": { data: data.nothing, pages: "mails", counts: "skipped" },
  "email.cancelled": { data: data.nothing, counts: "cancelled" },

  "contact.created": { data: data.nothing, told: "change", touches: ["new"] },
  "contact.updated": { data: data.nothing, told: "change", touches: ["updatedAt"] },
  "contact.subscribed": {
    data: data.nothing,
    told: "log",
    pages: "contacts",
    touches: ["subscribed", "updatedAt"],
    ledger: "subscribed",
  },
  /** A change was undone. */
  "contact.resubscribed": { data: data.nothing, touches: ["subscribed", "updatedAt"], ledger: "subscribed" },
  /** This ends a pause. */
  "contact.unsubscribed": {
    data: data.exactly({ reason: t.Optional(data.oneOf("bounce", "complaint")) }),
    told: "log",
    pages: "contacts",
    touches: ["subscribed", "updatedAt", "paused"],
    ledger: "unsubscribed",
  },
  /** The first of four facts of a double opt-in: a confirmation is requested. */
  "contact.asked": { data: data.nothing, ledger: "asked" },
  "contact.confirmed": { data: data.nothing, touches: ["status", "updatedAt"], ledger: "confirmed" },
  "contact.declined": { data: data.nothing, ledger: "declined" },
  "contact.expired": { data: data.nothing, ledger: "expired" },
  /** To the wording of a form. */
  "contact.agreed": { data: data.nothing, ledger: "agreed" },
  "topic.joined": { data: data.exactly({ topic: data.text }), told: "log", pages: "contacts", ledger: "topic-joined" },
  "topic.left": { data: data.exactly({ topic: data.text }), told: "log", pages: "contacts", ledger: "topic-left" },
  "topic.unsaid": { data: data.exactly({ topic: data.text }), ledger: "topic-unsaid" },
  /** Topic choices taken over in a merge; topics skipped by a sign-up. */
  "topic.inherited": { data: data.exactly({ topic: data.text }), ledger: "topic-joined" },
  "topic.passed": { data: data.exactly({ topic: data.text }), ledger: "topic-left" },
  "contact.paused": {
    data: data.exactly({ until: data.time }),
    told: "log",
    pages: "contacts",
    touches: ["paused", "updatedAt"],
    ledger: "paused",
  },
  "contact.resumed": {
    data: data.nothing,
    told: "log",
    pages: "contacts",
    touches: ["paused", "updatedAt"],
    ledger: "resumed",
  },
  "suppression.added": { data: data.suppression, told: "endpoints", ledger: "suppressed" },
  "suppression.removed": { data: data.suppression, told: "endpoints", ledger: "unsuppressed" },
  "contact.merged": {
    data: data.exactly({ formerId: data.id, formerEmail: data.text }),
    told: "log",
    pages: "contacts",
    ledger: "merged",
  },
  "contact.unmerged": { data: data.nothing, ledger: "unmerged" },
  "contact.erased": { data: data.exactly({ contactId: data.id }), told: "endpoints", ledger: "erased" },

  /** `segment.<slug>.entry` and `segment.<slug>.exit`. */
  "segment.entry": { data: data.segment, told: "type", pages: "segments" },
  "segment.exit": { data: data.segment, told: "type", pages: "segments" },
  /** By `POST /v1/track`, under any other name, with any data. */
  "event.tracked": { data: t.Record(t.String(), t.Unknown()), told: "type" },

  "campaign.started": { data: data.campaign, told: "endpoints", pages: "campaigns" },
  "campaign.finished": { data: data.campaign, told: "endpoints", pages: "campaigns" },
  "campaign.blocked": { data: data.blockedCampaign, told: "endpoints", pages: "campaigns" },
  "domain.verified": { data: data.domain, told: "endpoints" },
  "domain.failing": { data: data.failingDomain, told: "endpoints" },
  "domain.recovered": { data: data.domainRecord, told: "endpoints" },
  "import.finished": { data: data.finishedImport, told: "endpoints" },
} as const satisfies Readonly<Record<string, FactColumns>>;

export type FactName = keyof typeof FACTS;
type FactRow = (typeof FACTS)[FactName];
/** The facts whose rows have these columns. */
export type FactWith<Columns> = {
  [Name in FactName]: (typeof FACTS)[Name] extends Columns ? Name : never;
}[FactName];
export type FactData<Name extends FactName> = DeepReadonly<Static<(typeof FACTS)[Name]["data"]>>;
type DeepReadonly<Data> = Data extends object ? { readonly [Key in keyof Data]: DeepReadonly<Data[Key]> } : Data;

const ROWS = Object.entries(FACTS) as readonly [FactName, FactColumns][];

/** The types of events that endpoints can name. */
export type EventType = FactWith<{ told: unknown }>;
export const EVENT_TYPES = ROWS.flatMap(([name, { told }]) => (told ? (name as EventType) : [])).sort();

/** The names of events that only Posthorn emits, but for those of segments. */
export const OWN_EVENTS: readonly FactName[] = ROWS.flatMap(([name, { told }]) => (told === "log" ? name : []));

/** The counted states, by the columns of mail_counts. */
export type CountName = Extract<FactRow, { counts: unknown }>["counts"];
export const COUNTED = each("counts") as readonly CountName[];

/** The kinds of change in the ledger of consent. */
export type LedgerChange = Extract<FactRow, { ledger: unknown }>["ledger"];
export const LEDGER_CHANGES = each("ledger") as readonly LedgerChange[];

/** The distinct names in a column. */
function each(column: "counts" | "ledger"): readonly string[] {
  return [...new Set(ROWS.flatMap(([, row]) => row[column] ?? []))];
}

export type NoticeType = FactWith<{ told: "endpoints" }>;

/** Facts about accepted mail that events or webhooks report. */
export type MailFact =
  Exclude<Extract<EventType, `email.${string}`>, "email.accepted" | "email.received"> | FactWith<{ event: unknown }>;

/** The data of a fact about a mail beside the base fields, for this fact alone. */
export type MailFacts<Name extends MailFact> = DistributiveOmit<FactData<Name>, keyof typeof data.mailBase | "to">;

type DistributiveOmit<Data, Key extends PropertyKey> = Data extends unknown ? Omit<Data, Key> : never;

const OWN: ReadonlySet<string> = new Set(OWN_EVENTS);

export function isOwnEvent(name: string): boolean {
  return OWN.has(name);
}

/** True for names that cannot be tracked by hand. */
export function isReservedEvent(name: string): boolean {
  return typeOf(name) !== "event.tracked";
}

/**
 * The row of an event's name: custom ones are `event.tracked`, and entries and exits of any segment are one type each.
 */
export function typeOf(name: string): EventType {
  if (isOwnEvent(name)) return name as EventType;
  const [, what] = /^segment\..*\.(entry|exit)$/s.exec(name) ?? [];
  return what === undefined ? "event.tracked" : (`segment.${what}` as EventType);
}

export function columnsOf(fact: FactName): FactColumns {
  return FACTS[fact];
}
