// SEND_EMAIL: a stored template, sent to the contact or to a fixed address (interface-gaps.md §6).
import { domainOf } from "../addresses.ts";
import { contactByEmail } from "../contacts/queries.ts";
import { accept, type Content } from "../emails/accept.ts";
import { NOT_SUBSCRIBED } from "../emails/withheld.ts";
import type { Reader, Tx } from "../store/store.ts";
import { templateById, type TemplateRow } from "../templates/queries.ts";
import { senderDomain } from "../workspaces/domains/queries.ts";
import { ownWorkspace } from "../workspaces/workspace.ts";
import type { Configs } from "./definition.ts";
import type { Subject } from "./subject.ts";

type Mail = {
  readonly kind: "mail";
  readonly content: Content;
  readonly to: string;
  readonly variables: Readonly<Record<string, unknown>>;
};
export type NoMail =
  /** The workspace's marketing mail is stopped for now. */
  | { readonly kind: "later"; readonly reason: string }
  /** The recipient is not subscribed. */
  | { readonly kind: "skip"; readonly reason: string }
  | { readonly kind: "fail"; readonly reason: string };

/** What the step would send now, or why it sends nothing. */
export async function planMail(
  reader: Reader,
  workspace: number,
  config: Configs["SEND_EMAIL"],
  subject: Subject,
): Promise<Mail | NoMail> {
  const template = await templateById(reader, workspace, config.templateId);
  if (!template) return { kind: "fail", reason: `The template ${config.templateId} has been deleted.` };
  const from = template.from_address;
  if (from === null) return { kind: "fail", reason: `The template "${template.name}" has no from address.` };
  const domain = await senderDomain(reader, workspace, domainOf(from));
  if (!domain?.verified_at)
    return { kind: "fail", reason: `The domain ${domainOf(from)} is not verified in this workspace.` };
  const to = config.to ?? subject.contact.email;
  if (template.type === "MARKETING") {
    const { marketing_stopped: stopped } = await ownWorkspace(reader, workspace);
    if (stopped !== null) return { kind: "later", reason: stopped };
    if (!(await isSubscribed(reader, workspace, to))) return { kind: "skip", reason: NOT_SUBSCRIBED };
  }
  return { kind: "mail", content: contentOf(template, from), to, variables: variablesOf(config, subject) };
}

/** Lets the mail in by the one door; answers its id. */
export async function sendPlanned(tx: Tx, workspace: number, plan: Mail): Promise<string> {
  const [mail] = await accept(tx, {
    sender: { workspace, domains: null },
    sourceType: "WORKFLOW",
    content: plan.content,
    recipients: [{ address: plan.to, name: null }],
    variables: plan.variables,
    shared: true,
  });
  return (mail as NonNullable<typeof mail>).email;
}

async function isSubscribed(reader: Reader, workspace: number, address: string): Promise<boolean> {
  return (await contactByEmail(reader, workspace, address))?.subscribed === 1;
}

/** A mail to another address is about the contact all the same. */
function variablesOf({ to }: Configs["SEND_EMAIL"], { contact, event }: Subject): Readonly<Record<string, unknown>> {
  const about = to === undefined || to === contact.email ? {} : { ...contact.data, contact };
  return Object.keys(event).length === 0 ? about : { ...about, event };
}

/** What programs answer, they do not answer that (RFC 3834 §5). */
function contentOf(template: TemplateRow, from: string): Content {
  return {
    templateId: template.id,
    kind: template.type,
    from: { address: from, name: template.from_name },
    replyTo: template.reply_to,
    subject: template.subject,
    html: template.body,
    text: template.text,
    headers: { "Auto-Submitted": "auto-generated" },
  };
}
