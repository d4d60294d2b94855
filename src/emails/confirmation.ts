// The mail that asks a contact to confirm the sign-up, and what becomes of those that nobody confirms (interface-gaps.md §3).
import { domainOf, type Mailbox } from "../addresses.ts";
import { languageOfContact } from "../contacts/language.ts";
import { deleteExpired, type ContactRow } from "../contacts/queries.ts";
import { AppError } from "../errors.ts";
import { directionOf, type Language } from "../languages/language.ts";
import { filledIn, textsIn } from "../languages/texts.ts";
import { leaveAll } from "../segments/membership.ts";
import type { Reader, Store, Tx } from "../store/store.ts";
import { firstVerifiedDomain, senderDomain } from "../workspaces/domains/queries.ts";
import type { WorkspaceRow } from "../workspaces/queries.ts";
import { ownWorkspace } from "../workspaces/workspace.ts";
import { accept, type Content } from "./accept.ts";
import { deleteUnusedContents } from "./erasure-queries.ts";
import { contentsOfContacts, expiredSignUps } from "./deletion-queries.ts";

/** Variables, so that what stands in a name is never taken for one. */
const NAMES = { email: "{{ email }}", workspace: "{{ workspace }}" };

/**
 * Queues the mail in the contact's language, from the workspace's address.
 * @throws AppError CONFLICT if the workspace has no verified domain to send from
 */
export async function askToConfirm(tx: Tx, workspace: number, contact: ContactRow): Promise<void> {
  const settings = await ownWorkspace(tx, workspace);
  const from = await senderOf(tx, settings);
  await accept(tx, {
    sender: { workspace, domains: null },
    sourceType: "TRANSACTIONAL",
    content: { ...contentIn(languageOfContact(contact.data, settings.language), contact.status), from },
    recipients: [{ address: contact.email, name: null }],
    variables: { workspace: settings.name },
  });
}

/** Deletes a bounded number of contacts that have not confirmed in time, with their mails; answers how many. */
export function removeExpired(store: Store, most: number): Promise<number> {
  return store.write(async (tx) => {
    const expired = (await expiredSignUps(tx, most)).map(({ seq }) => seq);
    if (expired.length === 0) return 0;
    const contents = new Set((await contentsOfContacts(tx, expired)).map(({ content }) => content));
    await leaveAll(tx, expired);
    await deleteExpired(tx, expired);
    if (contents.size > 0) await deleteUnusedContents(tx, [...contents]);
    return expired.length;
  });
}

async function senderOf(reader: Reader, { seq, name, from_address, from_name }: WorkspaceRow): Promise<Mailbox> {
  const named = from_name ?? name;
  if (from_address !== null && (await isVerified(reader, seq, domainOf(from_address))))
    return { address: from_address, name: named };
  const domain = await firstVerifiedDomain(reader, seq);
  if (!domain) throw nowhereToSendFrom();
  return { address: `no-reply@${domain}`, name: named };
}

async function isVerified(reader: Reader, workspace: number, domain: string): Promise<boolean> {
  return ((await senderDomain(reader, workspace, domain))?.verified_at ?? null) !== null;
}

function contentIn(language: Language, status: ContactRow["status"]): Omit<Content, "from"> {
  const { askSubject, askText, askNote, confirm } = textsIn(language);
  // It tells when the address is deleted, which an ACTIVE contact's is not.
  const note = status === "PENDING" ? askNote : "";
  const text = filledIn(askText, NAMES);
  const button =
    "display:inline-block;padding:12px 24px;border-radius:6px;background:#1a4fd6;color:#fff;text-decoration:none";
  return {
    kind: "TRANSACTIONAL",
    subject: filledIn(askSubject, NAMES),
    html:
      `<!doctype html><html lang="${language}" dir="${directionOf(language)}"><body style="font:16px/1.5 sans-serif">` +
      `<p>${text}</p><p><a href="{{ subscribeUrl }}" style="${button}">${confirm}</a></p>${note && `<p>${note}</p>`}</body></html>`,
    text: `${text}\n\n${confirm}: {{ subscribeUrl }}\n${note && `\n${note}\n`}`,
    // Nobody has agreed to anything yet.
    tracking: false,
  };
}

function nowhereToSendFrom(): AppError {
  return new AppError("CONFLICT", "The workspace has no verified domain to send the confirmation mail from.", {
    suggestion: "Verify a sender domain, or switch double opt-in off.",
  });
}
