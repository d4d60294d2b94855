// One claimed mail as plain data: all that is needed to render, compose, sign and send it, on this thread or another.
// Its headers and data stay JSON text, which is cheap to post and parsed only where the mail is composed.
import { BoundedMap } from "../../base/brakes/bounded-map.ts";
import { linksFor, type RecipientLinks } from "../../content/rendering/links.ts";
import type { LinkBases, LinkBaseMove } from "../../base/link-bases.ts";
import { messageIdOf } from "../../mail/emails/content/message-id.ts";
import type { MailToSend } from "../../mail/emails/queries.ts";
import type { LetterToGroup } from "../../content/mime/compose.ts";
import type { MailDraft } from "../../content/rendering/draft.ts";
import { returnPathOf, signedId } from "../../mail/emails/return-path.ts";
import type { Secrets } from "../../base/secrets.ts";
import type { DkimKey } from "./message/dkim.ts";
import { trackingMarks, type TrackingMarks } from "./tracking/links.ts";
import type { LargeParts } from "./large-parts.ts";
import type { SentAlong } from "./sent-along.ts";

export type Handover = MailDraft &
  LargeParts & {
    readonly id: string;
    readonly workspace: number;
    /** The recipient in the envelope. */
    readonly recipient: string;
    /** The recipients that a message to a group names; null = the recipient alone. */
    readonly group: LetterToGroup | null;
    readonly messageId: string;
    readonly returnPath: string;
    readonly dateMs: number;
    readonly replyTo: string | null;
    /** JSON text: custom headers. */
    readonly headers: string | null;
    readonly links: RecipientLinks;
    readonly sentAlong: SentAlong;
    readonly dkim: DkimKey | null;
    /** Null = opens and clicks are not tracked. */
    readonly tracking: TrackingMarks | null;
    /** The new address for our own links in its texts; null = they stay. */
    readonly move: LinkBaseMove | null;
  };

export type HandoverOptions = {
  readonly secrets: Secrets;
  readonly bases: LinkBases;
  readonly returnPathDomain: string | null;
};

export type HeaderTerms = {
  /** Fields that the next hop rewrites, so they are not signed. */
  readonly rewrittenFields: readonly string[];
  /** The provider of the relay, which takes our id of the mail. */
  readonly sentAlong: SentAlong;
};

/** Address for complaints about a marketing mail (RFC 9477); null = none. */
export type FeedbackFor = { readonly feedbackAddressFor: (mail: MailToSend) => Promise<string | null> };
type Feedback = { readonly feedbackAddress: string | null };

/**
 * `attemptedAtMs` becomes the Date and the time of the signature, so that a sent mail is composed again exactly. The
 * mails of a group are one message: they have the Date of the group's first attempt.
 */
export function handoverOf(
  mail: MailToSend,
  { attachments, raw }: LargeParts,
  attemptedAtMs: number,
  options: HandoverOptions & HeaderTerms & Feedback,
): Handover {
  const returnPath = returnPathOf(options, mail);
  const dkim = dkimKeyOf(mail, options);
  const marketing = {
    workspaceId: mail.workspaceId,
    postalAddress: mail.postalAddress,
    language: mail.language ?? "en",
    batch: mail.campaignId ?? mail.templateId ?? mail.id,
    // A receiver trusts the address only in a signed message (RFC 9477 §3.1).
    feedback: dkim && feedbackOf(mail, returnPath, options),
  };
  const { message } = mail;
  const { secrets, bases } = options;
  const base = bases.of(mail.workspace);
  const place = { base, boundTo: base === bases.own ? null : mail.workspaceId };
  return {
    id: mail.id,
    workspace: mail.workspace,
    messageId: messageIdOf(mail),
    returnPath,
    dateMs: message?.attemptedAt ? Date.parse(message.attemptedAt) : attemptedAtMs,
    from: { address: mail.fromAddress, name: mail.fromName },
    recipient: mail.toAddress,
    to: message?.reader ?? { address: mail.toAddress, name: mail.toName },
    group: message && { id: mail.group as string, to: message.to, cc: message.cc },
    replyTo: mail.replyTo,
    subject: mail.subject,
    preheader: mail.preheader,
    html: mail.html,
    text: mail.text,
    headers: mail.headers,
    contactData: message ? message.variables : mail.variables,
    requestData: mail.data,
    subscribed: message?.subscribed ?? mail.subscribed,
    links: linksFor(secrets, base, { contactId: readerOf(mail), emailId: mail.id }),
    sentAlong: options.sentAlong,
    marketing: mail.kind === "MARKETING" ? marketing : null,
    attachments,
    raw,
    dkim,
    tracking: mail.tracking ? trackingMarks(secrets, place, mail.id) : null,
    move: base === bases.own ? null : { from: bases.own, to: base },
  };
}

/** Links of a test copy name no contact: trying them changes nothing. */
function readerOf({ id, test, contactId }: MailToSend): string {
  return test ? id : (contactId ?? id);
}

/** The id is that of the return path, which proves complaints as it proves bounces. */
function feedbackOf({ id }: MailToSend, returnPath: string, { feedbackAddress, secrets }: HandoverOptions & Feedback) {
  if (feedbackAddress === null) return null;
  return { address: feedbackAddress, id: /^b\+([a-z2-7]{34})@/.exec(returnPath)?.[1] ?? signedId(secrets, id) };
}

function dkimKeyOf(
  { domain, selector, privateKey }: MailToSend,
  options: HandoverOptions & HeaderTerms,
): DkimKey | null {
  // A removed domain has no key.
  if (domain === null || selector === null || !privateKey) return null;
  return { domain, selector, privateKeyPem: decrypted(privateKey, options.secrets), leaveOut: options.rewrittenFields };
}

const MOST_DECRYPTED = 500;
/** Keyed by the encrypted key, which is unique. */
const decryptedKeys = new BoundedMap<string, string>(MOST_DECRYPTED);

function decrypted(privateKey: string, secrets: Secrets): string {
  const pem = decryptedKeys.get(privateKey) ?? secrets.decrypt(privateKey);
  decryptedKeys.set(privateKey, pem);
  return pem;
}
