// The mail that asks a contact to confirm a sign-up (docs/sign-ups.md).
import { domainOf, type Mailbox } from "../../../base/addresses.ts";
import { languageOfContact } from "../../../audience/contacts/data.ts";
import type { Contact } from "../../../audience/contacts/queries.ts";
import { lookOf, type PageLook } from "../../../content/pages/look.ts";
import { AppError } from "../../../base/errors.ts";
import { SANS } from "../../../base/fonts.ts";
import { directionOf, type Language } from "../../../base/languages/language.ts";
import { filledIn, textsIn } from "../../../base/languages/texts.ts";
import type { Reader, Tx } from "../../../store/store.ts";
import { domainToSendAs, senderDomain } from "../../../tenant/domains/queries.ts";
import { findBrand } from "../../../content/templates/brand/brand.ts";
import type { Workspace } from "../../../tenant/workspaces/queries.ts";
import { isNamed, nameOutside } from "../../../tenant/workspaces/name.ts";
import { ownWorkspace } from "../../../tenant/workspaces/workspace.ts";
import { accept, type AcceptedMail } from "../accept.ts";
import type { MailContent } from "../content/queries.ts";

/** Variables, so that the text of a name is never rendered. */
const NAMES = { email: "{{ email }}", workspace: "{{ workspace }}" };

/**
 * Queues the mail in the contact's language, else in `otherwise`, with the look of the workspace, from its address;
 * answers the mail's id.
 * @throws AppError CONFLICT if the workspace has no verified domain to send from
 */
export async function askToConfirm(tx: Tx, workspace: number, contact: Contact, otherwise?: Language): Promise<string> {
  const settings = await ownWorkspace(tx, workspace);
  const from = await ownSender(tx, settings);
  if (!from) throw nowhereToSendFrom();
  const { brand } = await findBrand(tx, workspace);
  const look = lookOf(brand);
  const name = await nameOutside(tx, settings, { brandName: brand.fromName, host: domainOf(from.address) });
  const language = languageOfContact(contact.data, otherwise ?? settings.language);
  const [mail] = await accept(tx, {
    sender: { workspace, domains: null },
    sourceType: "TRANSACTIONAL",
    content: { ...confirmationIn({ language, status: contact.status, look }), from },
    to: { addresses: [{ address: contact.email, name: null }] },
    variables: confirmationValues(name, look),
    // A refusal would reveal to a stranger that the domain is suppressed.
    passesSuppressions: "later",
  });
  return (mail as AcceptedMail).email;
}

/** @throws as askToConfirm */
export async function refuseToAsk(reader: Reader, workspace: number): Promise<void> {
  if (!(await ownSender(reader, await ownWorkspace(reader, workspace)))) throw nowhereToSendFrom();
}

/**
 * The sender of mails that this server writes for the workspace: the brand's, else the workspace's, else an address of
 * its newest verified domain; null if it has none.
 */
export async function ownSender(
  reader: Reader,
  { seq, name, fromAddress, fromName }: Workspace,
): Promise<Mailbox | null> {
  const { brand } = await findBrand(reader, seq);
  const named = brand.fromName ?? fromName ?? (isNamed({ name }) ? name : null);
  for (const address of [brand.from, fromAddress])
    if (address !== null && (await isVerified(reader, seq, domainOf(address)))) return { address, name: named };
  const domain = await domainToSendAs(reader, seq);
  return domain ? { address: `no-reply@${domain}`, name: named } : null;
}

async function isVerified(reader: Reader, workspace: number, domain: string): Promise<boolean> {
  return ((await senderDomain(reader, workspace, domain))?.verifiedAt ?? null) !== null;
}

type Confirmation = {
  readonly language: Language;
  readonly status: Contact["status"];
  readonly look: PageLook;
};

/** With the variables `email` and `subscribeUrl`, and `confirmationValues`. */
export function confirmationIn({ language, status, look }: Confirmation): Omit<MailContent, "from"> {
  const { askSubject, askText, askNote, confirm } = textsIn(language);
  // The note gives the date when the address is deleted; the address of an ACTIVE contact is not deleted.
  const note = status === "PENDING" ? askNote : "";
  const [subject, text] = [filledIn(askSubject, NAMES), filledIn(askText, NAMES)];
  const foot = look.footer ? "{{ footer }}" : "";
  return {
    kind: "TRANSACTIONAL",
    subject,
    html: `<!doctype html><html lang="${language}" dir="${directionOf(language)}"><head><title>${subject}</title></head>${bodyIn(look, { text, confirm, note })}</html>`,
    text: `${text}\n\n${confirm}: {{ subscribeUrl }}\n${note && `\n${note}\n`}${foot && `\n${foot}\n`}`,
    // The person has not agreed to anything yet.
    tracking: false,
  };
}

/** They take precedence over the contact's own values. */
export function confirmationValues(workspace: string, { logo, footer }: PageLook) {
  return { workspace, ...(logo && { logoAlt: logo.alt || workspace }), ...(footer && { footer }) };
}

type ConfirmationTexts = { readonly text: string; readonly confirm: string; readonly note: string };

function bodyIn({ light, hasPaper, font, logo, footer }: PageLook, { text, confirm, note }: ConfirmationTexts): string {
  const { ground, paper, ink, around, accent, onAccent, edge } = light;
  const type = `font:16px/1.5 ${font ? Bun.escapeHTML(font) : SANS}`;
  const button =
    `display:inline-block;padding:12px 24px;border-radius:6px;background:${accent};color:${onAccent};text-decoration:none` +
    (edge === accent ? "" : `;border:1px solid ${edge}`);
  const image = logo ? `<p><img src="${Bun.escapeHTML(logo.src)}" alt="{{ logoAlt }}" width="120"></p>` : "";
  const words = `${image}<p>${text}</p><p><a href="{{ subscribeUrl }}" style="${button}">${confirm}</a></p>${note && `<p>${note}</p>`}`;
  const foot = footer ? "{{ footer | newline_to_br }}" : "";
  if (!hasPaper) return `<body style="${type}">${words}${foot && `<p style="font-size:14px">${foot}</p>`}</body>`;
  return (
    `<body style="${type};margin:0;padding:24px;background:${ground}">` +
    `<div style="max-width:560px;margin:0 auto;padding:8px 24px;border-radius:8px;background:${paper};color:${ink}">${words}</div>` +
    `${foot && `<p style="max-width:560px;margin:0 auto;padding:16px 24px;font-size:14px;color:${around}">${foot}</p>`}</body>`
  );
}

function nowhereToSendFrom(): AppError {
  return new AppError("CONFLICT", "The workspace has no verified domain to send the confirmation email from.", {
    reason: "no_confirmation_sender",
    suggestion: "Verify a sender domain, or switch double opt-in off.",
  });
}
