// A workflow walked through without any effect: which way a contact would take, and what it would be sent (interface-gaps.md §6).
import { iso, type Clock } from "../clock.ts";
import { findContact } from "../contacts/contact.ts";
import { mergeData, readEventData, type Variables } from "../contacts/data.ts";
import { renderedTexts, type RenderedPart } from "../emails/rendering/parts.ts";
import { AppError } from "../errors.ts";
import { newId } from "../ids.ts";
import type { Reader } from "../store/store.ts";
import { isOverBudget } from "../templates/budget.ts";
import { branchesOf, stepAfter, type Definition, type Step } from "./definition.ts";
import { contactNumbered, wasStarted, type ContactSeen } from "./execution-queries.ts";
import { planMail } from "./mail-step.ts";
import { condition, delay, exit, wait } from "./run-step.ts";
import { MAX_CHARS, type Shown, type ToRender, type Walked, type WalkedStep } from "./simulation.ts";
import { subjectOf, type Subject } from "./subject.ts";
import { changesFor } from "./update-step.ts";
import { payloadOf } from "./webhook/webhook.ts";
import { requestOf, textsOf, UnfitRequest } from "./webhook/request.ts";
import { definitionOf, wholeWorkflow, type WholeWorkflow } from "./workflow.ts";

type SimulationWish = {
  readonly contactId: string;
  /** The data of the event that starts it. */
  readonly event: Variables;
  /** By which branch waits are left, by the id of the step; `event` unless said otherwise. */
  readonly branches: Readonly<Record<string, string>>;
};

type Walk = {
  readonly reader: Reader;
  readonly clock: Clock;
  readonly workspace: number;
  readonly whole: WholeWorkflow;
  readonly startedAt: string;
  readonly branches: SimulationWish["branches"];
};

/** Where it stands on the way: the time as it would be, and the contact as it would have become. */
type Moment = { readonly nowMs: number; readonly subject: Subject };

type Passed = (Shown | ToRender) & { readonly branch?: string | null } & Partial<Moment>;

/**
 * Walks the contact through the workflow as if `event` began it now.
 * @throws AppError WORKFLOW_NOT_FOUND, CONTACT_NOT_FOUND, VALIDATION_ERROR on `event`
 */
export async function walk(
  reader: Reader,
  clock: Clock,
  ids: { readonly workspace: number; readonly workflow: string },
  wish: SimulationWish,
): Promise<Walked> {
  const whole = await wholeWorkflow(reader, ids.workspace, ids.workflow);
  const contact = await findContact(reader, ids.workspace, wish.contactId);
  const subject = subjectOf(
    (await contactNumbered(reader, contact.seq)) as ContactSeen,
    readEventData(wish.event, "event").flat,
  );
  const nowMs = clock.nowMs();
  const terms = { ...ids, reader, clock, whole, startedAt: iso(nowMs), branches: wish.branches };
  const way = await walkThrough(terms, definitionOf(whole), { nowMs, subject });
  const { id, email } = contact;
  return { contact: { id, email }, obstacle: await obstacleTo(reader, whole, contact.seq), ...way };
}

async function obstacleTo(reader: Reader, { workflow }: WholeWorkflow, contact: number): Promise<string | null> {
  if (workflow.enabled === 0) return "The workflow is disabled.";
  const isOver = workflow.allow_reentry === 0 && (await wasStarted(reader, workflow.seq, contact));
  return isOver ? "The contact was in this workflow, and may not enter again." : null;
}

async function walkThrough(
  walk: Walk,
  definition: Definition,
  start: Moment,
): Promise<Pick<Walked, "steps" | "isCut">> {
  const steps: WalkedStep[] = [];
  let [moment, chars] = [start, 0];
  let step = definition.steps.find(({ type }) => type === "TRIGGER") ?? null;
  while (step) {
    if (chars > MAX_CHARS) return { steps, isCut: true };
    const { id: stepId, name, type } = step;
    const { branch = null, nowMs, subject, ...shown } = await pass(walk, step, moment);
    steps.push({ stepId, name, type, at: iso(moment.nowMs), shown });
    chars += JSON.stringify("part" in shown ? shown.part : shown.output).length;
    if ("end" in shown && shown.end) break;
    moment = { nowMs: nowMs ?? moment.nowMs, subject: subject ?? moment.subject };
    step = stepAfter(definition, stepId, branch);
  }
  return { steps, isCut: false };
}

async function pass(walk: Walk, step: Step, moment: Moment): Promise<Passed> {
  switch (step.type) {
    case "TRIGGER":
      return { output: {} };
    case "SEND_EMAIL":
      return passMail(walk, step.config, moment.subject);
    case "DELAY": {
      const { dueAt, output } = delay(step.config, moment.nowMs);
      return { nowMs: Date.parse(dueAt ?? ""), output };
    }
    case "WAIT_FOR_EVENT":
      return passWait(walk, step, moment.nowMs);
    case "CONDITION":
      return condition(step, moment.subject);
    case "UPDATE_CONTACT":
      return passUpdate(step.config, moment.subject);
    case "WEBHOOK":
      return passWebhook(walk, step, moment.subject);
    case "EXIT": {
      const { reason, output } = exit(step.config);
      return { output, end: { status: "EXITED", reason } };
    }
  }
}

function passWait({ branches }: Walk, step: Step & { readonly type: "WAIT_FOR_EVENT" }, nowMs: number): Passed {
  const chosen = branches[step.id] ?? "event";
  const branch = branchesOf(step).includes(chosen) ? chosen : "event";
  const { dueAt, output } = wait(step.config, nowMs);
  const at = branch === "timeout" && dueAt !== null ? Date.parse(dueAt) : nowMs;
  return { branch, nowMs: at, output: { ...output, branch } };
}

async function passMail(
  { reader, workspace }: Walk,
  config: (Step & { readonly type: "SEND_EMAIL" })["config"],
  subject: Subject,
): Promise<Passed> {
  const plan = await planMail(reader, workspace, config, subject);
  if (plan.kind === "skip" || plan.kind === "later") return { status: "SKIPPED", output: { reason: plan.reason } };
  if (plan.kind === "fail") return failed(plan.reason);
  const { data, email, subscribed } = subject.contact;
  const { content, to, variables } = plan;
  const draft = {
    from: content.from,
    to: { address: to, name: null },
    subject: content.subject,
    html: content.html,
    text: content.text ?? null,
    contactData: JSON.stringify(data),
    requestData: JSON.stringify(variables),
    subscribed: to === email && subscribed,
    links: null,
    marketing: null,
  };
  const show = (rendered: RenderedPart): Shown => {
    const { kind: _, missing: __, ...mail } = rendered as RenderedPart & { readonly kind: "mail" };
    return { output: { templateId: config.templateId, mail: { from: content.from.address, to, ...mail } } };
  };
  return { part: { kind: "mail", draft }, show };
}

function passUpdate(
  { data = {}, subscribed }: (Step & { readonly type: "UPDATE_CONTACT" })["config"],
  subject: Subject,
): Passed {
  const { contact, event } = subject;
  try {
    const merged = JSON.parse(mergeData(JSON.stringify(contact.data), changesFor(data, subject))) as Variables;
    const after = { ...contact, data: merged, subscribed: subscribed ?? contact.subscribed };
    return { output: { data: merged, subscribed: after.subscribed }, subject: { contact: after, event } };
  } catch (error) {
    if (!(error instanceof AppError) && !isOverBudget(error)) throw error;
    return failed(error.message);
  }
}

/** Shows the request; no name is looked up, and nothing is sent. */
function passWebhook(
  { clock, whole, startedAt }: Walk,
  step: Step & { readonly type: "WEBHOOK" },
  subject: Subject,
): Passed {
  const execution = { seq: 0, id: newId(clock.nowMs()), workspace: 0, started_at: startedAt };
  const version = { workflowId: whole.workflow.id, name: whole.workflow.name };
  const payload = payloadOf({ execution, version, subject });
  const show = (rendered: RenderedPart): Shown => {
    try {
      const { url, method, headers, body } = requestOf(step.config, payload, renderedTexts(rendered));
      return { output: { request: { url: url.href, method, headers, body } } };
    } catch (error) {
      if (!(error instanceof UnfitRequest)) throw error;
      return step.config.onFailure === "stop"
        ? failed(error.message)
        : { status: "FAILED", output: { reason: error.message } };
    }
  };
  return { part: textsOf(step.config, payload), show };
}

function failed(reason: string): Shown {
  return { status: "FAILED", output: { reason }, end: { status: "FAILED", reason } };
}
