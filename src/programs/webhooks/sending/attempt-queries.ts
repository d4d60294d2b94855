// The SQL of attempts to send webhooks.
import { sqlList } from "../../../store/sql.ts";
import type { Reader, Tx } from "../../../store/store.ts";
import type { AttemptResult, WebhookDelivery } from "./call.ts";

/** Notes the start of these deliveries' attempts. */
export function insertAttempts(tx: Tx, deliveries: readonly number[]): Promise<number> {
  return tx.run`
    insert into webhook_attempts (delivery, number, workspace, endpoint, at)
    select seq, attempts, workspace, endpoint, ${tx.now} from webhook_deliveries where seq in (${sqlList(deliveries)})`;
}

export function setAttemptResult(
  tx: Tx,
  { seq, attempts: number }: WebhookDelivery,
  result: AttemptResult,
): Promise<number> {
  return tx.run`
    update webhook_attempts set outcome = ${result.outcome}, status = ${result.status}, duration_ms = ${result.durationMs},
      answer = ${result.answer}
    where delivery = ${seq} and number = ${number}`;
}

export type WebhookAttempt = {
  readonly number: number;
  readonly at: string;
  readonly outcome: AttemptResult["outcome"] | null;
  readonly status: number | null;
  readonly durationMs: number | null;
  readonly answer: string | null;
};

/** Oldest first. */
export async function attemptsOf(
  reader: Reader,
  deliveries: readonly number[],
): Promise<(WebhookAttempt & { delivery: number })[]> {
  if (deliveries.length === 0) return [];
  const attempts = await reader.all<WebhookAttempt & { readonly delivery: number }>`
    select delivery, number, at, outcome, status, duration_ms as "durationMs", answer from webhook_attempts
    where delivery in (${sqlList(deliveries)})`;
  return attempts.sort((one, other) => one.number - other.number);
}
