// The SQL of the latest attempts at webhooks.
import { C_PRESENT } from "../../../audience/contacts/queries.ts";
import { sql, type Sql, sqlList } from "../../../store/sql.ts";
import type { Reader } from "../../../store/store.ts";
import type { WebhookAttempt } from "../../webhooks/sending/attempt-queries.ts";
import type { AttemptResult } from "../../webhooks/sending/call.ts";

/** Where an attempt stands in the list. */
export type AttemptPlace = { readonly at: string; readonly delivery: number; readonly number: number };

export type ListedAttempt = AttemptPlace & {
  readonly outcome: AttemptResult["outcome"] | null;
  readonly status: number | null;
  readonly durationMs: number | null;
  readonly reply: string | null;
  readonly origin: string;
  readonly state: "DUE" | "CALLING" | "DELIVERED" | "FAILED" | "CANCELLED";
  readonly dueAt: string | null;
  readonly webhookId: string;
  readonly workflowId: string;
  readonly workflowName: string;
  readonly executionId: string;
  readonly stepId: string;
  readonly stepName: string | null;
  readonly contactId: string;
};

export type AttemptList = {
  readonly workspace: number;
  /** Only attempts with which a webhook was given up. */
  readonly failed: boolean;
  /** Only attempts of this workflow, or of one step; public ids. */
  readonly workflow?: string | undefined;
  readonly step?: string | undefined;
};

/** The limit of the workspace's attempts that one page of a workflow or step reads. */
const MOST_SCANNED = 5_000;

const WHOLE = sql`a.at, a.delivery, a.number, a.outcome, a.status, a.duration_ms as "durationMs", a.answer as reply,
      d.origin, d.state, d.due_at as "dueAt", s.id as "webhookId", w.id as "workflowId", w.name as "workflowName",
      x.id as "executionId", s.step as "stepId", t.name as "stepName", c.id as "contactId"`;

/** Newest first, from `after` on, without attempts about people who are being erased. */
export function latestAttempts(
  reader: Reader,
  list: AttemptList,
  after: AttemptPlace | null,
  limit: number,
): Promise<ListedAttempt[]> {
  const { workflow, step } = list;
  const ofWorkflow = workflow === undefined ? sql`` : sql` and w.id = ${workflow}`;
  const atStep = step === undefined ? sql`` : sql` and s.step = ${step}`;
  return reader.all<ListedAttempt>`
    select ${WHOLE} from ${isPart(list) ? scanned(list, after) : sql`webhook_attempts a`}
    join webhook_deliveries d on d.seq = a.delivery
    join execution_steps s on s.seq = d.execution_step
    join executions x on x.seq = s.execution
    join workflows w on w.seq = x.workflow
    join contacts c on c.seq = x.contact and ${C_PRESENT}
    left join workflow_steps t on t.id = s.step
    where ${among(list, after)}${ofWorkflow}${atStep}
    order by a.at desc, a.delivery desc, a.number desc limit ${limit}`;
}

/**
 * The place where the scan for one workflow or step reaches its limit, which ends the page; null = there are no more.
 */
export async function endOfScan(
  reader: Reader,
  list: AttemptList,
  after: AttemptPlace | null,
): Promise<AttemptPlace | null> {
  if (!isPart(list)) return null;
  return reader.get<AttemptPlace>`
    select a.at, a.delivery, a.number from webhook_attempts a where ${among(list, after)}
    order by a.at desc, a.delivery desc, a.number desc limit 1 offset ${MOST_SCANNED - 1}`;
}

function isPart({ workflow, step }: AttemptList): boolean {
  return workflow !== undefined || step !== undefined;
}

function scanned(list: AttemptList, after: AttemptPlace | null): Sql {
  return sql`(
      select a.delivery, a.number from webhook_attempts a where ${among(list, after)}
      order by a.at desc, a.delivery desc, a.number desc limit ${MOST_SCANNED}) latest
    join webhook_attempts a on a.delivery = latest.delivery and a.number = latest.number`;
}

function among({ workspace, failed }: AttemptList, after: AttemptPlace | null): Sql {
  const isFailed = failed ? sql` and a.outcome = 'failed'` : sql``;
  if (after === null) return sql`a.workspace = ${workspace} and a.endpoint is null${isFailed}`;
  return sql`a.workspace = ${workspace} and a.endpoint is null${isFailed}
    and (a.at, a.delivery, a.number) < (${after.at}, ${after.delivery}, ${after.number})`;
}

/** A mail by its public id, and its recipient or sender. */
export type MailOfContact = { readonly id: string; readonly contact: number };

/**
 * The attempts of executions that an event about this mail has started or led on, in no order. Events name their mail.
 */
export function attemptsAfterMail(
  reader: Reader,
  { id, contact }: MailOfContact,
  most: number,
): Promise<ListedAttempt[]> {
  return reader.all<ListedAttempt>`
    select ${WHOLE} from executions x
    join execution_steps s on s.execution = x.seq
    join webhook_deliveries d on d.execution_step = s.seq
    join webhook_attempts a on a.delivery = d.seq
    join workflows w on w.seq = x.workflow
    join contacts c on c.seq = x.contact and ${C_PRESENT}
    left join workflow_steps t on t.id = s.step
    where x.contact = ${contact} and instr(x.context, ${`"emailId":"${id}"`}) > 0 limit ${most}`;
}

export type StepCallFailures = { readonly count: number; readonly lastAt: string | null };

/** Webhooks that were given up since then and not sent again, at most `most`. */
export async function countGivenUp(
  reader: Reader,
  workspace: number,
  since: string,
  most: number,
): Promise<StepCallFailures> {
  const row = await reader.get<StepCallFailures>`
    select count(*) as count, max(at) as "lastAt" from (
      select a.at from webhook_attempts a
      join webhook_deliveries d on d.seq = a.delivery and d.state = 'FAILED' and d.attempts = a.number
      where a.workspace = ${workspace} and a.endpoint is null and a.outcome = 'failed' and a.at >= ${since} order by a.at desc limit ${most}) as latest`;
  return row as StepCallFailures;
}

/** The attempts of each step of executions, oldest first. */
export async function attemptsOfSteps(
  reader: Reader,
  steps: readonly number[],
): Promise<Map<number, WebhookAttempt[]>> {
  if (steps.length === 0) return new Map();
  const attempts = await reader.all<WebhookAttempt & { readonly step: number }>`
    select d.execution_step as step, a.number, a.at, a.outcome, a.status, a.duration_ms as "durationMs", a.answer
    from webhook_deliveries d join webhook_attempts a on a.delivery = d.seq
    where d.execution_step in (${sqlList(steps)})`;
  attempts.sort((one, other) => one.number - other.number);
  const byStep = new Map<number, WebhookAttempt[]>();
  for (const { step, ...attempt } of attempts) byStep.set(step, [...(byStep.get(step) ?? []), attempt]);
  return byStep;
}
