// One claimed mail as plain data: all that is needed to render, compose, sign and send it, in this thread or another.
import { linksFor, type RecipientLinks } from "../contacts/links.ts";
import type { MailRow } from "../emails/queries.ts";
import { messageIdOf } from "../emails/message-id.ts";
import type { Draft } from "../emails/rendering/draft.ts";
import { returnPathOf } from "../emails/return-path.ts";
import type { Secrets } from "../secrets.ts";
import type { DkimKey } from "./dkim.ts";
import type { Parts } from "./large-parts.ts";
import { trackingMarks, type TrackingMarks } from "./tracking/links.ts";

export type Handover = Draft &
  Parts & {
    readonly id: string;
    readonly workspace: number;
    readonly messageId: string;
    readonly returnPath: string;
    readonly dateMs: number;
    readonly replyTo: string | null;
    /** A JSON text: custom headers. */
    readonly headers: string | null;
    readonly links: RecipientLinks;
    readonly dkim: DkimKey | null;
    /** Null = opens and clicks are not looked for. */
    readonly tracking: TrackingMarks | null;
  };

export type HandoverOptions = {
  readonly secrets: Secrets;
  readonly baseUrl: string;
  readonly returnPathDomain: string | null;
  /** Fields that the next hop rewrites, so that they are not signed. */
  readonly rewrittenFields: readonly string[];
};

/** `attemptedAtMs` becomes the Date and the time of the signature, so that a mail that was sent is composed alike again. */
export function handoverOf(
  mail: MailRow,
  { attachments, raw }: Parts,
  attemptedAtMs: number,
  options: HandoverOptions,
): Handover {
  const marketing = {
    workspaceId: mail.workspace_id,
    postalAddress: mail.postal_address,
    language: mail.language ?? "en",
    batch: mail.campaign_id ?? mail.template_id ?? mail.id,
  };
  return {
    id: mail.id,
    workspace: mail.workspace,
    messageId: messageIdOf(mail),
    returnPath: returnPathOf(options, mail),
    dateMs: attemptedAtMs,
    from: { address: mail.from_address, name: mail.from_name },
    to: { address: mail.to_address, name: mail.to_name },
    replyTo: mail.reply_to,
    subject: mail.subject,
    html: mail.html,
    text: mail.text,
    headers: mail.headers,
    contactData: mail.variables,
    requestData: mail.data,
    subscribed: mail.subscribed === 1,
    links: linksFor(options.secrets, options.baseUrl, { contactId: mail.contact_id ?? mail.id, emailId: mail.id }),
    marketing: mail.kind === "MARKETING" ? marketing : null,
    attachments,
    raw,
    dkim: dkimKeyOf(mail, options),
    tracking: mail.tracking === 1 ? trackingMarks(options.secrets, options.baseUrl, mail.id) : null,
  };
}

function dkimKeyOf({ domain, selector, private_key }: MailRow, options: HandoverOptions): DkimKey | null {
  // A domain that was removed has no key any more.
  if (domain === null || selector === null || !private_key) return null;
  const privateKeyPem = options.secrets.decrypt(private_key);
  return { domain, selector, privateKeyPem, leaveOut: options.rewrittenFields };
}
