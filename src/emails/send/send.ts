// POST /v1/send: a request, with or without a stored template, becomes mails at the door.
import type { Mailbox } from "../../addresses.ts";
import { invalidFields, type FieldError } from "../../errors.ts";
import type { Tx } from "../../store/store.ts";
import type { Template } from "../../templates/queries.ts";
import { findTemplate } from "../../templates/template.ts";
import type { Caller } from "../../access/caller.ts";
import { warnWithoutAddress } from "../../access/postal-address.ts";
import { accept, type AcceptedMail } from "../accept.ts";
import type { MailRequest } from "../door/request.ts";
import type { Content, Origin } from "../content/queries.ts";
import { htmlOfText } from "./html-of-text.ts";
import type { SendRequest } from "./request.ts";

export type Sending = {
  readonly caller: Caller;
  readonly request: SendRequest;
  readonly origin: Origin;
  readonly body: object;
};

/**
 * Queues the mails of a request, all or none; answers one item a recipient, in the order of the request. A recipient
 * named twice gets one mail, which is answered at both places.
 * @throws AppError TEMPLATE_NOT_FOUND, VALIDATION_ERROR if neither request nor template has a field that a mail needs,
 * and as the door refuses
 */
export async function send(tx: Tx, sending: Sending): Promise<readonly AcceptedMail[]> {
  return inOrderOf(sending.request, await accept(tx, await mailsOf(tx, sending)));
}

async function mailsOf(tx: Tx, { caller, request, origin, body }: Sending): Promise<MailRequest> {
  const byAddress = new Map(request.to.toReversed().map((recipient) => [recipient.address, recipient]));
  const template = request.template === null ? null : await findTemplate(tx, caller.workspace, request.template);
  if (template?.type === "MARKETING") warnWithoutAddress(caller, body);
  return {
    sender: { workspace: caller.workspace, domains: caller.domains },
    sourceType: "TRANSACTIONAL",
    content: contentOf(request, template),
    to: { addresses: [...byAddress.values()].toReversed() },
    contactData: request.data.stored,
    variables: request.data.flat,
    subscribed: request.subscribed,
    sendAtMs: request.sendAtMs,
    origin,
  };
}

function inOrderOf({ to }: SendRequest, mails: readonly AcceptedMail[]): AcceptedMail[] {
  if (mails.length === 1) return to.map(() => mails[0] as AcceptedMail);
  const mailTo = new Map(mails.map((mail) => [mail.contact?.email, mail]));
  return to.map((recipient) => mailTo.get(recipient.address) as AcceptedMail);
}

/** Fields of the request override those of the template. */
function contentOf(request: SendRequest, template: Template | null): Content {
  const from = senderOf(request, template);
  const subject = request.subject ?? template?.subject ?? null;
  const html = request.html ?? template?.body ?? (request.text ? htmlOfText(request.text) : null);
  if (!from || subject === null || html === null) throw missing({ from, subject, body: html });
  return {
    templateId: template?.id ?? null,
    kind: template?.type ?? "TRANSACTIONAL",
    from,
    replyTo: request.replyTo ?? template?.replyTo ?? null,
    subject,
    preheader: request.preheader ?? (request.html === null ? (template?.preheader ?? null) : null),
    html,
    text: request.text ?? (request.html === null ? (template?.text ?? null) : null),
    headers: request.headers,
    attachments: request.attachments,
    tracking: request.tracking,
  };
}

function senderOf(request: SendRequest, template: Template | null): Mailbox | null {
  const name = request.from?.name ?? request.fromName;
  if (request.from) return { address: request.from.address, name };
  return template?.fromAddress ? { address: template.fromAddress, name: name ?? template.fromName } : null;
}

function missing(parts: Readonly<Record<string, unknown>>) {
  const errors: FieldError[] = Object.entries(parts)
    .filter(([, value]) => value === null)
    .map(([field]) => ({ field, message: "This is required unless the template has it.", code: "required" }));
  return invalidFields(errors);
}
