// SEND_EMAIL: a stored template, sent to the contact or to a fixed address.
import { domainOf } from "../../addresses.ts";
import { contactByEmail } from "../../contacts/queries.ts";
import { acceptOne } from "../../emails/accept.ts";
import type { Content } from "../../emails/content/queries.ts";
import { NOT_SUBSCRIBED } from "../../emails/queries.ts";
import type { Reader, Tx } from "../../store/store.ts";
import { templateById, type Template } from "../../templates/queries.ts";
import { senderDomain } from "../../workspaces/domains/queries.ts";
import { ownWorkspace } from "../../workspaces/workspace.ts";
import type { Configs } from "../definition/definition.ts";
import type { ExecutionContext } from "./execution-context.ts";

export type Mail = {
  readonly kind: "mail";
  readonly content: Content;
  readonly to: string;
  readonly variables: Readonly<Record<string, unknown>>;
};

/** `later`: the workspace's marketing mail is stopped. `skip`: the recipient is not subscribed. */
export type NoMail = { readonly kind: "later" | "skip" | "fail"; readonly reason: string };

/** What the step would send now, or why it sends nothing. */
export async function planMail(
  reader: Reader,
  workspace: number,
  config: Configs["SEND_EMAIL"],
  context: ExecutionContext,
): Promise<Mail | NoMail> {
  const template = await templateById(reader, workspace, config.templateId);
  if (!template) return { kind: "fail", reason: `The template ${config.templateId} has been deleted.` };
  const from = template.fromAddress;
  if (from === null) return { kind: "fail", reason: `The template "${template.name}" has no from address.` };
  const domain = await senderDomain(reader, workspace, domainOf(from));
  if (!domain?.verifiedAt)
    return { kind: "fail", reason: `The domain ${domainOf(from)} is not verified in this workspace.` };
  const to = config.to ?? context.contact.email;
  if (template.type === "MARKETING") {
    const { marketingStopped: stopped } = await ownWorkspace(reader, workspace);
    if (stopped !== null) return { kind: "later", reason: stopped };
    if (!(await isSubscribed(reader, workspace, to))) return { kind: "skip", reason: NOT_SUBSCRIBED };
  }
  return { kind: "mail", content: contentOf(template, from), to, variables: variablesOf(config, context) };
}

/** Accepts the mail of a workflow; answers its id. */
export async function sendMail(
  tx: Tx,
  { workspace, workflow }: { readonly workspace: number; readonly workflow: { readonly id: string } },
  plan: Mail,
): Promise<string> {
  const [mail] = await acceptOne(tx, {
    sender: { workspace, domains: null },
    sourceType: "WORKFLOW",
    content: plan.content,
    recipients: [{ address: plan.to, name: null }],
    variables: plan.variables,
    shared: true,
    workflowId: workflow.id,
  });
  return (mail as NonNullable<typeof mail>).email;
}

async function isSubscribed(reader: Reader, workspace: number, address: string): Promise<boolean> {
  return (await contactByEmail(reader, workspace, address))?.subscribed === true;
}

/** A mail to another address is about the contact all the same. */
function variablesOf({ to }: Configs["SEND_EMAIL"], { contact, event }: ExecutionContext): Mail["variables"] {
  const about = to === undefined || to === contact.email ? {} : { ...contact.data, contact };
  return Object.keys(event).length === 0 ? about : { ...about, event };
}

/** Programs do not answer mail that programs send (RFC 3834 §5). */
function contentOf(template: Template, from: string): Content {
  return {
    templateId: template.id,
    kind: template.type,
    from: { address: from, name: template.fromName },
    replyTo: template.replyTo,
    subject: template.subject,
    preheader: template.preheader,
    html: template.body,
    text: template.text,
    headers: { "Auto-Submitted": "auto-generated" },
  };
}
