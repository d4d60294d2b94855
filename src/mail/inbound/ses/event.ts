// The reports of Amazon SES about a mail, through SNS: event publishing (`eventType`) and feedback notifications
// (`notificationType`).
import { blameFor, blameForGood, type Blame } from "../../emails/refusals/blame.ts";
import { parseAddress } from "../../../base/addresses.ts";
import { oneLine } from "../../emails/refusals/words.ts";
import { spoken, withoutType } from "../bounces/report.ts";
import type { DeliveryNotice } from "../bounces/notice.ts";

export type SesEvent = {
  /** The id that SES gave the mail. */
  readonly remoteId: string;
  /** Our id of the mail, from the tag that we sent along; feedback notifications carry none. */
  readonly emailId: string | null;
  readonly notice: DeliveryNotice;
};

type SesJson = Readonly<Record<string, unknown>>;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** Subtypes of a permanent bounce that blame the address itself. */
const ADDRESS_FAULTS = new Set(["NoEmail", "Suppressed", "OnAccountSuppressionList"]);

/** Null if it is not an event of a mail (such as the greeting of a new topic), or changes nothing. */
export function readSesEvent(text: string): SesEvent | null {
  const event = recordIn(text);
  const mail = objectFrom(event["mail"]);
  const remoteId = string(mail["messageId"]);
  const notice = noticeOf(event);
  return remoteId === "" || notice === null ? null : { remoteId, emailId: ownId(mail), notice };
}

function noticeOf(event: SesJson): DeliveryNotice | null {
  const type = string(event["eventType"]) || string(event["notificationType"]);
  if (type === "Delivery") return { kind: "delivered", recipients: [] };
  if (type === "Complaint") return complaint(objectFrom(event["complaint"]));
  if (type === "Bounce") return bounce(objectFrom(event["bounce"]));
  if (type === "Subscription") return subscription(objectFrom(event["subscription"]));
  if (type === "Rendering Failure")
    return returned("sender", null, `SES could not render it: ${string(objectFrom(event["failure"])["errorMessage"])}`);
  if (type === "DeliveryDelay") return delay(objectFrom(event["deliveryDelay"]));
  if (type === "Reject")
    return returned("sender", null, `SES has rejected it: ${string(objectFrom(event["reject"])["reason"])}`);
  return null;
}

/** Types of feedback that are not complaints of the person ("Complaint object", complaintFeedbackType). */
const NO_COMPLAINTS = new Set(["not-spam", "virus", "auth-failure"]);

function complaint(details: SesJson): DeliveryNotice | null {
  if (NO_COMPLAINTS.has(string(details["complaintFeedbackType"]))) return null;
  const subType = string(details["complaintSubType"]);
  return { kind: "complaint", recipients: [], ...(subType && { said: oneLine(`SES: ${subType}`) }) };
}

/**
 * About a contact list of SES: the person left the whole list, or another topic. A subscription there is not a
 * subscription here.
 */
function subscription(details: SesJson): DeliveryNotice | null {
  const [before, after] = [objectFrom(details["oldTopicPreferences"]), objectFrom(details["newTopicPreferences"])];
  const known = topicsLeft(before);
  const left = topicsLeft(after).filter((topic) => !known.includes(topic));
  if (after["unsubscribeAll"] !== true && left.length === 0) return null;
  const what = after["unsubscribeAll"] === true ? "all" : left.join(", ");
  const words = `SES: unsubscribed from ${what} by ${string(details["source"]) || "its list"}`;
  return { kind: "unsubscribed", recipients: [], said: oneLine(words) };
}

function topicsLeft(preferences: SesJson): string[] {
  const topics = preferences["topicSubscriptionStatus"];
  const all = (Array.isArray(topics) ? topics : []).map(objectFrom);
  const left = all.filter((topic) => /^optout$/i.test(string(topic["subscriptionStatus"])));
  return left.map((topic) => string(topic["topicName"]));
}

function bounce(details: SesJson): DeliveryNotice {
  const [type, subType] = [string(details["bounceType"]), string(details["bounceSubType"])];
  const recipients = Array.isArray(details["bouncedRecipients"]) ? details["bouncedRecipients"] : [];
  const recipient = objectFrom(recipients[0]);
  const status = string(recipient["status"]) || null;
  const diagnostic = withoutType(string(recipient["diagnosticCode"]));
  const isExplained = status !== null || diagnostic !== "";
  const address = parseAddress(string(recipient["emailAddress"]));
  const blame = blameOf({ type, subType }, isExplained ? { status, diagnostic, recipient: address } : null);
  const notice = returned(blame, status, diagnostic || `SES: ${type} ${subType}`);
  if (/unsubscri/i.test(subType)) return { ...returned("unclear", status, `SES: ${subType}`), listed: "unsubscribed" };
  // SES reports vacation notes so ("Amazon SES: Bounce types", Transient/General).
  const mayBeAnAnswer = type === "Transient" && subType === "General" && !isExplained;
  return mayBeAnAnswer ? { ...notice, kind: "unexplained" } : notice;
}

function delay(details: SesJson): DeliveryNotice {
  const recipients = Array.isArray(details["delayedRecipients"]) ? details["delayedRecipients"] : [];
  const recipient = objectFrom(recipients[0]);
  const status = string(recipient["status"]) || null;
  const said = withoutType(string(recipient["diagnosticCode"])) || `SES: ${string(details["delayType"]) || "delayed"}`;
  const diagnostic = oneLine(said);
  return {
    kind: "delayed",
    recipients: [{ recipient: null, action: "delayed", status, diagnostic, blame: "passing" }],
  };
}

type SesDiagnosis = {
  readonly status: string | null;
  readonly diagnostic: string;
  readonly recipient: string | null;
};

/**
 * SES uses "general" also for a full mailbox, a block or a refusal of our domain: then the refusing server's words
 * count.
 */
function blameOf({ type, subType }: { type: string; subType: string }, explained: SesDiagnosis | null): Blame {
  if (subType === "General" && explained !== null) {
    const { status, diagnostic, recipient } = explained;
    const said = spoken(diagnostic);
    const refused = { ...said, status: said.status ?? status, words: diagnostic, recipient };
    if (type === "Permanent") return blameForGood(refused);
    const blame = blameFor(refused);
    return blame === "recipient" ? "unclear" : blame;
  }
  return type === "Permanent" && (subType === "General" || ADDRESS_FAULTS.has(subType)) ? "recipient" : "unclear";
}

function returned(blame: Blame, status: string | null, reason: string): DeliveryNotice {
  const diagnostic = oneLine(reason);
  return { kind: "bounce", recipients: [{ recipient: null, action: "failed", status, diagnostic, blame }] };
}

/** Not by the Message-ID: a client that submits a whole message chooses it, and could choose another mail's. */
function ownId(mail: SesJson): string | null {
  const tags = objectFrom(mail["tags"])["emailId"];
  const tag = Array.isArray(tags) ? string(tags[0]) : "";
  return UUID.test(tag) ? tag : null;
}

function recordIn(text: string): SesJson {
  try {
    return objectFrom(JSON.parse(text));
  } catch {
    return {};
  }
}

function objectFrom(value: unknown): SesJson {
  return typeof value === "object" && value !== null ? (value as SesJson) : {};
}

/** Without characters that the store cannot keep. */
function string(value: unknown): string {
  return typeof value === "string" ? value.replaceAll("\0", "").slice(0, 2_000).toWellFormed() : "";
}
