// SEND_EMAIL: a stored template, sent to the contact or to a fixed address.
import { domainOf } from "../../../../base/addresses.ts";
import { iso } from "../../../../base/clock.ts";
import { isPaused } from "../../../../audience/contacts/pause.ts";
import { contactByAddress } from "../../../../audience/contacts/queries.ts";
import { accept, type AcceptedMail } from "../../../../mail/emails/accept.ts";
import { AppError, orRefused } from "../../../../base/errors.ts";
import type { MailContent } from "../../../../mail/emails/content/queries.ts";
import { SKIP_REASONS } from "../../../../mail/emails/refusals/skip-reasons.ts";
import { labelsOver } from "../../../../base/labels.ts";
import type { Reader, Tx } from "../../../../store/store.ts";
import type { Template } from "../../../../content/templates/queries.ts";
import { templateSent } from "../../../../content/templates/sent.ts";
import { senderDomain } from "../../../../tenant/domains/queries.ts";
import { ownWorkspace } from "../../../../tenant/workspaces/workspace.ts";
import { suppressionsAt } from "../../../../audience/suppressions/queries.ts";
import { against, standingAmong, whySuppressed } from "../../../../audience/suppressions/standing.ts";
import { isIn, NO_CHOICES } from "../../../../audience/topics/choice.ts";
import { topicMeant } from "../../../../audience/topics/mail.ts";
import type { Configs, StepOf } from "../../definition/definition.ts";
import type { ExecutionContext } from "./execution-context.ts";

export type MailPlan = {
  readonly kind: "mail";
  readonly content: MailContent;
  readonly to: string;
  readonly variables: Readonly<Record<string, unknown>>;
  /** The public id of the step. */
  readonly step: string;
};

/** `later`: the workspace's marketing mail is stopped. `skip`: the recipient is not subscribed. */
export type MailRefusal = { readonly kind: "later" | "skip" | "fail"; readonly reason: string };

/** The supplies of the mails of one moment, each looked up once. */
export class MailSupplies {
  readonly #found = new Map<string, Promise<unknown>>();

  constructor(private readonly reader: Reader) {}

  template(workspace: number, id: string): Promise<Template | null> {
    return this.#once(`template ${workspace} ${id}`, () => templateSent(this.reader, workspace, id));
  }

  /**
   * The same for each mail of a template in one version, so that the door keeps it once. A refusal: the tags or the
   * metadata add up to too many.
   */
  content(step: StepOf<"SEND_EMAIL">, template: Template, from: string): Promise<MailContent | AppError> {
    const { templateId, topic = null, tags = [], metadata = {} } = step.config;
    return this.#once(`content ${JSON.stringify([templateId, topic, tags, metadata])}`, async () =>
      orRefused(() => ({
        ...stepContent(template, from),
        topic: topicOf(step.config, template),
        labels: labelsOver(template, { tags, metadata }),
      })),
    );
  }

  isVerified(workspace: number, domain: string): Promise<boolean> {
    const findVerified = async () => (await senderDomain(this.reader, workspace, domain))?.verifiedAt != null;
    return this.#once(`domain ${workspace} ${domain}`, findVerified);
  }

  /** Why no marketing mail leaves; null = it does. */
  marketingStopped(workspace: number): Promise<string | null> {
    const find = async () => (await ownWorkspace(this.reader, workspace)).marketingStopped;
    return this.#once(`workspace ${workspace}`, find);
  }

  async isSubscribed(workspace: number, address: string): Promise<boolean> {
    return (await contactByAddress(this.reader, workspace, address))?.subscribed === true;
  }

  /** True if the person at the address gets mail of the topic. */
  async getsTopic(workspace: number, address: string, key: string): Promise<boolean> {
    const topic = await this.#once(`topic ${workspace} ${key}`, () => topicMeant(this.reader, workspace, key));
    return isIn((await contactByAddress(this.reader, workspace, address))?.topics ?? NO_CHOICES, topic);
  }

  /** True if the person at the address has paused marketing mail. */
  async isPaused(workspace: number, address: string, now: string): Promise<boolean> {
    const contact = await contactByAddress(this.reader, workspace, address);
    return contact !== null && isPaused(contact, now);
  }

  #once<Found>(name: string, find: () => Promise<Found>): Promise<Found> {
    const found = (this.#found.get(name) as Promise<Found> | undefined) ?? find();
    this.#found.set(name, found);
    return found;
  }
}

/** The time and place of a step, and the context of its texts. */
type Moment = { readonly workspace: number; readonly context: ExecutionContext; readonly nowMs: number };

/** The mail that the step would send now, or why it sends none. */
export async function planMail(
  supplies: MailSupplies,
  mailStep: StepOf<"SEND_EMAIL">,
  { workspace, context, nowMs }: Moment,
): Promise<MailPlan | MailRefusal> {
  const { id: step, config } = mailStep;
  const { contact } = context;
  const template = await supplies.template(workspace, config.templateId);
  if (!template) return { kind: "fail", reason: `The template ${config.templateId} has been deleted.` };
  const from = template.fromAddress;
  if (from === null) return { kind: "fail", reason: `The template "${template.name}" has no from address.` };
  if (!(await supplies.isVerified(workspace, domainOf(from))))
    return { kind: "fail", reason: `The domain ${domainOf(from)} is not verified in this workspace.` };
  const to = config.to ?? contact.email;
  if (template.type === "MARKETING") {
    const stopped = await supplies.marketingStopped(workspace);
    if (stopped !== null) return { kind: "later", reason: stopped };
    const isSubscribed = to === contact.email ? contact.subscribed : await supplies.isSubscribed(workspace, to);
    if (!isSubscribed) return { kind: "skip", reason: SKIP_REASONS.unsubscribed };
    const topic = topicOf(config, template);
    if (topic !== null && !(await supplies.getsTopic(workspace, to, topic)))
      return { kind: "skip", reason: SKIP_REASONS.topic };
    if (await supplies.isPaused(workspace, to, iso(nowMs))) return { kind: "skip", reason: SKIP_REASONS.paused };
  }
  const content = await supplies.content(mailStep, template, from);
  if (content instanceof AppError)
    return { kind: "fail", reason: content.details.errors?.[0]?.message ?? content.message };
  return { kind: "mail", content, to, variables: variablesOf(config, context), step };
}

/** Why the door would refuse the mail now; null = it would not. An execution leaves the check to the door. */
export async function suppressionAgainst(
  reader: Reader,
  workspace: number,
  { to, content }: MailPlan,
  nowMs: number,
): Promise<string | null> {
  const found = await suppressionsAt(reader, workspace, [to, domainOf(to)]);
  const by = against(standingAmong(found, to, iso(nowMs)), content.kind === "MARKETING");
  return by && whySuppressed(by);
}

/** Accepts the mail of a workflow; answers its id. @throws AppError as the door refuses it */
export async function sendMail(tx: Tx, workspace: number, workflowId: string, plan: MailPlan): Promise<string> {
  const [mail] = await accept(tx, {
    sender: { workspace, domains: null },
    sourceType: "WORKFLOW",
    content: plan.content,
    to: { addresses: [{ address: plan.to, name: null }] },
    variables: plan.variables,
    shared: true,
    workflowId,
    stepId: plan.step,
  });
  return (mail as AcceptedMail).email;
}

function topicOf({ topic }: Configs["SEND_EMAIL"], template: Template): string | null {
  return template.type === "MARKETING" ? (topic ?? template.topic) : null;
}

/** A mail to another address is about the contact all the same. */
function variablesOf({ to }: Configs["SEND_EMAIL"], { contact, event }: ExecutionContext): MailPlan["variables"] {
  const about = to === undefined || to === contact.email ? {} : { ...contact.data, contact };
  return Object.keys(event).length === 0 ? about : { ...about, event };
}

/** Programs do not answer mail that programs send (RFC 3834 §5). */
function stepContent(template: Template, from: string): MailContent {
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
