// CONDITION: compares a field of the execution context, or matches the contact as a segment would.
import { iso } from "../../../../base/clock.ts";
import type { Variables } from "../../../../audience/contacts/data.ts";
import { AppError } from "../../../../base/errors.ts";
import { matchingNow } from "../../../../audience/segments/references.ts";
import type { Sql } from "../../../../store/sql.ts";
import type { Reader } from "../../../../store/store.ts";
import {
  isAsking,
  type ContactCondition,
  type ConditionComparison,
  type ConditionConfig,
} from "../../definition/definition.ts";
import { matchesAs } from "./condition-queries.ts";
import { decide, type ExecutionContext } from "./execution-context.ts";

type ConditionRun = { readonly workspace: number; readonly context: ExecutionContext; readonly nowMs: number };

type Decision =
  | { readonly kind: "done"; readonly branch: string; readonly output: Variables }
  /** Members of a segment that it names are still being found. */
  | { readonly kind: "later"; readonly dueAt: string; readonly reason: string };

export async function planCondition(reader: Reader, config: ConditionConfig, at: ConditionRun): Promise<Decision> {
  return isAsking(config) ? ask(reader, config, at) : compare(config, at.context);
}

async function ask(
  reader: Reader,
  { condition }: ContactCondition,
  { workspace, context, nowMs }: ConditionRun,
): Promise<Decision> {
  let matches: Sql;
  try {
    matches = await matchingNow(reader, workspace, condition, nowMs);
  } catch (error) {
    return untilFound(error, nowMs);
  }
  const branch = (await matchesAs(reader, context.contact, matches)) ? "yes" : "no";
  return { kind: "done", branch, output: { branch } };
}

/** @throws any other error */
function untilFound(error: unknown, nowMs: number): Decision {
  if (!(error instanceof AppError) || error.code !== "STORE_UNAVAILABLE") throw error;
  const { retryAfterSeconds = 5 } = error.details;
  return { kind: "later", reason: error.message, dueAt: iso(nowMs + retryAfterSeconds * 1_000) };
}

function compare(config: ConditionComparison, context: ExecutionContext): Decision {
  const { branch, found } = decide(config, context);
  return { kind: "done", branch, output: { field: config.field, found: shortValue(found), branch } };
}

const MAX_SHOWN_CHARS = 200;

/** People read traces: a long value is cut to its beginning. */
function shortValue(value: unknown): unknown {
  const text = JSON.stringify(value);
  if (text === undefined) return null;
  return text.length <= MAX_SHOWN_CHARS ? value : `${text.slice(0, MAX_SHOWN_CHARS)}…`;
}
