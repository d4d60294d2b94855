// The outcome of an attempt at a webhook: it is delivered, tried again by the schedule, or given up.
import { DAY_MS, iso } from "../../../base/clock.ts";
import { notifyChange } from "../../../tenant/events/notify.ts";
import { retryAfterMs, retryDelayMs } from "../../../base/jobs/retry.ts";
import { counter } from "../../../base/metrics/metric.ts";
import type { Tx } from "../../../store/store.ts";
import { setAttemptResult } from "./attempt-queries.ts";
import type { AttemptResult, WebhookCall } from "./call.ts";
import type { WebhookAnswer } from "./exchange.ts";
import { setCallState } from "./queries.ts";

/** Signalled when a webhook may be due. */
export const WEBHOOK_DUE = "webhook";

const ATTEMPTS = counter("posthorn_webhook_attempts_total", "What attempts to send webhooks came to.", "outcome", [
  "delivered",
  "later",
  "failed",
]);

/** Seconds to wait after the first attempt, the second, and so on. */
const RETRY_SCHEDULE_SECONDS = [5, 30, 120, 600, 3_600, 21_600];
/** Between 0 and 1: the middle is the schedule itself, neither earlier nor later. */
const NO_JITTER = 0.5;
const MAX_RETRY_AFTER_MS = DAY_MS;
/** The limit of an answer. */
const MAX_KEPT_CHARS = 2_000;

type WebhookExchange = { readonly answer: WebhookAnswer; readonly durationMs: number };

/** Settles no call that was cancelled, or that another attempt has claimed since. */
export async function settleCall(tx: Tx, call: WebhookCall, attempt: WebhookExchange): Promise<void> {
  const { answer, durationMs } = attempt;
  const waitMs = isWorthAnotherTry(answer) ? untilNextMs(answer, call.tries, tx.nowMs) : null;
  const isDelivered = answer.kind === "answered" && answer.status >= 200 && answer.status < 300;
  const outcome = isDelivered ? "delivered" : waitMs === null ? "failed" : "later";
  const result = { outcome, durationMs, ...answerFields(answer) } as const;
  await setAttemptResult(tx, call, result);
  tx.tally({ metric: ATTEMPTS, labels: [outcome], workspace: call.workspace });
  notifyChange(tx, "webhooks", call.workspace);
  const dueAt = waitMs === null ? null : iso(tx.nowMs + waitMs);
  const state = dueAt !== null ? "DUE" : isDelivered ? "DELIVERED" : "FAILED";
  if ((await setCallState(tx, call, state, dueAt)) > 0) await call.onAttempt(tx, result);
}

function isWorthAnotherTry(answer: WebhookAnswer): boolean {
  if (answer.kind !== "answered") return answer.kind === "unreachable";
  return answer.status === 408 || answer.status === 429 || answer.status >= 500;
}

/** By the schedule, or later if the other side says so; null = the schedule is used up. */
function untilNextMs(answer: WebhookAnswer, tries: number, nowMs: number): number | null {
  const delayMs = retryDelayMs(RETRY_SCHEDULE_SECONDS, tries, NO_JITTER);
  const asked = answer.kind === "answered" ? retryAfterMs(answer.retryAfter, nowMs) : 0;
  return delayMs === null ? null : Math.max(delayMs, Math.min(asked, MAX_RETRY_AFTER_MS));
}

function answerFields(answer: WebhookAnswer): Pick<AttemptResult, "status" | "answer"> {
  if (answer.kind !== "answered") return { status: null, answer: answer.reason };
  return { status: answer.status, answer: answer.text.slice(0, MAX_KEPT_CHARS).toWellFormed() };
}
