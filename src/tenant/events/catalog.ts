// What can happen here, a row a fact, and in its columns all that follows from it.
import { t, type Static, type TSchema } from "elysia";
import * as data from "./data-shape.ts";
import type { NewsChannel } from "./notify.ts";

/** What follows from a fact. A column that is missing: nothing. */
type FactColumns = {
  readonly data: TSchema;
  /**
   * Who hears of it. `log`: an event of this name, for segments, workflows and endpoints. `type`: events of many names,
   * which endpoints know by this one. `endpoints`: a notice for endpoints alone, which no workflow starts with.
   * `change`: endpoints get the change of the contact itself.
   */
  readonly told?: "log" | "type" | "endpoints" | "change";
  /** The open pages that look again; for an event, besides those of the log. */
  readonly pages?: NewsChannel;
  /** The columns of the statistics of mails that it may count in. */
  readonly counts?: readonly string[];
  /** The name of its row in the ledger of consent. */
  readonly ledger?: string;
};

/** The order is that of the columns of statistics, and of the names in the ledger. */
export const FACTS = {
  "email.accepted": { data: data.acceptedMail, told: "endpoints", pages: "mails", counts: ["accepted"] },
  "email.sent": { data: data.mailEvent({ sentAt: data.time }), told: "log", pages: "mails", counts: ["sent"] },
  "email.deferred": { data: data.mailNotice({ nextAttemptAt: data.time }), told: "endpoints", pages: "mails" },
  "email.delivery": {
    data: data.mailEvent({ deliveredAt: data.time }),
    told: "log",
    pages: "mails",
    counts: ["delivered"],
  },
  "email.failed": { data: data.mailNotice({}), told: "endpoints", pages: "mails", counts: ["failed"] },
  "email.bounce": { data: data.bounce, told: "log", pages: "mails", counts: ["hard_bounced", "soft_bounced"] },
  "email.complaint": {
    data: data.mailEvent({ complainedAt: data.time }),
    told: "log",
    pages: "mails",
    counts: ["complained"],
  },
  "email.open": {
    data: data.mailEvent({ openedAt: data.time, opens: data.count, isFirstOpen: t.Boolean() }),
    told: "log",
    pages: "mails",
    counts: ["opened"],
  },
  "email.click": {
    data: data.mailEvent({ link: data.text, clickedAt: data.time, clicks: data.count, isFirstClick: t.Boolean() }),
    told: "log",
    pages: "mails",
    counts: ["clicked"],
  },
  "email.received": { data: data.receivedMail, told: "log", pages: "mails" },
  /** Its reader left everything, or its topic, through it. */
  "email.unsubscribed": { data: data.nothing, counts: ["unsubscribed"] },
  "email.topic-left": { data: data.nothing, counts: ["left_topic"] },
  "email.skipped": { data: data.nothing, pages: "mails", counts: ["skipped"] },
  "email.cancelled": { data: data.nothing, counts: ["cancelled"] },

  "contact.created": { data: data.nothing, told: "change" },
  "contact.updated": { data: data.nothing, told: "change" },
  "contact.subscribed": { data: data.nothing, told: "log", pages: "contacts", ledger: "subscribed" },
  "contact.unsubscribed": {
    data: data.exactly({ reason: t.Optional(data.oneOf("bounce", "complaint")) }),
    told: "log",
    pages: "contacts",
    ledger: "unsubscribed",
  },
  /** Of a double opt-in. */
  "contact.asked": { data: data.nothing, ledger: "asked" },
  "contact.confirmed": { data: data.nothing, ledger: "confirmed" },
  "contact.declined": { data: data.nothing, ledger: "declined" },
  "contact.expired": { data: data.nothing, ledger: "expired" },
  /** To the wording of a form. */
  "contact.agreed": { data: data.nothing, ledger: "agreed" },
  "topic.joined": { data: data.exactly({ topic: data.text }), told: "log", pages: "contacts", ledger: "topic-joined" },
  "topic.left": { data: data.exactly({ topic: data.text }), told: "log", pages: "contacts", ledger: "topic-left" },
  "topic.unsaid": { data: data.exactly({ topic: data.text }), ledger: "topic-unsaid" },
  "contact.paused": { data: data.exactly({ until: data.time }), told: "log", pages: "contacts", ledger: "paused" },
  "contact.resumed": { data: data.nothing, told: "log", pages: "contacts", ledger: "resumed" },
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
export type FactData<Name extends FactName> = Static<(typeof FACTS)[Name]["data"]>;

const ROWS = Object.entries(FACTS) as readonly [FactName, FactColumns][];

/** The types of events that endpoints can name. */
export type EventType = FactWith<{ told: unknown }>;
export const EVENT_TYPES = ROWS.flatMap(([name, { told }]) => (told ? (name as EventType) : [])).sort();

/** The names of events that only Posthorn emits, but for those of segments. */
export const OWN_EVENTS: readonly FactName[] = ROWS.flatMap(([name, { told }]) => (told === "log" ? name : []));

/** The counted states, by the columns of mail_counts. */
export type CountName = Extract<FactRow, { counts: unknown }>["counts"][number];
export const COUNTED = ROWS.flatMap(([, { counts = [] }]) => counts) as readonly CountName[];

/** The kinds of change in the ledger of consent. */
export type LedgerChange = Extract<FactRow, { ledger: unknown }>["ledger"];
export const LEDGER_CHANGES = ROWS.flatMap(([, { ledger = [] }]) => ledger) as readonly LedgerChange[];

export type NoticeType = FactWith<{ told: "endpoints" }>;

export type MailEvent = FactWith<{ told: "log"; counts: unknown }>;

/** The data of an event about a mail beside the base fields, for the named event alone. */
export type MailFacts<Name extends MailEvent> = Without<FactData<Name>, keyof typeof data.mailBase>;

type Without<Data, Key extends PropertyKey> = Data extends unknown ? Omit<Data, Key> : never;

const OWN: ReadonlySet<string> = new Set(OWN_EVENTS);

export function isOwnEvent(name: string): boolean {
  return OWN.has(name);
}

/** True for names that cannot be tracked by hand. */
export function isReservedEvent(name: string): boolean {
  return typeOf(name) !== "event.tracked";
}

/** The row of an event's name: custom ones are `event.tracked`, and entries and exits of any segment are one type each. */
export function typeOf(name: string): EventType {
  if (isOwnEvent(name)) return name as EventType;
  const [, what] = /^segment\..*\.(entry|exit)$/s.exec(name) ?? [];
  return what === undefined ? "event.tracked" : (`segment.${what}` as EventType);
}

/** The open pages that an event of this name changes, besides those of the log. */
export function pagesOf(name: string): NewsChannel | undefined {
  return (FACTS[typeOf(name)] as FactColumns).pages;
}
