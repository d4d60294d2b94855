// A workflow walked through without any effect: which way a contact would take, and what it would be sent (interface-gaps.md §6).
import { iso, type Clock } from "../clock.ts";
import { findContact } from "../contacts/contact.ts";
import { mergeData, readEventData, type Variables } from "../contacts/data.ts";
import { plainText } from "../emails/mime/plain-text.ts";
import { AppError } from "../errors.ts";
import { newId } from "../ids.ts";
import type { Reader } from "../store/store.ts";
import { render, renderHeader } from "../templates/render.ts";
import { branchesOf, stepAfter, type Definition, type Step } from "./definition.ts";
import { contactNumbered, wasStarted, type ContactSeen } from "./execution-queries.ts";
import { planMail } from "./mail-step.ts";
import { condition, delay, exit, wait } from "./run-step.ts";
import { subjectOf, type Subject } from "./subject.ts";
import { payloadOf } from "./webhook/webhook.ts";
import { requestOf, UnfitRequest } from "./webhook/request.ts";
import { definitionOf, wholeWorkflow, type WholeWorkflow } from "./workflow.ts";

type SimulationWish = {
  readonly contactId: string;
  /** The data of the event that starts it. */
  readonly event: Variables;
  /** By which branch waits are left, by the id of the step; `event` unless said otherwise. */
  readonly branches: Readonly<Record<string, string>>;
};

type SimulatedStep = {
  readonly stepId: string;
  readonly name: string;
  readonly type: Step["type"];
  readonly status: "COMPLETED" | "SKIPPED" | "FAILED";
  /** When it would come by, if all begins now. */
  readonly at: string;
  readonly output: Variables;
};

type Simulation = {
  readonly contact: { readonly id: string; readonly email: string };
  /** Null = an event would start it now; else why not. */
  readonly obstacle: string | null;
  readonly status: "COMPLETED" | "EXITED" | "FAILED";
  readonly reason: string | null;
  readonly steps: readonly SimulatedStep[];
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

type Passed = {
  readonly status?: SimulatedStep["status"];
  readonly branch?: string | null;
  readonly output: Variables;
  readonly end?: { readonly status: "EXITED" | "FAILED"; readonly reason: string };
} & Partial<Moment>;

/** Of rendering, in all: everybody else waits meanwhile. One step more may be on top of it. */
const MAX_WORK_MS = 500;
const MAX_OUTPUT_CHARS = 4 * 1024 * 1024;
const TOO_LARGE =
  "The simulation ends here: what its mails and webhooks say is too large, or takes too long to render.";

/**
 * Walks the contact through the workflow as if `event` began it now; ends early with FAILED where that is too much to show.
 * @throws AppError WORKFLOW_NOT_FOUND, CONTACT_NOT_FOUND, VALIDATION_ERROR on `event`
 */
export async function simulate(
  reader: Reader,
  clock: Clock,
  ids: { readonly workspace: number; readonly workflow: string },
  wish: SimulationWish,
): Promise<Simulation> {
  const whole = await wholeWorkflow(reader, ids.workspace, ids.workflow);
  const contact = await findContact(reader, ids.workspace, wish.contactId);
  const subject = subjectOf(
    (await contactNumbered(reader, contact.seq)) as ContactSeen,
    readEventData(wish.event, "event").flat,
  );
  const nowMs = clock.nowMs();
  const walk = { ...ids, reader, clock, whole, startedAt: iso(nowMs), branches: wish.branches };
  const way = await walkThrough(walk, definitionOf(whole), { nowMs, subject });
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
): Promise<Pick<Simulation, "status" | "reason" | "steps">> {
  const steps: SimulatedStep[] = [];
  let moment = start;
  const startedMs = walk.clock.monotonicMs();
  let chars = 0;
  let step = definition.steps.find(({ type }) => type === "TRIGGER") ?? null;
  while (step) {
    if (chars > MAX_OUTPUT_CHARS || walk.clock.monotonicMs() - startedMs > MAX_WORK_MS)
      return { status: "FAILED", reason: TOO_LARGE, steps };
    const { id: stepId, name, type } = step;
    const { status = "COMPLETED", branch = null, output, end, ...after } = await pass(walk, step, moment);
    steps.push({ stepId, name, type, status, at: iso(moment.nowMs), output });
    chars += JSON.stringify(output).length;
    if (end) return { ...end, steps };
    moment = { ...moment, ...after };
    step = stepAfter(definition, stepId, branch);
  }
  return { status: "COMPLETED", reason: null, steps };
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
  const known = { ...data, ...plan.variables };
  const scope = { ...known, data: known, email: plan.to, subscribed: plan.to === email && subscribed };
  const html = render(plan.content.html, scope, "html");
  const text = plan.content.text == null ? plainText(html) : render(plan.content.text, scope, "text");
  const mail = {
    from: plan.content.from.address,
    to: plan.to,
    subject: renderHeader(plan.content.subject, scope),
    html,
    text,
  };
  return { output: { templateId: config.templateId, mail } };
}

function passUpdate(
  { data = {}, subscribed }: (Step & { readonly type: "UPDATE_CONTACT" })["config"],
  { contact, event }: Subject,
): Passed {
  try {
    const merged = JSON.parse(mergeData(JSON.stringify(contact.data), data)) as Variables;
    const after = { ...contact, data: merged, subscribed: subscribed ?? contact.subscribed };
    return { output: { data: merged, subscribed: after.subscribed }, subject: { contact: after, event } };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
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
  try {
    const { url, method, headers, body } = requestOf(step.config, payloadOf({ execution, version, subject }), clock);
    return { output: { request: { url: url.href, method, headers, body } } };
  } catch (error) {
    if (!(error instanceof UnfitRequest)) throw error;
    return step.config.onFailure === "stop"
      ? failed(error.message)
      : { status: "FAILED", output: { reason: error.message } };
  }
}

function failed(reason: string): Passed {
  return { status: "FAILED", output: { reason }, end: { status: "FAILED", reason } };
}
