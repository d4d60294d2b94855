// What each type of step does, all of it in the transaction in which an execution is run (interface-gaps.md §6).
import { iso } from "../clock.ts";
import { upsertContact } from "../contacts/contact.ts";
import type { Variables } from "../contacts/data.ts";
import { RATES_EVERY_MS } from "../emails/health/watch.ts";
import { NOT_SUBSCRIBED } from "../emails/withheld.ts";
import { AppError } from "../errors.ts";
import { UNIT_MS } from "../segments/filter.ts";
import type { Tx } from "../store/store.ts";
import { isOverBudget } from "../templates/budget.ts";
import { decide } from "./condition.ts";
import type { Configs, Step } from "./definition.ts";
import { planMail, sendPlanned, type NoMail } from "./mail-step.ts";
import type { Subject } from "./subject.ts";
import { changesFor } from "./update-step.ts";

export type StepResult =
  /** Goes on at once, by `branch` if the step has branches. */
  | { readonly kind: "done"; readonly skipped?: true; readonly branch: string | null; readonly output: Variables }
  /** Goes on by `branch` at `dueAt` (null = only by an event), or by `event` when that comes. */
  | {
      readonly kind: "wait";
      readonly branch: string | null;
      readonly dueAt: string | null;
      readonly awaits: string | null;
      readonly output: Variables;
    }
  /** Cannot be done yet: it is tried again at `dueAt`. */
  | { readonly kind: "later"; readonly dueAt: string; readonly reason: string }
  /** Goes on when its webhook is settled. */
  | { readonly kind: "call"; readonly config: Configs["WEBHOOK"] }
  | { readonly kind: "exit"; readonly reason: string; readonly output: Variables }
  | { readonly kind: "fail"; readonly reason: string };

const MAX_SHOWN_CHARS = 200;

export async function runStep(tx: Tx, workspace: number, step: Step, subject: Subject): Promise<StepResult> {
  switch (step.type) {
    case "TRIGGER":
      return { kind: "done", branch: null, output: {} };
    case "SEND_EMAIL":
      return sendMail(tx, workspace, step.config, subject);
    case "DELAY":
      return delay(step.config, tx.nowMs);
    case "WAIT_FOR_EVENT":
      return wait(step.config, tx.nowMs);
    case "CONDITION":
      return condition(step, subject);
    case "UPDATE_CONTACT":
      return update(tx, workspace, step.config, subject);
    case "WEBHOOK":
      return { kind: "call", config: step.config };
    case "EXIT":
      return exit(step.config);
  }
}

async function sendMail(
  tx: Tx,
  workspace: number,
  config: Configs["SEND_EMAIL"],
  subject: Subject,
): Promise<StepResult> {
  const plan = await planMail(tx, workspace, config, subject);
  if (plan.kind !== "mail") return withoutMail(tx, plan);
  try {
    const emailId = await sendPlanned(tx, workspace, plan);
    return { kind: "done", branch: null, output: { emailId, to: plan.to, templateId: config.templateId } };
  } catch (error) {
    return withoutMail(tx, refusedMeanwhile(error));
  }
}

function withoutMail(tx: Tx, plan: NoMail): StepResult {
  if (plan.kind === "fail") return plan;
  if (plan.kind === "later") return { kind: "later", dueAt: iso(tx.nowMs + RATES_EVERY_MS), reason: plan.reason };
  return { kind: "done", skipped: true, branch: null, output: { reason: plan.reason } };
}

/** On PostgreSQL others may have changed what the plan was made of. */
function refusedMeanwhile(error: unknown): NoMail {
  if (error instanceof AppError && error.code === "CONTACT_UNSUBSCRIBED")
    return { kind: "skip", reason: NOT_SUBSCRIBED };
  if (error instanceof AppError && error.code === "MARKETING_STOPPED") return { kind: "later", reason: error.message };
  throw error;
}

export function delay({ amount, unit }: Configs["DELAY"], nowMs: number): StepResult & { readonly kind: "wait" } {
  const resumeAt = iso(nowMs + amount * UNIT_MS[unit]);
  return { kind: "wait", branch: null, dueAt: resumeAt, awaits: null, output: { resumeAt } };
}

export function wait(
  { eventName, timeout }: Configs["WAIT_FOR_EVENT"],
  nowMs: number,
): StepResult & { readonly kind: "wait" } {
  const dueAt = timeout === undefined ? null : iso(nowMs + timeout * 1_000);
  return { kind: "wait", branch: "timeout", dueAt, awaits: eventName, output: { eventName, timeoutAt: dueAt } };
}

export function condition(
  step: Step & { readonly type: "CONDITION" },
  subject: Subject,
): StepResult & { readonly kind: "done" } {
  const { branch, found } = decide(step.config, subject);
  return { kind: "done", branch, output: { field: step.config.field, found: shown(found), branch } };
}

/** A trace is read by people: of what is long, the beginning. */
function shown(value: unknown): unknown {
  const text = JSON.stringify(value);
  if (text === undefined) return null;
  return text.length <= MAX_SHOWN_CHARS ? value : `${text.slice(0, MAX_SHOWN_CHARS)}…`;
}

/** No machine subscribes again whoever complained or bounced for good. */
async function update(
  tx: Tx,
  workspace: number,
  config: Configs["UPDATE_CONTACT"],
  subject: Subject,
): Promise<StepResult> {
  const { email } = subject.contact;
  const { subscribed } = config;
  try {
    const data = changesFor(config.data ?? {}, subject);
    const wish = { email, subscribed, subscribedIfNew: true, data, mayLiftSuppression: false };
    const { contact: changed } = await upsertContact(tx, workspace, wish);
    return { kind: "done", branch: null, output: { keys: Object.keys(data), subscribed: changed.subscribed === 1 } };
  } catch (error) {
    const isUnfit = error instanceof AppError && error.code === "VALIDATION_ERROR";
    if (!isUnfit && !isOverBudget(error)) throw error;
    return { kind: "fail", reason: error.message };
  }
}

export function exit({ reason }: Configs["EXIT"]): StepResult & { readonly kind: "exit" } {
  return { kind: "exit", reason: reason ?? "exit_step", output: {} };
}
