// Webhooks as Resend sends them. What it knows and we do not, such as the browser of who clicked, is empty.
import { iso } from "../../clock.ts";
import { madeAtMs } from "../../ids.ts";
import { factsOf, type Facts, type Format, type Told } from "./format.ts";

export const resend: Format = {
  title: "Resend",
  signedAs: "svix",
  bodies: {
    "email.sent": mail("email.sent"),
    "email.deferred": mail("email.delivery_delayed"),
    "email.failed": mail("email.failed", ({ reason }) => ({ failed: { reason } })),
    "email.delivery": mail("email.delivered"),
    "email.bounce": mail("email.bounced", ({ bounceType: type, reason = "" }) => ({
      bounce: { type, subType: "General", message: reason, diagnosticCode: [reason] },
    })),
    "email.complaint": mail("email.complained"),
    "email.open": mail("email.opened"),
    "email.click": mail("email.clicked", ({ link }, { createdAt }) => ({
      click: { ipAddress: "", link, timestamp: createdAt, userAgent: "" },
    })),
    "email.received": received,
    "contact.created": person("contact.created"),
    "contact.updated": person("contact.updated"),
    "suppression.added": suppression("suppression.added"),
    "suppression.removed": suppression("suppression.removed"),
  },
};

function body({ createdAt }: Told, type: string, data: object) {
  return { type, created_at: createdAt, data };
}

type More = (facts: Facts, told: Told) => object;

function mail(type: string, more: More = () => ({})) {
  return (told: Told) => {
    const facts = factsOf(told);
    const { emailId, messageId, to, subject, from, fromName, campaignId, templateId, tags } = facts;
    return body(told, type, {
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
    });
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

function received(told: Told) {
  const { emailId, messageId, fromHeader, subject, timestamp, recipients, addressed, attachments } =
    told.data as unknown as ReceivedFacts;
  return body(told, "email.received", {
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
  });
}

/** The people of a workspace are one audience. A change of `subscribed` comes as contact.updated, too. */
function person(type: string) {
  return (told: Told) => {
    const { id, email, subscribed, data = {} } = factsOf(told).contact;
    const name = (field: string) => (typeof data[field] === "string" ? data[field] : null);
    return body(told, type, {
      id,
      audience_id: told.workspaceId,
      segment_ids: [],
      created_at: iso(madeAtMs(id)),
      updated_at: told.createdAt,
      email,
      first_name: name("firstName"),
      last_name: name("lastName"),
      unsubscribed: !subscribed,
    });
  };
}

function suppression(type: string) {
  return (told: Told) => {
    const { contact, reason: origin } = factsOf(told);
    const { id, email } = contact;
    return body(told, type, { id, email, origin, source_id: null, created_at: told.createdAt });
  };
}
