// POST /v1/send: a request, with or without a stored template, becomes mails at the door (interface.md "POST /v1/send").
import { invalidFields, type FieldError } from "../errors.ts";
import type { Mailbox } from "../addresses.ts";
import type { Tx } from "../store/store.ts";
import type { TemplateRow } from "../templates/queries.ts";
import { findTemplate } from "../templates/template.ts";
import type { Caller } from "../workspaces/key-set.ts";
import { accept, type AcceptedMail, type Content } from "./accept.ts";
import type { SendRequest } from "./send-request.ts";

/**
 * Queues the mails of one request, all or none; answers one item a recipient, in the order of the request. Whoever is
 * named twice gets one mail, which stands at both places.
 * @throws AppError TEMPLATE_NOT_FOUND, VALIDATION_ERROR if neither request nor template has a field that a mail needs,
 * and what the door throws
 */
export async function send(tx: Tx, caller: Caller, request: SendRequest): Promise<AcceptedMail[]> {
  const template = request.template === null ? null : await findTemplate(tx, caller.workspace, request.template);
  const byAddress = new Map(request.to.toReversed().map((recipient) => [recipient.address, recipient]));
  const accepted = await accept(tx, {
    sender: { workspace: caller.workspace, domains: caller.domains },
    sourceType: "TRANSACTIONAL",
    content: contentOf(request, template),
    recipients: [...byAddress.values()].toReversed(),
    contactData: request.data.stored,
    variables: request.data.flat,
    subscribed: request.subscribed,
    sendAtMs: request.sendAtMs,
  });
  const mailTo = new Map(accepted.map((mail) => [mail.contact.email, mail]));
  return request.to.map((recipient) => mailTo.get(recipient.address) as AcceptedMail);
}

/** What the request says overrides what the template says. */
function contentOf(request: SendRequest, template: TemplateRow | null): Content {
  const from = senderOf(request, template);
  const subject = request.subject ?? template?.subject ?? null;
  const html = request.html ?? template?.body ?? null;
  if (!from || subject === null || html === null) throw missing({ from, subject, body: html });
  return {
    templateId: template?.id ?? null,
    kind: template?.type ?? "TRANSACTIONAL",
    from,
    replyTo: request.replyTo ?? template?.reply_to ?? null,
    subject,
    html,
    text: request.text ?? (request.html === null ? (template?.text ?? null) : null),
    headers: request.headers,
    attachments: request.attachments,
    tracking: request.tracking,
  };
}

function senderOf(request: SendRequest, template: TemplateRow | null): Mailbox | null {
  const name = request.from?.name ?? request.fromName;
  if (request.from) return { address: request.from.address, name };
  return template?.from_address ? { address: template.from_address, name: name ?? template.from_name } : null;
}

function missing(parts: Readonly<Record<string, unknown>>) {
  const errors: FieldError[] = Object.entries(parts)
    .filter(([, value]) => value === null)
    .map(([field]) => ({ field, message: "This is required unless the template has it.", code: "required" }));
  return invalidFields(errors);
}
