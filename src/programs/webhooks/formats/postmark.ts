// Webhooks as Postmark sends them: not signed, but with the headers of the endpoint. Facts that we do not know, such as
// the browser behind a click, are empty.
import { factsOf, type WebhookEventFacts, type Format, type WebhookEvent } from "./format.ts";

export const postmark: Format = {
  title: "Postmark",
  signedAs: null,
  bodies: {
    "email.delivery": mail("Delivery", ({ to }, { createdAt }) => ({
      Recipient: to,
      DeliveredAt: createdAt,
      Details: "",
    })),
    "email.bounce": mail("Bounce", (facts, told) =>
      returned(
        facts,
        told,
        facts.bounceType === "Permanent"
          ? { ...HARD, Inactive: true, CanActivate: true }
          : { ...SOFT, Inactive: false, CanActivate: false },
      ),
    ),
    "email.complaint": mail("SpamComplaint", (facts, told) =>
      returned(facts, told, { ...COMPLAINT, Inactive: true, CanActivate: false }),
    ),
    "email.open": mail("Open", (facts, told) => ({
      ...visit(facts, told),
      FirstOpen: facts.isFirstOpen,
      ReadSeconds: 0,
    })),
    "email.click": mail("Click", (facts, told) => ({
      ...visit(facts, told),
      ClickLocation: "HTML",
      OriginalLink: facts.link,
    })),
    "contact.subscribed": subscription(false),
    "contact.unsubscribed": subscription(true),
  },
};

const NOBODY = { Name: "", Company: "", Family: "" };

/** Postmark's records are numbered: as many of the last hexadecimal digits of an id. */
export function numberOf(id: string, digits = 12): number {
  return parseInt(id.slice(-digits), 16);
}

/** So that it is a 32-bit number. */
const SERVER_DIGITS = 7;

type EventFieldsWriter = (facts: WebhookEventFacts, told: WebhookEvent) => object;

function mail(RecordType: string, more: EventFieldsWriter) {
  return (told: WebhookEvent) => {
    const facts = factsOf(told);
    const { emailId, campaignId, tags = [], metadata = {} } = facts;
    return {
      RecordType,
      ServerID: numberOf(told.workspaceId, SERVER_DIGITS),
      MessageStream: campaignId === null ? "outbound" : "broadcast",
      MessageID: emailId,
      Tag: tags[0] ?? "",
      Metadata: metadata,
      ...more(facts, told),
    };
  };
}

const HARD = { Type: "HardBounce", TypeCode: 1, Name: "Hard bounce" };
const SOFT = { Type: "SoftBounce", TypeCode: 4_096, Name: "Soft bounce" };
const COMPLAINT = { Type: "SpamComplaint", TypeCode: 100_001, Name: "Spam complaint" };

/** `Inactive`: the bounce suppresses the address. `CanActivate`: that may be lifted without the person's request. */
type PostmarkBounceKind = typeof HARD & { readonly Inactive: boolean; readonly CanActivate: boolean };

function returned(
  { emailId, to, from, subject, reason = "" }: WebhookEventFacts,
  { createdAt }: WebhookEvent,
  kind: PostmarkBounceKind,
) {
  return {
    ID: numberOf(emailId),
    ...kind,
    Description: "",
    Details: reason,
    Email: to,
    From: from,
    BouncedAt: createdAt,
    DumpAvailable: false,
    Subject: subject,
  };
}

function visit({ to }: WebhookEventFacts, { createdAt }: WebhookEvent) {
  return {
    Recipient: to,
    ReceivedAt: createdAt,
    Client: NOBODY,
    OS: NOBODY,
    Platform: "Unknown",
    UserAgent: "",
    Geo: {},
  };
}

const REASONS: Readonly<Record<string, string>> = { bounce: "HardBounce", complaint: "SpamComplaint" };

/** An address that is suppressed is unsubscribed as well. */
function subscription(SuppressSending: boolean) {
  return (told: WebhookEvent) => {
    const { contact, reason = "" } = factsOf(told);
    return {
      RecordType: "SubscriptionChange",
      MessageID: null,
      ServerID: numberOf(told.workspaceId, SERVER_DIGITS),
      MessageStream: "broadcast",
      ChangedAt: told.createdAt,
      Recipient: contact.email,
      Origin: "Recipient",
      SuppressSending,
      SuppressionReason: SuppressSending ? (REASONS[reason] ?? "ManualSuppression") : null,
      Tag: null,
      Metadata: {},
    };
  };
}
