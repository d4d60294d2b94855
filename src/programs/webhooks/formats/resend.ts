// Webhooks as Resend sends them. Facts that we do not know, such as the browser behind a click, are empty.
import { iso } from "../../../base/clock.ts";
import { namePart } from "../../../audience/contacts/search/name-fields.ts";
import { madeAtMs } from "../../../base/ids.ts";
import { factsOf, type WebhookEventFacts, type Format, type WebhookEvent } from "./format.ts";

type DataOf = (told: WebhookEvent) => object;

/** By our types of events: the type and the data of Resend. */
const EVENTS: Readonly<Record<string, readonly [type: string, dataOf: DataOf]>> = {
  "email.sent": ["email.sent", mail()],
  "email.deferred": ["email.delivery_delayed", mail()],
  "email.failed": ["email.failed", mail(({ reason }) => ({ failed: { reason } }))],
  "email.delivery": ["email.delivered", mail()],
  "email.bounce": [
    "email.bounced",
    mail(({ bounceType: type, reason = "" }) => ({
      bounce: { type, subType: "General", message: reason, diagnosticCode: [reason] },
    })),
  ],
  "email.complaint": ["email.complained", mail()],
  "email.open": ["email.opened", mail()],
  "email.click": [
    "email.clicked",
    mail(({ link }, { createdAt }) => ({ click: { ipAddress: "", link, timestamp: createdAt, userAgent: "" } })),
  ],
  "email.received": ["email.received", received],
  "contact.created": ["contact.created", person],
  "contact.updated": ["contact.updated", person],
  "topic.joined": ["contact.topics.updated", topicData("opt_in")],
  "topic.left": ["contact.topics.updated", topicData("opt_out")],
  "suppression.added": ["suppression.added", suppression],
  "suppression.removed": ["suppression.removed", suppression],
};

/** Our types, by those of Resend. */
export const OURS_FOR_RESEND: ReadonlyMap<string, readonly string[]> = new Map(
  [...Map.groupBy(Object.entries(EVENTS), ([, [type]]) => type)].map(([type, all]) => [
    type,
    all.map(([ours]) => ours),
  ]),
);

export const resend: Format = {
  title: "Resend",
  signedAs: "svix",
  bodies: Object.fromEntries(
    Object.entries(EVENTS).map(([ours, [type, dataOf]]) => [
      ours,
      (told) => ({ type, created_at: told.createdAt, data: dataOf(told) }),
    ]),
  ),
};

type EventFieldsWriter = (facts: WebhookEventFacts, told: WebhookEvent) => object;

function mail(more: EventFieldsWriter = () => ({})): DataOf {
  return (told) => {
    const facts = factsOf(told);
    const { emailId, messageId, to, subject, from, fromName, campaignId, templateId, tags } = facts;
    return {
      ...(campaignId === null ? {} : { broadcast_id: campaignId }),
      created_at: iso(madeAtMs(emailId)),
      email_id: emailId,
      message_id: messageId,
      from: fromName ? `${fromName} <${from}>` : from,
      to: [to],
      subject,
      ...(templateId === null ? {} : { template_id: templateId }),
      ...(tags ? { tags: Object.fromEntries(tags.map(nameAndValue)) } : {}),
      ...more(facts, told),
    };
  };
}

/** Ours are `name:value` or `name`. */
function nameAndValue(tag: string): [string, string] {
  const [name = "", value = ""] = tag.split(":", 2);
  return [name, value];
}

type ReceivedFacts = {
  readonly emailId: string;
  readonly messageId: string;
  readonly fromHeader: string;
  readonly subject: string;
  readonly timestamp: string;
  readonly recipients: readonly string[];
  readonly addressed: { readonly to: readonly string[]; readonly cc: readonly string[] };
  readonly attachments: readonly { readonly id: string; readonly filename: string; readonly contentType: string }[];
};

function received(told: WebhookEvent) {
  const { emailId, messageId, fromHeader, subject, timestamp, recipients, addressed, attachments } =
    told.data as unknown as ReceivedFacts;
  return {
    email_id: emailId,
    created_at: timestamp,
    from: fromHeader,
    ...addressed,
    bcc: [],
    received_for: recipients,
    message_id: messageId,
    subject,
    attachments: attachments.map(({ id, filename, contentType }) => ({
      id,
      filename,
      content_type: contentType,
      content_disposition: null,
      content_id: null,
    })),
  };
}

/** The people of a workspace are one audience. A change of `subscribed` comes as contact.updated, too. */
function person(told: WebhookEvent) {
  const { id, email, subscribed, data = {} } = factsOf(told).contact;
  return {
    id,
    audience_id: told.workspaceId,
    segment_ids: [],
    created_at: iso(madeAtMs(id)),
    updated_at: told.createdAt,
    email,
    first_name: namePart(data, "first"),
    last_name: namePart(data, "last"),
    unsubscribed: !subscribed,
  };
}

/** A topic by its key, which the calls of Resend's API take as its id. */
function topicData(subscription: "opt_in" | "opt_out"): DataOf {
  return (told) => {
    const { contact, topic } = factsOf(told);
    return { email: contact.email, topics: [{ id: topic, subscription }] };
  };
}

const ORIGINS: Readonly<Record<string, string>> = {
  bounce: "bounce",
  complaint: "complaint",
  "soft-bounces": "bounce",
};

function suppression(told: WebhookEvent) {
  const { suppressionId: id, address, domain, reason = "" } = factsOf(told);
  const origin = ORIGINS[reason] ?? "manual";
  return { id, email: address ?? `@${domain}`, origin, source_id: null, created_at: told.createdAt };
}
