// A simulation: a contact walked through a workflow without any effect. Each step has the plan that it would have in an
// execution; it is not applied but supposed, and shown.
import { iso, type Clock } from "../../../../base/clock.ts";
import { contactMeant, type ContactRef } from "../../../../audience/contacts/contact.ts";
import { mergeData, type DataChanges, type Variables } from "../../../../audience/contacts/data.ts";
import { isReservedEvent } from "../../../../tenant/events/catalog.ts";
import type { RenderPart } from "../../../../content/rendering/parts.ts";
import { newId } from "../../../../base/ids.ts";
import { membersNow } from "../../../../audience/segments/references.ts";
import { segmentsNamed } from "../../../../audience/segments/queries.ts";
import type { Reader } from "../../../../store/store.ts";
import {
  branchesOf,
  stepAfter,
  triggerStepOf,
  type Definition,
  type WorkflowStep,
} from "../../definition/definition.ts";
import type { Workflow } from "../../definition/queries.ts";
import { readEntering, type EnteringInput } from "../../definition/reentry.ts";
import { readTrigger, type TriggerInput } from "../../definition/trigger.ts";
import { findWithSteps } from "../../definition/workflow.ts";
import { textsOf } from "../../webhook/request.ts";
import { matchesAs } from "../steps/condition-queries.ts";
import type { ContactInContext, ExecutionContext } from "../steps/execution-context.ts";
import { reasonAgainst } from "../execution.ts";
import { MailSupplies, suppressionAgainst } from "../steps/mail-step.ts";
import { failureOf, planStep, withoutMail, type StepRun, type StepPlan } from "../steps/plan.ts";
import { contactsInContext } from "../queries.ts";
import { asRead, eventOf, type SimulatedEvent } from "./simulated-event.ts";
import type { UnstartedReason } from "../unstarted/unstarted.ts";

type SimulationInput = {
  readonly who: ContactRef;
  /** The data of the event that starts it; null = of the contact's last of that name. */
  readonly event: Variables | null;
  /** The branches by which waits are left, by step id; `event` unless given. */
  readonly branches: Readonly<Record<string, string>>;
  /** The data of the events of waits, by step id. */
  readonly events: Readonly<Record<string, Variables>>;
  /** Steps and transitions in place of the workflow's own. */
  readonly draft: Definition | null;
  /** The re-entry rule in place of the workflow's own. */
  readonly entering: EnteringInput;
  readonly trigger: TriggerInput;
};

/** A plan as it is shown: waits are over, and updates are made. */
export type SimulationPlan = Exclude<StepPlan, { readonly kind: "wait" | "later" | "update" }>;

/** `part`: the texts to render before the step is shown. */
type WalkedStep = {
  readonly step: WorkflowStep;
  readonly at: string;
  readonly plan: SimulationPlan;
  readonly part: RenderPart | null;
};

export type Obstacle = UnstartedReason | "disabled" | "not_member";

/** The walk, with texts still to be rendered: that happens after the store is read. */
export type SimulationWalk = {
  readonly contact: { readonly id: string; readonly email: string };
  readonly event: SimulatedEvent;
  /** Why an event would not start it now; null = it would. */
  readonly obstacle: Obstacle | null;
  readonly steps: readonly WalkedStep[];
  /** The rest is left out: there is too much text. */
  readonly isCut: boolean;
};

/** The limit of the texts before they are rendered, and of the answer. */
export const MAX_CHARS = 4 * 1024 * 1024;

/**
 * Walks the contact through the workflow as if `event` started it now.
 * @throws AppError WORKFLOW_NOT_FOUND, CONTACT_NOT_FOUND, VALIDATION_ERROR on `event`, the trigger or the contact
 */
export async function walk(
  reader: Reader,
  clock: Clock,
  { workspace, workflow: id }: { readonly workspace: number; readonly workflow: string },
  input: SimulationInput,
): Promise<SimulationWalk> {
  const workflow = await findWithSteps(reader, workspace, id);
  const definition = input.draft ?? workflow;
  const { seq, id: contactId, email } = await contactMeant(reader, workspace, input.who);
  const events = Object.entries(input.events).map(([step, data]) => [step, asRead(data, `events.${step}`)] as const);
  const nowMs = clock.nowMs();
  const trigger = readTrigger(input.trigger, workflow.trigger, nowMs);
  const contact = (await contactsInContext(reader, [seq])).get(seq) as ContactInContext;
  const told = await eventOf(reader, trigger, input.event, { workspace, seq, contact, nowMs });
  const event = asRead(told.data, "event");
  const started = { ...workflow, ...definition, trigger, ...readEntering(input.entering, workflow) };
  const obstacle = await obstacleTo(reader, started, { contact: seq, event: event.flat, nowMs }, contact);
  const at = {
    workspace,
    workflow: { id: workflow.id, name: workflow.name },
    nowMs,
    execution: { id: newId(nowMs), startedAt: iso(nowMs) },
    context: { contact: startedBy(started, contact, event), event: event.flat },
    startedBy: eventIn(started, nowMs),
  };
  const choices = { branches: input.branches, events: Object.fromEntries(events) };
  const walked = await walkOn(reader, definition, at, choices);
  return { contact: { id: contactId, email }, event: told, obstacle, ...walked };
}

function startedBy({ trigger }: Workflow, contact: ContactInContext, data: DataChanges): ContactInContext {
  return trigger.type === "EVENT" ? withTracked(contact, trigger.config.eventName, data) : contact;
}

function eventIn({ trigger }: Workflow, nowMs: number): StepRun["startedBy"] {
  if (trigger.type !== "EVENT") return undefined;
  return { name: trigger.config.eventName, id: newId(nowMs), createdAt: iso(nowMs) };
}

/**
 * The contact with the data that `POST /v1/track` stores before anything follows from the event. @throws AppError
 * VALIDATION_ERROR
 */
function withTracked(contact: ContactInContext, eventName: string, { stored }: DataChanges): ContactInContext {
  return isReservedEvent(eventName) ? contact : { ...contact, data: mergeData(contact.data, stored) };
}

type SimulationChoices = Pick<SimulationInput, "branches"> & { readonly events: Readonly<Record<string, DataChanges>> };

async function obstacleTo(
  reader: Reader,
  workflow: Workflow & Definition,
  about: Parameters<typeof reasonAgainst>[2],
  contact: ContactInContext,
): Promise<Obstacle | null> {
  if (!workflow.enabled) return "disabled";
  const { trigger } = workflow;
  if (trigger.type === "SCHEDULE") {
    const [segment] = await segmentsNamed(reader, workflow.workspace, [trigger.config.segmentId]);
    const isIn = segment && (await matchesAs(reader, contact, await membersNow(reader, segment, about.nowMs)));
    if (!isIn) return "not_member";
  }
  return reasonAgainst(reader, workflow, about);
}

/** The plan as it would be carried out: the door refuses an email to an address that is suppressed. */
async function foreseen(reader: Reader, step: WorkflowStep, at: StepRun, supplies: MailSupplies): Promise<StepPlan> {
  const plan = await planStep(reader, step, at, supplies);
  const reason = plan.kind === "mail" ? await suppressionAgainst(reader, at.workspace, plan, at.nowMs) : null;
  return reason === null ? plan : withoutMail({ kind: "skip", reason }, at.nowMs);
}

async function walkOn(
  reader: Reader,
  definition: Definition,
  start: StepRun,
  choices: SimulationChoices,
): Promise<Pick<SimulationWalk, "steps" | "isCut">> {
  const steps: WalkedStep[] = [];
  const supplies = new MailSupplies(reader);
  let [at, chars] = [start, 0];
  for (let step: WorkflowStep | null = triggerStepOf(definition); step;) {
    if (chars > MAX_CHARS) return { steps, isCut: true };
    const { plan, ...after } = supposed(step, await foreseen(reader, step, at, supplies), at, choices);
    const part = partOf(plan, at.context);
    steps.push({ step, at: iso(at.nowMs), plan, part });
    chars += JSON.stringify(part ?? plan).length;
    if (plan.kind === "exit" || plan.kind === "fail") break;
    at = { ...at, ...after };
    step = stepAfter(definition, step.id, plan.kind === "done" ? plan.branch : null);
  }
  return { steps, isCut: false };
}

type SimulatedStep = { readonly plan: SimulationPlan; readonly nowMs?: number; readonly context?: ExecutionContext };

/** The outcome that the step would have, and the time and the contact after it. */
function supposed(
  step: WorkflowStep,
  plan: StepPlan,
  at: StepRun,
  { branches, events }: SimulationChoices,
): SimulatedStep {
  if (plan.kind === "update") return updated(plan, at.context);
  if (plan.kind === "later")
    return { plan: { kind: "done", skipped: true, branch: null, output: { reason: plan.reason } } };
  if (plan.kind !== "wait") return { plan };
  const { dueAt, output } = plan;
  if (step.type === "DELAY") return { plan: { kind: "done", branch: null, output }, nowMs: Date.parse(dueAt ?? "") };
  const chosen = branches[step.id] ?? "event";
  const branch = branchesOf(step).includes(chosen) ? chosen : "event";
  const nowMs = branch === "timeout" && dueAt !== null ? Date.parse(dueAt) : at.nowMs;
  const context = branch === "event" ? withEvent(at.context, step, events[step.id]) : at.context;
  return { plan: { kind: "done", branch, output: { ...output, branch } }, nowMs, context };
}

function withEvent(
  { contact, event }: ExecutionContext,
  step: WorkflowStep,
  data: DataChanges | undefined,
): ExecutionContext {
  if (!data || step.type !== "WAIT_FOR_EVENT") return { contact, event };
  return { contact: withTracked(contact, step.config.eventName, data), event: { ...event, ...data.flat } };
}

function updated(plan: StepPlan & { readonly kind: "update" }, { contact, event }: ExecutionContext): SimulatedStep {
  try {
    const data = mergeData(contact.data, plan.data);
    const subscribed = plan.subscribed ?? contact.subscribed;
    const context = { contact: { ...contact, data, subscribed }, event };
    return { plan: { kind: "done", branch: null, output: { data, subscribed } }, context };
  } catch (error) {
    return { plan: failureOf(error) };
  }
}

function partOf(plan: SimulationPlan, context: ExecutionContext): RenderPart | null {
  if (plan.kind === "call") return textsOf(plan.config, plan.payload);
  if (plan.kind !== "mail") return null;
  const { data, email, subscribed } = context.contact;
  const { content, to, variables } = plan;
  const draft = {
    from: content.from,
    to: { address: to, name: null },
    subject: content.subject,
    preheader: content.preheader ?? null,
    html: content.html,
    text: content.text ?? null,
    contactData: JSON.stringify(data),
    requestData: JSON.stringify(variables),
    subscribed: to === email && subscribed,
    links: null,
    marketing: null,
  };
  return { kind: "mail", draft };
}

/** The texts to render; `simulationOf` takes the results. */
export function partsOf({ steps }: SimulationWalk): RenderPart[] {
  return steps.flatMap(({ part }) => part ?? []);
}
