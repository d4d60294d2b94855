// The visitor of a recipient's page, and the content of the page for them.
import { contactAnywhere } from "../../audience/contacts/queries.ts";
import type { SignUpLimits } from "../../audience/contacts/sign-up/limits.ts";
import { hasExpired } from "../../audience/contacts/sign-up/sign-up.ts";
import type { LinkBases } from "../../base/link-bases.ts";
import type { Secrets } from "../../base/secrets.ts";
import { lookOf, movedLook } from "../../content/pages/look.ts";
import type { LinkSubject } from "../../content/rendering/links.ts";
import { findBrand } from "../../content/templates/brand/brand.ts";
import { mailWithId, recipientOf, topicOfMail } from "../../mail/emails/queries.ts";
import type { Reader } from "../../store/store.ts";
import type { Access } from "../../tenant/access/auth.ts";
import { nameOutside } from "../../tenant/workspaces/name.ts";
import { ownWorkspace } from "../../tenant/workspaces/workspace.ts";
import { awaits } from "../forms/answers.ts";
import type { PreferenceRequest, PreferenceState, Visitor } from "./answer.ts";
import { dataShownTo } from "./data.ts";
import { topicsShownTo } from "./topics.ts";

export type VisitServices = Pick<Access, "store" | "clock" | "clients"> & {
  readonly secrets: Secrets;
  readonly limits: SignUpLimits;
  readonly bases: LinkBases;
};

/** Null = there is no such contact; astray = the request is at the host of another workspace than the contact's. */
export async function visitorOf(
  { store, clock, bases }: VisitServices,
  subject: LinkSubject | null,
  { request }: PreferenceRequest,
): Promise<Visitor | "astray" | null> {
  if (!subject) return null;
  const contact = await store.read((reader) => contactAnywhere(reader, subject.contactId));
  if (!contact) return null;
  if (!bases.admits(request, contact.workspace)) return "astray";
  const present = { ...contact, byFormer: null };
  if (contact.status !== "PENDING" && !contact.hasFormer) return present;
  if (hasExpired(contact, clock.nowMs())) return null;
  // Only a mail to its current address confirms or subscribes a contact, never the link of a former address.
  const recipient = await store.read((reader) => recipientOf(reader, subject.emailId));
  if (recipient === contact.email) return present;
  return contact.status === "PENDING" ? null : { ...contact, byFormer: { address: recipient } };
}

type PageContent = Partial<PreferenceState>;

/** In the look and under the name of the contact's workspace. */
export async function ownPage(
  reader: Reader,
  { bases }: Pick<VisitServices, "bases">,
  contact: Visitor,
): Promise<PageContent> {
  const { workspace, workspaceName: name } = contact;
  const { brand } = await findBrand(reader, workspace);
  const names = { brandName: brand.fromName, host: bases.hostOf(workspace) };
  return {
    contact: { ...contact, workspaceName: await nameOutside(reader, { seq: workspace, name }, names) },
    look: movedLook(lookOf(brand), (url) => bases.moved(workspace, url)),
  };
}

/** `mail`: its public id. */
type PageVisit = Required<Pick<PreferenceState, "language" | "saved" | "departed">> & {
  readonly mail: string;
  readonly nowMs: number;
};

/** The own page, with the choices of the contact. */
export async function contentFor(
  reader: Reader,
  services: Pick<VisitServices, "bases">,
  contact: Visitor,
  { mail, language, saved, departed, nowMs }: PageVisit,
): Promise<PageContent> {
  const topic = await topicOfMail(reader, mail);
  const { pageFields, asksWhy } = await ownWorkspace(reader, contact.workspace);
  return {
    question: asksWhy && departed && (await mailWithId(reader, mail)) ? departed : null,
    asks: saved ? null : await awaits(reader, mail, nowMs),
    ...(await ownPage(reader, services, contact)),
    topics: await topicsShownTo(reader, contact, { language, also: topic }),
    data: dataShownTo(contact.data, pageFields, { language, workspaceLanguage: contact.workspaceLanguage }),
  };
}
