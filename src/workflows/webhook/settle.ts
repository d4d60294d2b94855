// What an attempt at a webhook means: done, to be tried again, given up (interface-gaps.md §6 "Webhook").
import { DAY_MS, iso } from "../../clock.ts";
import { retryDelayMs } from "../../jobs/retry.ts";
import type { Tx } from "../../store/store.ts";
import { endState } from "../advance.ts";
import type { WebhookConfig } from "../definition.ts";
import { EXECUTION_DUE } from "../execution.ts";
import { setGoingOn, setExecutionState } from "../execution-queries.ts";
import { setStepResult } from "../trace-queries.ts";
import type { Answer } from "./exchange.ts";
import { setAttemptResult, setCallState, type AttemptResult, type CallRow } from "./queries.ts";

/** Seconds to wait after the first attempt, the second, and so on. */
const RETRY_SCHEDULE_SECONDS = [5, 30, 120, 600, 3_600, 21_600];
/** Of 0 to 1: exactly the schedule, neither earlier nor later. */
const NO_JITTER = 0.5;
const MAX_RETRY_AFTER_MS = DAY_MS;
/** Of an answer. */
const MAX_KEPT_CHARS = 2_000;

type Attempted = { readonly answer: Answer; readonly durationMs: number };

/** Does nothing to an execution that has been cancelled, or that another attempt has taken on already. */
export async function settleCall(tx: Tx, call: CallRow, config: WebhookConfig, attempted: Attempted): Promise<void> {
  const { answer, durationMs } = attempted;
  const waitMs = isWorthAnotherTry(answer) ? untilNextMs(answer, call.tries, tx.nowMs) : null;
  const isDelivered = answer.kind === "answered" && answer.status >= 200 && answer.status < 300;
  const outcome = isDelivered ? "delivered" : waitMs === null ? "failed" : "later";
  await setAttemptResult(tx, call.execution_step, call.attempts, { outcome, durationMs, ...shown(answer) });
  const dueAt = waitMs === null ? null : iso(tx.nowMs + waitMs);
  const state = dueAt !== null ? "DUE" : isDelivered ? "DELIVERED" : "FAILED";
  if ((await setCallState(tx, call, state, dueAt)) === 0 || dueAt !== null) return;
  await conclude(tx, call, config, { outcome, durationMs, ...shown(answer) });
}

async function conclude(tx: Tx, call: CallRow, { onFailure }: WebhookConfig, result: AttemptResult): Promise<void> {
  const isDelivered = result.outcome === "delivered";
  const output = { success: isDelivered, statusCode: result.status, response: result.answer, attempts: call.attempts };
  await setStepResult(tx, call.execution_step, {
    status: isDelivered ? "COMPLETED" : "FAILED",
    output: JSON.stringify(output),
  });
  if (call.by_hand === 1) return;
  if (!isDelivered && onFailure === "stop") {
    const reason = `The webhook was given up after ${call.attempts} ${call.attempts === 1 ? "attempt" : "attempts"}.`;
    await setExecutionState(tx, call.execution, endState("FAILED", call.step, reason));
    return;
  }
  if ((await setGoingOn(tx, call.execution, call.step)) > 0) tx.signal(EXECUTION_DUE);
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

function shown(answer: Answer): { readonly status: number | null; readonly answer: string | null } {
  if (answer.kind !== "answered") return { status: null, answer: answer.reason };
  return { status: answer.status, answer: answer.text.slice(0, MAX_KEPT_CHARS).toWellFormed() };
}
