// A preview of a template: the mail that it would make, for a contact or a sample recipient.
import { findContact } from "../contacts/contact.ts";
import { readData, type Variables } from "../contacts/data.ts";
import { languageOfContact } from "../contacts/language.ts";
import { linksFor } from "../contacts/links.ts";
import type { ContactRow } from "../contacts/queries.ts";
import type { Draft } from "../emails/rendering/draft.ts";
import type { Secrets } from "../secrets.ts";
import type { Reader } from "../store/store.ts";
import type { TemplateRow } from "../templates/queries.ts";
import { findTemplate } from "../templates/template.ts";
import type { Caller } from "../workspaces/key-set.ts";
import { ownWorkspace } from "../workspaces/workspace.ts";

type PreviewWish = {
  readonly template: string;
  readonly contactId: string | null;
  /** As in a request to send. */
  readonly data: Variables;
};

export type PreviewOptions = { readonly secrets: Secrets; readonly baseUrl: string };

/** The recipient where no contact is named. */
const SAMPLE_ADDRESS = "somebody@example.com";
/** The links of a preview are whole, but they name no contact and no mail, so that they change nothing. */
const NIL_ID = "00000000-0000-0000-0000-000000000000";

/**
 * The mail that the template would make for the contact, or for a sample recipient.
 * @throws AppError TEMPLATE_NOT_FOUND, CONTACT_NOT_FOUND, VALIDATION_ERROR for data that no mail could have
 */
export async function draftOf(
  reader: Reader,
  caller: Caller,
  wish: PreviewWish,
  { secrets, baseUrl }: PreviewOptions,
): Promise<Draft> {
  const requestData = JSON.stringify(readData(wish.data).flat);
  const template = await findTemplate(reader, caller.workspace, wish.template);
  const contact = wish.contactId === null ? null : await findContact(reader, caller.workspace, wish.contactId);
  const { postal_address: postalAddress, language: otherwise } = await ownWorkspace(reader, caller.workspace);
  const language = languageOfContact(requestData, languageOfContact(contact?.data ?? "{}", otherwise));
  const marketing = { workspaceId: caller.workspaceId, batch: template.id, postalAddress, language };
  return {
    ...contentOf(template),
    ...recipientOf(contact),
    requestData,
    links: linksFor(secrets, baseUrl, { contactId: NIL_ID, emailId: NIL_ID }),
    marketing: template.type === "MARKETING" ? marketing : null,
  };
}

function contentOf({ subject, body, text, from_address, from_name }: TemplateRow) {
  return { subject, html: body, text, from: { address: from_address ?? "", name: from_name } };
}

function recipientOf(contact: ContactRow | null) {
  return {
    to: { address: contact?.email ?? SAMPLE_ADDRESS, name: null },
    contactData: contact?.data ?? null,
    subscribed: contact === null || contact.subscribed === 1,
  };
}
