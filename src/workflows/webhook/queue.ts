// The queue of webhooks: put in, held while their workflow is disabled, and settled after an attempt.
import { DAY_MS, iso } from "../../clock.ts";
import { notifyChange } from "../../events/notify.ts";
import { retryDelayMs } from "../../jobs/retry.ts";
import { counter } from "../../metrics/metric.ts";
import type { Tx } from "../../store/store.ts";
import type { WebhookConfig } from "../definition/definition.ts";
import { originOf } from "../definition/webhook-config.ts";
import type { Answer } from "./exchange.ts";
import {
  callsOfDisabled,
  hold,
  insertCall,
  lockDisabled,
  release,
  setCallState,
  type Call,
  type NewCall,
} from "./queries.ts";
import { setAttemptResult, type AttemptResult } from "./attempt-queries.ts";

/** Signalled when there may be a webhook to send. */
export const WEBHOOK_DUE = "webhook";

const ATTEMPTS = counter("posthorn_webhook_attempts_total", "What attempts to send webhooks came to.", "outcome", [
  "delivered",
  "later",
  "failed",
]);

/** The others follow when these are claimed, so that enabling a workflow stays quick. */
const MAX_RELEASED = 1_000;

export async function queueCall(tx: Tx, url: string, call: Omit<NewCall, "origin">): Promise<void> {
  await insertCall(tx, { ...call, origin: originOf(url) ?? "" });
  tx.signal(WEBHOOK_DUE);
}

/** Holds those of these due calls whose workflows are disabled; answers the others. */
export async function holdDisabled(tx: Tx, steps: readonly number[]): Promise<readonly number[]> {
  const disabled = steps.length === 0 ? [] : await callsOfDisabled(tx, steps);
  if (disabled.length === 0) return steps;
  const workflows = [...new Set(disabled.map(({ workflow }) => workflow))];
  // An enabling at this moment releases what is held by then: nothing may be held after it.
  for (const workflow of await lockDisabled(tx, workflows)) {
    const own = disabled.filter((call) => call.workflow === workflow);
    const ownSteps = own.map(({ step }) => step);
    await hold(tx, workflow, ownSteps);
  }
  // Others may be due behind these.
  tx.signal(WEBHOOK_DUE);
  const held = new Set(disabled.map(({ step }) => step));
  return steps.filter((step) => !held.has(step));
}

/** For workflows that are enabled. */
export async function releaseCalls(tx: Tx, workflows: readonly number[]): Promise<void> {
  if (workflows.length > 0 && (await release(tx, workflows, MAX_RELEASED)) > 0) tx.signal(WEBHOOK_DUE);
}

/** Seconds to wait after the first attempt, the second, and so on. */
const RETRY_SCHEDULE_SECONDS = [5, 30, 120, 600, 3_600, 21_600];
/** Of 0 to 1: the schedule itself, neither earlier nor later. */
const NO_JITTER = 0.5;
const MAX_RETRY_AFTER_MS = DAY_MS;
/** Of an answer. */
const MAX_KEPT_CHARS = 2_000;

/** A webhook is delivered or given up: the step that sent it has its result, and its execution goes on. */
export type OnSettled = (tx: Tx, call: Call, result: AttemptResult, config: WebhookConfig) => Promise<void>;

type Attempt = {
  readonly config: WebhookConfig;
  readonly answer: Answer;
  readonly durationMs: number;
  readonly onSettled: OnSettled;
};

/** Settles nothing that was cancelled, or that another attempt has claimed since. */
export async function settleCall(tx: Tx, call: Call, attempt: Attempt): Promise<void> {
  const { config, answer, durationMs, onSettled } = attempt;
  const waitMs = isWorthAnotherTry(answer) ? untilNextMs(answer, call.tries, tx.nowMs) : null;
  const isDelivered = answer.kind === "answered" && answer.status >= 200 && answer.status < 300;
  const outcome = isDelivered ? "delivered" : waitMs === null ? "failed" : "later";
  const result = { outcome, durationMs, ...shown(answer) } as const;
  await setAttemptResult(tx, call, result);
  tx.tally({ metric: ATTEMPTS, labels: [outcome], workspace: call.workspace });
  notifyChange(tx, "webhooks", call.workspace);
  const dueAt = waitMs === null ? null : iso(tx.nowMs + waitMs);
  const state = dueAt !== null ? "DUE" : isDelivered ? "DELIVERED" : "FAILED";
  if ((await setCallState(tx, call, state, dueAt)) > 0 && dueAt === null) await onSettled(tx, call, result, config);
}

function isWorthAnotherTry(answer: Answer): boolean {
  if (answer.kind !== "answered") return answer.kind === "unreachable";
  return answer.status === 408 || answer.status === 429 || answer.status >= 500;
}

/** By the schedule, or later if the other side asks for it; null = the schedule is used up. */
function untilNextMs(answer: Answer, tries: number, nowMs: number): number | null {
  const delayMs = retryDelayMs(RETRY_SCHEDULE_SECONDS, tries, NO_JITTER);
  const asked = answer.kind === "answered" ? retryAfterMs(answer.retryAfter, nowMs) : 0;
  return delayMs === null ? null : Math.max(delayMs, Math.min(asked, MAX_RETRY_AFTER_MS));
}

/** RFC 9110 §10.2.3: seconds, or a date. */
function retryAfterMs(text: string | null, nowMs: number): number {
  if (text === null) return 0;
  if (/^\d{1,9}$/.test(text.trim())) return Number(text) * 1000;
  const atMs = Date.parse(text);
  return Number.isNaN(atMs) ? 0 : Math.max(0, atMs - nowMs);
}

function shown(answer: Answer): Pick<AttemptResult, "status" | "answer"> {
  if (answer.kind !== "answered") return { status: null, answer: answer.reason };
  return { status: answer.status, answer: answer.text.slice(0, MAX_KEPT_CHARS).toWellFormed() };
}
