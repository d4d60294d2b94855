// The sources of a timeline: each has its entries about a contact, newest first, a bounded piece at a time.
import type { Contact } from "../../audience/contacts/queries.ts";
import { isErased } from "../../mail/emails/email.ts";
import { mailsNumbered, type ToldMail } from "../../mail/emails/queries.ts";
import { reasonOf } from "../../mail/emails/refusals/reason.ts";
import type { Reader } from "../../store/store.ts";
import {
  eventsBefore,
  eventsCalled,
  eventsTold,
  executionsBefore,
  mailsBefore,
  type SeenEvent,
} from "./past-queries.ts";
import { consentOf } from "./consent.ts";
import type { HistoryEntry } from "./record.ts";
import { executionRecord } from "./standing.ts";
import { namesOf } from "../../operator/team/audit/naming-queries.ts";

export type TimelineCursor = number | readonly [string, number];

/** `end`: how far the source has read; null = it has nothing more. */
export type TimelineSlice = {
  readonly entries: readonly { readonly position: TimelineCursor; readonly entry: HistoryEntry }[];
  readonly end: { readonly position: TimelineCursor; readonly at: string } | null;
};

export type TimelineQuery = {
  readonly workspace: number;
  readonly contact: Contact;
  readonly before: TimelineCursor | null;
  readonly limit: number;
  readonly nowMs: number;
};

export type TimelineSource = (reader: Reader, place: TimelineQuery) => Promise<TimelineSlice>;

const numbered = ({ contact, before, limit }: TimelineQuery) => ({
  contact: contact.seq,
  before: typeof before === "number" ? before : null,
  limit,
});

function toldOf(entries: TimelineSlice["entries"], limit: number): TimelineSlice {
  const last = entries.at(-1);
  return { entries, end: last && entries.length === limit ? { position: last.position, at: last.entry.at } : null };
}

type MailOrigin = "campaigns" | "templates" | "workflows";

export const mails: TimelineSource = async (reader, place) => {
  const found = await mailsNumbered(reader, await mailsBefore(reader, numbered(place)));
  const names = new Map<MailOrigin, ReadonlyMap<string, string>>();
  const ids = { campaigns: "campaignId", templates: "templateId", workflows: "workflowId" } as const;
  for (const kind of ["campaigns", "templates", "workflows"] as const) {
    const named = new Set(found.flatMap((mail) => mail[ids[kind]] ?? []));
    names.set(kind, await namesOf(reader, { workspace: place.workspace, kind }, [...named]));
  }
  const originOfMail = (kind: MailOrigin, id: string | null) => {
    const name = id === null ? undefined : names.get(kind)?.get(id);
    return id === null || name === undefined ? null : { id, name };
  };
  const entries = found.map((mail) => ({ position: mail.seq, entry: mailEntry(mail, originOfMail) }));
  return toldOf(entries, place.limit);
};

function mailEntry(
  mail: ToldMail,
  nameOf: (kind: MailOrigin, id: string | null) => { id: string; name: string } | null,
): HistoryEntry {
  const { id, status, held, sourceType, error, opens, clicks, sentAt, failedAt, dueAt } = mail;
  const subject = isErased(mail) ? "" : (mail.renderedSubject ?? mail.subject);
  return {
    type: "mail",
    at: mail.createdAt,
    mail: {
      id,
      subject,
      status,
      held,
      sourceType,
      from: mail.fromAddress,
      to: mail.toAddress,
      campaign: nameOf("campaigns", mail.campaignId),
      template: nameOf("templates", mail.templateId),
      workflow: nameOf("workflows", mail.workflowId),
      reason: reasonOf(mail),
      error,
      opens,
      clicks,
      sentAt,
      failedAt,
      scheduledFor: status === "QUEUED" ? dueAt : null,
    },
  };
}

/** These are in the entry of the mail itself. */
const TOLD_BY_MAIL = ["email.sent", "email.received"];
const CONSENT = ["contact.subscribed", "contact.unsubscribed"];
const OF_MAILS = ["email.delivery", "email.open", "email.click", "email.bounce", "email.complaint"];

const isOfMail = (name: string) => TOLD_BY_MAIL.includes(name) || OF_MAILS.includes(name);

export const mailEvents: TimelineSource = (reader, place) => called(reader, place, OF_MAILS);
export const consents: TimelineSource = (reader, place) => called(reader, place, CONSENT);
export const ownEvents: TimelineSource = (reader, place) =>
  scanned(reader, place, (name) => !isOfMail(name) && !CONSENT.includes(name));
export const events: TimelineSource = (reader, place) => scanned(reader, place, (name) => !TOLD_BY_MAIL.includes(name));

async function called(reader: Reader, place: TimelineQuery, names: readonly string[]): Promise<TimelineSlice> {
  const seen = await eventsCalled(reader, numbered(place), names);
  return toldOf(await eventEntries(reader, place, seen), place.limit);
}

/** Events read for one page, even if few of them match. */
const EVENTS_A_PAGE = 5_000;

async function scanned(
  reader: Reader,
  place: TimelineQuery,
  isMeant: (name: string) => boolean,
): Promise<TimelineSlice> {
  const seen = await eventsBefore(reader, { ...numbered(place), limit: EVENTS_A_PAGE });
  const meant = seen.filter(({ name }) => isMeant(name));
  const entries = await eventEntries(reader, place, meant.slice(0, place.limit));
  if (meant.length > place.limit || seen.length < EVENTS_A_PAGE) {
    const told = toldOf(entries, place.limit);
    return meant.length > place.limit ? told : { ...told, end: null };
  }
  const last = seen.at(-1) as SeenEvent;
  return { entries, end: { position: last.seq, at: last.createdAt } };
}

async function eventEntries(
  reader: Reader,
  { workspace, contact }: TimelineQuery,
  seen: readonly SeenEvent[],
): Promise<TimelineSlice["entries"]> {
  const told = await eventsTold(
    reader,
    seen.map(({ seq }) => seq),
  );
  const changes = told.filter(({ name }) => CONSENT.includes(name));
  const consent = await consentOf(reader, workspace, contact, changes);
  return told.map(({ seq, createdAt: at, id, name, data, emailId, subject }) => {
    const change = consent.get(seq);
    const entry: HistoryEntry = change
      ? { type: "consent", at, consent: change }
      : { type: "event", at, event: { id, name, data, emailId, subject } };
    return { position: seq, entry };
  });
}

export const executions: TimelineSource = async (reader, place) => {
  const found = await executionsBefore(reader, numbered(place));
  const entries = found.map((execution) => {
    const entry: HistoryEntry = { type: "workflow", at: execution.startedAt, execution: executionRecord(execution) };
    return { position: execution.seq, entry };
  });
  return toldOf(entries, place.limit);
};
