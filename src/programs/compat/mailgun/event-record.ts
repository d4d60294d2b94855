// An event of a mail in Mailgun's shape.
import { domainOf } from "../../../base/addresses.ts";
import { labelsIn } from "../../../base/labels.ts";
import { messageIdOf } from "../../../mail/emails/content/message-id.ts";
import { skipReasonIn } from "../../../mail/emails/refusals/skip-reasons.ts";
import { whySuppressed } from "../../../audience/suppressions/standing.ts";
import type { EventListName, FirstMail, MailEventRow } from "./event-queries.ts";

export type MailgunEventName =
  "accepted" | "delivered" | "failed" | "opened" | "clicked" | "unsubscribed" | "complained";
type MailSeverity = "permanent" | "temporary";

type EventSource = {
  readonly list: EventListName;
  /** Its name in the log. */
  readonly name?: string;
  readonly event: MailgunEventName;
  readonly severity?: MailSeverity;
};

/** Where each event is found. A failure that Mailgun calls permanent is not retried. */
export const EVENT_SOURCES: readonly EventSource[] = [
  { list: "accepted", event: "accepted" },
  { list: "log", name: "email.delivery", event: "delivered" },
  { list: "log", name: "email.open", event: "opened" },
  { list: "log", name: "email.click", event: "clicked" },
  { list: "log", name: "email.complaint", event: "complained" },
  { list: "log", name: "email.bounce", event: "failed", severity: "permanent" },
  { list: "failed", event: "failed", severity: "permanent" },
  { list: "skipped", event: "failed", severity: "permanent" },
  { list: "attempts", event: "failed", severity: "temporary" },
  { list: "unsubscribed", event: "unsubscribed" },
];

/** Events of Mailgun that do not exist here. */
export const NEVER: ReadonlySet<string> = new Set(["rejected", "stored"]);

const LEVELS: Readonly<Partial<Record<MailgunEventName, string>>> = { complained: "warn" };
const SECOND_MS = 1_000;

/** Mailgun's codes for mail to a suppressed address. */
const SUPPRESSED = { bounce: 605, unsubscribe: 606, complaint: 607 } as const;
const NOT_DELIVERED = {
  bounce: "suppress-bounce",
  unsubscribe: "suppress-unsubscribe",
  complaint: "suppress-complaint",
};
const COMPLAINED = new Set(
  (["address", "domain"] as const).map((kind) => whySuppressed({ kind, reason: "complaint" })),
);

/** `first`: the first mail of its call. */
export function eventRecord(row: MailEventRow, first: FirstMail | undefined) {
  const { list, name, at, eventId, number, recipient, subject, from } = row;
  const source = EVENT_SOURCES.find((one) => one.list === list && (one.name ?? name) === name) as EventSource;
  const { event, severity } = source;
  const { tags, metadata } = labelsIn(row);
  const messageId = first ? messageIdOf(first).replace(/^<|>$/g, "") : "";
  return {
    // One mail is in several lists, and tried several times.
    id: list === "log" ? eventId : `${eventId}-${list}-${number}`,
    event,
    timestamp: Date.parse(at) / SECOND_MS,
    "log-level": severity === undefined ? (LEVELS[event] ?? "info") : severity === "permanent" ? "error" : "warn",
    recipient,
    "recipient-domain": domainOf(recipient),
    tags,
    campaigns: [],
    "user-variables": metadata,
    flags: { "is-routed": false, "is-authenticated": true, "is-system-test": false, "is-test-mode": false },
    envelope: { sender: from, targets: recipient, transport: "smtp" },
    message: { headers: { "message-id": messageId, to: recipient, from, subject }, attachments: [] },
    ...(event === "clicked" ? { url: (JSON.parse(row.data ?? "{}") as { link?: string }).link ?? "" } : {}),
    ...(event === "delivered" ? { "delivery-status": deliveryStatus(row.reply ?? "", 250, number) } : {}),
    ...(severity === undefined ? {} : { severity, ...failureOf(row, severity) }),
  };
}

function failureOf(row: MailEventRow, severity: MailSeverity) {
  const { list, bounceType, number } = row;
  const reply = row.reply ?? "";
  if (list === "skipped") {
    const why = COMPLAINED.has(reply) ? "complaint" : skipReasonIn(reply) === "suppressed" ? "bounce" : "unsubscribe";
    return { reason: NOT_DELIVERED[why], "delivery-status": deliveryStatus(reply, SUPPRESSED[why], number) };
  }
  const reason =
    severity === "temporary" || list === "failed" ? "generic" : bounceType === "Transient" ? "old" : "bounce";
  return { reason, "delivery-status": deliveryStatus(reply, severity === "permanent" ? 550 : 450, number) };
}

/** `code`: unless the reply begins with one, as those of servers do. */
function deliveryStatus(reply: string, code: number, number: number) {
  const said = /^\s*([245]\d\d)\b/.exec(reply)?.[1];
  const enhanced = /\b[245]\.\d{1,3}\.\d{1,3}\b/.exec(reply)?.[0];
  return {
    code: said === undefined ? code : Number(said),
    message: reply,
    description: "",
    ...(enhanced === undefined ? {} : { "enhanced-code": enhanced }),
    "attempt-no": number,
  };
}
