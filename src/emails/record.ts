// A mail as the interface shows it.
import type { PastEvent } from "../events/queries.ts";
import { isErased, messageIdOf } from "./email.ts";
import type { MachineVisit } from "./feedback-queries.ts";
import type { PastAttempt, ToldMail } from "./queries.ts";
import { emailShape, timelineShape } from "./shape.ts";

/** `returnPath`: as `returnPathOf` answers it. */
export function emailRecord(mail: ToldMail, returnPath: string): typeof emailShape.static {
  const { seq, workspace, contact, contactEmail, content, campaign, attachments, ...shown } = mail;
  const { id, workspaceId: projectId, status, renderedSubject, fromAddress, toAddress, dueAt, ...same } = shown;
  const subject = isErased(mail) ? "" : (renderedSubject ?? mail.subject);
  return {
    ...{ id, projectId, status, from: fromAddress, to: toAddress },
    ...same,
    subject,
    returnPath,
    messageId: messageIdOf(mail),
    /** Not handed over before this; null once the mail is settled. */
    scheduledFor: status === "QUEUED" ? dueAt : null,
  };
}

type TimelineEntry = (typeof timelineShape.static)[number];

type Past = {
  readonly attempts: readonly PastAttempt[];
  readonly events: readonly PastEvent[];
  readonly machineVisits: readonly MachineVisit[];
};

/** What happened to a mail, in order. */
export function timeline(mail: ToldMail, { attempts, events, machineVisits }: Past): TimelineEntry[] {
  const entries: TimelineEntry[] = [
    ...(mail.status === "RECEIVED" ? [] : [{ at: mail.createdAt, what: "queued", detail: null }]),
    ...attempts.map(({ at, outcome, ...detail }) => ({ at, what: `attempt.${outcome}`, detail })),
    ...events.map(({ createdAt: at, name: what, data: detail }) => ({ at, what, detail })),
    ...machineVisits.map(({ at, kind, link }) => ({
      at,
      what: `email.${kind}`,
      detail: { bot: true, ...(link === null ? {} : { link }) },
    })),
  ];
  return entries.sort((one, other) => (one.at < other.at ? -1 : one.at > other.at ? 1 : 0));
}
