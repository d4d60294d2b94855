// The mail that asks a contact to confirm the sign-up (docs/contacts.md).
import { domainOf, type Mailbox } from "../../addresses.ts";
import { languageOfContact } from "../../contacts/data.ts";
import type { Contact } from "../../contacts/queries.ts";
import { AppError } from "../../errors.ts";
import { directionOf, type Language } from "../../languages/language.ts";
import { filledIn, textsIn } from "../../languages/texts.ts";
import type { Reader, Tx } from "../../store/store.ts";
import { domainToSendAs, senderDomain } from "../../domains/queries.ts";
import { brandOf } from "../../templates/brand/queries.ts";
import type { Workspace } from "../../workspaces/queries.ts";
import { ownWorkspace } from "../../workspaces/workspace.ts";
import { accept } from "../accept.ts";
import type { Content } from "../content/queries.ts";

/** Variables, so that the text of a name is never rendered. */
const NAMES = { email: "{{ email }}", workspace: "{{ workspace }}" };

/**
 * Queues the mail in the contact's language, from the workspace's address.
 * @throws AppError CONFLICT if the workspace has no verified domain to send from
 */
export async function askToConfirm(tx: Tx, workspace: number, contact: Contact): Promise<void> {
  const settings = await ownWorkspace(tx, workspace);
  const from = await ownSender(tx, settings);
  if (!from) throw nowhereToSendFrom();
  await accept(tx, {
    sender: { workspace, domains: null },
    sourceType: "TRANSACTIONAL",
    content: { ...confirmationIn(languageOfContact(contact.data, settings.language), contact.status), from },
    to: { addresses: [{ address: contact.email, name: null }] },
    variables: { workspace: settings.name },
  });
}

/** @throws as askToConfirm */
export async function refuseToAsk(reader: Reader, workspace: number): Promise<void> {
  if (!(await ownSender(reader, await ownWorkspace(reader, workspace)))) throw nowhereToSendFrom();
}

/**
 * The sender of mails that this server writes for the workspace: the brand's, else the workspace's, else one of its
 * newest verified domain; null if it has none.
 */
export async function ownSender(
  reader: Reader,
  { seq, name, fromAddress, fromName }: Workspace,
): Promise<Mailbox | null> {
  const brand = (await brandOf(reader, seq))?.brand;
  const named = brand?.fromName ?? fromName ?? name;
  for (const address of [brand?.from ?? null, fromAddress])
    if (address !== null && (await isVerified(reader, seq, domainOf(address)))) return { address, name: named };
  const domain = await domainToSendAs(reader, seq);
  return domain ? { address: `no-reply@${domain}`, name: named } : null;
}

async function isVerified(reader: Reader, workspace: number, domain: string): Promise<boolean> {
  return ((await senderDomain(reader, workspace, domain))?.verifiedAt ?? null) !== null;
}

/** With the variables `email`, `workspace` and `subscribeUrl`. */
export function confirmationIn(language: Language, status: Contact["status"]): Omit<Content, "from"> {
  const { askSubject, askText, askNote, confirm } = textsIn(language);
  // It says when the address is deleted; that of an ACTIVE contact is not.
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
    // The person has not agreed to anything yet.
    tracking: false,
  };
}

function nowhereToSendFrom(): AppError {
  return new AppError("CONFLICT", "The workspace has no verified domain to send the confirmation mail from.", {
    reason: "no_confirmation_sender",
    suggestion: "Verify a sender domain, or switch double opt-in off.",
  });
}
