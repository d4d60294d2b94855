// The draft of a preview for a contact, the contact of an event, or a sample recipient.
import { findContact } from "../../audience/contacts/contact.ts";
import { languageOfContact, readData, type Variables } from "../../audience/contacts/data.ts";
import type { Contact } from "../../audience/contacts/queries.ts";
import { linksFor } from "./links.ts";
import { findEvent } from "../../tenant/events/by-id.ts";
import type { LinkBases } from "../../base/link-bases.ts";
import type { Secrets } from "../../base/secrets.ts";
import type { Reader } from "../../store/store.ts";
import type { Template, TemplateType } from "../templates/queries.ts";
import type { Caller } from "../../tenant/access/caller.ts";
import { ownWorkspace } from "../../tenant/workspaces/workspace.ts";
import type { MailDraft } from "./draft.ts";

/** The content, saved or not. */
export type PreviewContent = Pick<MailDraft, "subject" | "preheader" | "html" | "text" | "from"> & {
  readonly kind: TemplateType;
};

/** The recipient of the preview. */
export type PreviewRecipient = {
  readonly contactId: string | null;
  /** Its data is `event`, as in mails of workflows; its contact is the recipient unless another one is named. */
  readonly eventId: string | null;
  /** Like the data of a request to send. */
  readonly data: Variables;
};

export type PreviewOptions = { readonly secrets: Secrets; readonly bases: LinkBases };

/** The recipient if no contact is named. */
const SAMPLE_ADDRESS = "somebody@example.com";
/** The links of a preview name no contact and no mail, so they change nothing. */
const NIL_ID = "00000000-0000-0000-0000-000000000000";

/**
 * The draft of the previewed mail.
 * @throws AppError CONTACT_NOT_FOUND, EVENT_NOT_FOUND, VALIDATION_ERROR for data that no mail could have
 */
export async function draftOf(
  reader: Reader,
  caller: Caller,
  { said, recipient }: { readonly said: PreviewContent; readonly recipient: PreviewRecipient },
  { secrets, bases }: PreviewOptions,
): Promise<MailDraft> {
  const { flat } = readData(recipient.data);
  const event = recipient.eventId === null ? null : await findEvent(reader, caller.workspace, recipient.eventId);
  const contactId = recipient.contactId ?? event?.contactId ?? null;
  const contact = contactId === null ? null : await findContact(reader, caller.workspace, contactId);
  const { postalAddress, language: otherwise } = await ownWorkspace(reader, caller.workspace);
  const language = languageOfContact(flat, languageOfContact(contact?.data ?? {}, otherwise));
  const { kind, ...content } = said;
  return {
    ...content,
    ...addressed(contact),
    requestData: JSON.stringify(event === null ? flat : { event: event.data, ...flat }),
    links: linksFor(secrets, bases.of(caller.workspace), { contactId: NIL_ID, emailId: NIL_ID }),
    marketing:
      kind === "MARKETING" ? { workspaceId: caller.workspaceId, batch: NIL_ID, postalAddress, language } : null,
  };
}

export function saidBy({ type, subject, preheader, body, text, fromAddress, fromName }: Template): PreviewContent {
  return { kind: type, subject, preheader, html: body, text, from: { address: fromAddress ?? "", name: fromName } };
}

function addressed(contact: Contact | null) {
  return {
    to: { address: contact?.email ?? SAMPLE_ADDRESS, name: null },
    contactData: contact && JSON.stringify(contact.data),
    subscribed: contact?.subscribed ?? true,
  };
}
