// Examples of events, to try an endpoint with.
import { iso } from "../../../base/clock.ts";
import type { EventType } from "../../../tenant/events/catalog.ts";
import type { EventData } from "../../../tenant/events/outbox.ts";
import { newId } from "../../../base/ids.ts";

const SUBJECT = "Your receipt";
const REFUSED = "550 5.1.1 No such user";

/** The data of an example of this type. */
export function exampleOf(type: EventType, nowMs: number): EventData {
  const [now, soon] = [iso(nowMs), iso(nowMs + 30_000)];
  const [emailId, contactId, other] = [newId(nowMs), newId(nowMs), newId(nowMs)];
  const complained = "complaint";
  const contact = { id: contactId, email: "ada@example.com", subscribed: true };
  const accepted = {
    emailId,
    to: contact.email,
    subject: SUBJECT,
    from: "shop@example.com",
    templateId: null,
    campaignId: null,
    sourceType: "TRANSACTIONAL",
    tags: ["receipt"],
    metadata: { order: "A-1" },
  };
  const mail = { ...accepted, fromName: "Shop", messageId: `<${emailId}@example.com>`, contact };
  const campaign = { campaignId: other, name: "Spring news" };
  const domain = { domainId: other, domain: "example.com" };
  const suppression = {
    ...{ suppressionId: other, address: contact.email, domain: null },
    ...{ scope: "all", reason: "bounce", until: null },
  };
  const segment = { segmentId: other, segmentName: "Customers", contact };
  const examples: Readonly<Record<EventType, EventData>> = {
    "email.sent": { ...mail, sentAt: now },
    "email.delivery": { ...mail, deliveredAt: now },
    "email.open": { ...mail, openedAt: now, opens: 1, isFirstOpen: true },
    "email.click": { ...mail, link: "https://example.com/orders/7", clickedAt: now, clicks: 1, isFirstClick: true },
    "email.bounce": { ...mail, bounceType: "Permanent", reason: REFUSED, bouncedAt: now },
    "email.complaint": { ...mail, complainedAt: now },
    "email.received": receivedAt(now, emailId),
    "email.accepted": { ...accepted, sendAt: now, contact },
    "email.deferred": { ...mail, reason: "451 4.7.1 Try again later", attempts: 1, nextAttemptAt: soon },
    "email.failed": { ...mail, reason: "554 5.7.1 Message refused", attempts: 1 },
    "contact.created": { contact: { ...contact, data: { plan: "pro" } } },
    "contact.updated": { contact: { ...contact, data: { plan: "pro" } } },
    "contact.erased": { contactId },
    "contact.subscribed": { contact },
    "contact.unsubscribed": { reason: complained, contact: { ...contact, subscribed: false } },
    "contact.paused": { until: soon, contact },
    "contact.resumed": { contact },
    "contact.merged": { formerId: other, formerEmail: "ada.l@example.com", contact },
    "topic.joined": { topic: "news", contact },
    "topic.left": { topic: "news", contact },
    "segment.entry": segment,
    "segment.exit": segment,
    "event.tracked": { name: "order.paid", data: { total: 42 }, contact },
    "campaign.started": campaign,
    "campaign.finished": campaign,
    "campaign.blocked": { ...campaign, reason: "The domain example.com is not verified any more." },
    "domain.verified": domain,
    "domain.failing": {
      ...domain,
      what: "SPF",
      problem: "There is no TXT record at example.com that begins with v=spf1.",
    },
    "domain.recovered": { ...domain, what: "SPF" },
    "import.finished": { jobId: other, status: "COMPLETED", created: 120, updated: 4, failed: 1 },
    "suppression.added": { ...suppression, contact: { ...contact, subscribed: false } },
    "suppression.removed": { ...suppression, contact },
  };
  return examples[type];
}

function receivedAt(timestamp: string, emailId: string): EventData {
  const body = "Where is my order?";
  return {
    emailId,
    messageId: `<${emailId}@example.com>`,
    inReplyTo: null,
    references: [],
    from: "ada@example.com",
    fromHeader: "Ada <ada@example.com>",
    to: "shop@example.com",
    subject: "Order 7",
    timestamp,
    recipients: ["shop@example.com"],
    addressed: { to: ["shop@example.com"], cc: [] },
    hasContent: true,
    body,
    text: body,
    attachments: [],
    spamVerdict: "PASS",
    virusVerdict: "PASS",
    spfVerdict: "PASS",
    dkimVerdict: "PASS",
    dmarcVerdict: "PASS",
    processingTimeMillis: 12,
  };
}
