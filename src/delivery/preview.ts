// What a template would say to somebody, rendered as the mail itself would be (interface-gaps.md §4).
import { findContact } from "../contacts/contact.ts";
import { readData, type Variables } from "../contacts/data.ts";
import { languageOfContact } from "../contacts/language.ts";
import { linksFor } from "../contacts/links.ts";
import type { ContactRow } from "../contacts/queries.ts";
import type { Secrets } from "../secrets.ts";
import type { Reader } from "../store/store.ts";
import type { TemplateRow } from "../templates/queries.ts";
import { findTemplate } from "../templates/template.ts";
import type { Caller } from "../workspaces/key-set.ts";
import { ownWorkspace } from "../workspaces/workspace.ts";
import type { Draft } from "./handover.ts";

type PreviewWish = {
  readonly template: string;
  readonly contactId: string | null;
  /** As in a request to send. */
  readonly data: Variables;
};

export type PreviewOptions = { readonly secrets: Secrets; readonly baseUrl: string };

/** Stands where a contact is not named. */
const SOMEBODY = "somebody@example.com";
/** The links of a preview are whole, but they name nobody: whoever opens one changes nothing. */
const NOBODY = "00000000-0000-0000-0000-000000000000";

/** @throws AppError TEMPLATE_NOT_FOUND, CONTACT_NOT_FOUND, VALIDATION_ERROR for data that no mail could have */
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
    ...readerOf(contact),
    requestData,
    links: linksFor(secrets, baseUrl, { contactId: NOBODY, emailId: NOBODY }),
    marketing: template.type === "MARKETING" ? marketing : null,
  };
}

function contentOf({ subject, body, text, from_address, from_name }: TemplateRow) {
  return { subject, html: body, text, from: { address: from_address ?? "", name: from_name } };
}

function readerOf(contact: ContactRow | null) {
  return {
    to: { address: contact?.email ?? SOMEBODY, name: null },
    contactData: contact?.data ?? null,
    subscribed: contact === null || contact.subscribed === 1,
  };
}
