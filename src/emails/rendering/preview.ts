// The mail that a template would make, for a contact or a sample recipient.
import { findContact } from "../../contacts/contact.ts";
import { languageOfContact, readData, type Variables } from "../../contacts/data.ts";
import type { Contact } from "../../contacts/queries.ts";
import { linksFor } from "../../contacts/sign-up/links.ts";
import type { Secrets } from "../../secrets.ts";
import type { Reader } from "../../store/store.ts";
import type { Template } from "../../templates/queries.ts";
import { findTemplate } from "../../templates/template.ts";
import type { Caller } from "../../workspaces/caller.ts";
import { ownWorkspace } from "../../workspaces/workspace.ts";
import type { Draft } from "./draft.ts";

type PreviewInput = {
  readonly template: string;
  readonly contactId: string | null;
  /** As in a request to send. */
  readonly data: Variables;
};

export type PreviewOptions = { readonly secrets: Secrets; readonly baseUrl: string };

/** The recipient if no contact is named. */
const SAMPLE_ADDRESS = "somebody@example.com";
/** The links of a preview name no contact and no mail, so they change nothing. */
const NIL_ID = "00000000-0000-0000-0000-000000000000";

/**
 * The mail that the template would make for the contact, or for a sample recipient.
 * @throws AppError TEMPLATE_NOT_FOUND, CONTACT_NOT_FOUND, VALIDATION_ERROR for data that no mail could have
 */
export async function draftOf(
  reader: Reader,
  caller: Caller,
  input: PreviewInput,
  { secrets, baseUrl }: PreviewOptions,
): Promise<Draft> {
  const requestData = readData(input.data).flat;
  const template = await findTemplate(reader, caller.workspace, input.template);
  const contact = input.contactId === null ? null : await findContact(reader, caller.workspace, input.contactId);
  const { postalAddress, language: otherwise } = await ownWorkspace(reader, caller.workspace);
  const language = languageOfContact(requestData, languageOfContact(contact?.data ?? {}, otherwise));
  const marketing = { workspaceId: caller.workspaceId, batch: template.id, postalAddress, language };
  return {
    ...contentOf(template),
    ...recipientOf(contact),
    requestData: JSON.stringify(requestData),
    links: linksFor(secrets, baseUrl, { contactId: NIL_ID, emailId: NIL_ID }),
    marketing: template.type === "MARKETING" ? marketing : null,
  };
}

function contentOf({ subject, body, text, fromAddress, fromName }: Template) {
  return { subject, html: body, text, from: { address: fromAddress ?? "", name: fromName } };
}

function recipientOf(contact: Contact | null) {
  return {
    to: { address: contact?.email ?? SAMPLE_ADDRESS, name: null },
    contactData: contact && JSON.stringify(contact.data),
    subscribed: contact?.subscribed ?? true,
  };
}
