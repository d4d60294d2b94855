// The plan of a step, made by reading alone. An execution applies it, a simulation shows it.
import { iso } from "../../../../base/clock.ts";
import { upsertContact } from "../../../../audience/contacts/upsert.ts";
import { WORKFLOW_VOICE } from "../../../../audience/contacts/voices.ts";
import type { Variables } from "../../../../audience/contacts/data.ts";
import { RATES_EVERY_MS } from "../../../../mail/emails/health/watch.ts";
import { skippedBy } from "../../../../mail/emails/refusals/skip-reasons.ts";
import { AppError } from "../../../../base/errors.ts";
import { UNIT_MS } from "../../../../audience/segments/condition/filter.ts";
import { attempt } from "../../../../store/shared-tx.ts";
import type { Reader, Tx } from "../../../../store/store.ts";
import { isOverBudget } from "../../../../content/templates/liquid/budget.ts";
import type { Configs, WorkflowStep } from "../../definition/definition.ts";
import { renderedData } from "../../definition/texts.ts";
import type { Payload } from "../../webhook/record.ts";
import { planCondition } from "./condition-step.ts";
import { scopeOf, type ExecutionContext } from "./execution-context.ts";
import { planMail, sendMail, type MailPlan, type MailSupplies, type MailRefusal } from "./mail-step.ts";

/** An execution at a step. */
export type StepRun = Pick<Payload, "workflow" | "execution"> & {
  readonly workspace: number;
  readonly context: ExecutionContext;
  /** Only for a step that calls a webhook; undefined: no event, or it is deleted. */
  readonly startedBy?: Payload["startedBy"] | undefined;
  readonly nowMs: number;
};

/** The outcome of a step that is done, or changes its execution alone. */
export type StepOutcome =
  /** Goes on immediately, by `branch` if the step has branches. */
  | { readonly kind: "done"; readonly skipped?: true; readonly branch: string | null; readonly output: Variables }
  /** Goes on by `branch` at `dueAt` (null = only by an event), or by `event` when that arrives. */
  | {
      readonly kind: "wait";
      readonly branch: string | null;
      readonly dueAt: string | null;
      readonly awaits: string | null;
      readonly output: Variables;
    }
  /** Cannot be done yet: it is tried again at `dueAt`. */
  | { readonly kind: "later"; readonly dueAt: string; readonly reason: string }
  | { readonly kind: "exit"; readonly reason: string }
  | { readonly kind: "fail"; readonly reason: string };

type Update = { readonly kind: "update"; readonly data: Variables; readonly subscribed: boolean | undefined };

export type StepPlan =
  | StepOutcome
  | MailPlan
  | Update
  | { readonly kind: "call"; readonly config: Configs["WEBHOOK"]; readonly payload: Payload };

/** `supplies`: shared by all steps planned at the same moment. */
export async function planStep(
  reader: Reader,
  step: WorkflowStep,
  at: StepRun,
  supplies: MailSupplies,
): Promise<StepPlan> {
  switch (step.type) {
    case "TRIGGER":
      return { kind: "done", branch: null, output: {} };
    case "SEND_EMAIL": {
      const plan = await planMail(supplies, step, at);
      return plan.kind === "mail" ? plan : withoutMail(plan, at.nowMs);
    }
    case "DELAY":
      return planDelay(step.config, at.nowMs);
    case "WAIT_FOR_EVENT":
      return planWait(step.config, at.nowMs);
    case "CONDITION":
      return planCondition(reader, step.config, at);
    case "UPDATE_CONTACT":
      return planUpdate(step.config, at.context);
    case "WEBHOOK":
      return { kind: "call", config: step.config, payload: payloadOf(at) };
    case "EXIT":
      return { kind: "exit", reason: step.config.reason ?? "exit_step" };
  }
}

/** Stopped marketing mail is tried again after the next check of the bounce rates. */
export function withoutMail({ kind, reason }: MailRefusal, nowMs: number): StepOutcome {
  if (kind === "fail") return { kind, reason };
  if (kind === "later") return { kind, reason, dueAt: iso(nowMs + RATES_EVERY_MS) };
  return { kind: "done", skipped: true, branch: null, output: { reason } };
}

function planDelay({ amount, unit }: Configs["DELAY"], nowMs: number): StepOutcome {
  const resumeAt = iso(nowMs + amount * UNIT_MS[unit]);
  return { kind: "wait", branch: null, dueAt: resumeAt, awaits: null, output: { resumeAt } };
}

function planWait({ eventName, timeout }: Configs["WAIT_FOR_EVENT"], nowMs: number): StepOutcome {
  const dueAt = timeout === undefined ? null : iso(nowMs + timeout * 1_000);
  return { kind: "wait", branch: "timeout", dueAt, awaits: eventName, output: { eventName, timeoutAt: dueAt } };
}

function planUpdate({ data = {}, subscribed }: Configs["UPDATE_CONTACT"], context: ExecutionContext): StepPlan {
  try {
    return { kind: "update", data: renderedData(data, scopeOf(context)), subscribed };
  } catch (error) {
    return failureOf(error);
  }
}

/** The failure of an update that the contact cannot hold, or that takes too long to render. @throws any other error */
export function failureOf(error: unknown): StepOutcome & { readonly kind: "fail" } {
  const isUnfit = error instanceof AppError && error.code === "VALIDATION_ERROR";
  if (!isUnfit && !isOverBudget(error)) throw error;
  return { kind: "fail", reason: error.message };
}

function payloadOf({ workflow, execution, context, startedBy }: StepRun): Payload {
  const { id, email, subscribed, data } = context.contact;
  const payload = { contact: { id, email, subscribed, data }, workflow, execution, event: context.event };
  return startedBy ? { ...payload, startedBy } : payload;
}

type StepRunScope = Pick<StepRun, "workspace" | "workflow" | "context">;

/** Applies the plan; answers the outcome. A webhook is only waited for: it is queued when the trace has its step. */
export async function apply(tx: Tx, plan: StepPlan, at: StepRunScope): Promise<StepOutcome> {
  if (plan.kind === "call") return { kind: "wait", branch: null, dueAt: null, awaits: null, output: {} };
  if (plan.kind === "mail") return sent(tx, plan, at);
  return plan.kind === "update" ? updated(tx, plan, at) : plan;
}

async function sent(tx: Tx, mail: MailPlan, { workspace, workflow }: StepRunScope): Promise<StepOutcome> {
  const answer = await attempt(tx, (own) => sendMail(own, workspace, workflow.id, mail));
  if (answer instanceof AppError) return withoutMail(refusalOf(answer), tx.nowMs);
  const output = { emailId: answer, to: mail.to, templateId: mail.content.templateId };
  return { kind: "done", branch: null, output };
}

/** On PostgreSQL other transactions may change the rows that the plan was made from. @throws any other error */
function refusalOf(error: AppError): MailRefusal {
  if (error.code === "CONTACT_UNSUBSCRIBED") return { kind: "skip", reason: skippedBy(error) };
  if (error.code === "RECIPIENT_SUPPRESSED")
    return { kind: "skip", reason: error.details.values?.["why"] ?? error.message };
  if (error.code === "MARKETING_STOPPED") return { kind: "later", reason: error.message };
  throw error;
}

/** Never lifts a suppression: no workflow resubscribes people who complained, or whose address bounced for good. */
async function updated(
  tx: Tx,
  { data, subscribed }: Update,
  { workspace, workflow, context }: StepRunScope,
): Promise<StepOutcome> {
  const { email } = context.contact;
  const act = { door: "workflow", workflow: { id: workflow.id, name: workflow.name } } as const;
  const input = { voice: WORKFLOW_VOICE, email, subscribed, subscribedIfNew: false, data, ...act };
  const answer = await attempt(tx, (own) => upsertContact(own, workspace, input));
  if (answer instanceof AppError) return failureOf(answer);
  return { kind: "done", branch: null, output: { keys: Object.keys(data), subscribed: answer.contact.subscribed } };
}
