// GET /workflows/{id}/executions: in pages with a total, or by cursor with filters.
import { t, type Static } from "elysia";
import { findContact } from "../../../audience/contacts/contact.ts";
import { invalidParameters } from "../../../base/errors.ts";
import { nullable, oneOf, pageFields } from "../../../http/answer-shapes.ts";
import { idInputShape, pageShape, parameter, wholeNumber } from "../../../http/schemas.ts";
import { cursorOf, keyInCursor, pageFrom } from "../../../store/page.ts";
import type { Reader } from "../../../store/store.ts";
import type { Access } from "../../../tenant/access/auth.ts";
import { get, routes } from "../../../tenant/access/route-table.ts";
import { findStep } from "../definition/step.ts";
import { Versions } from "../definition/version.ts";
import { findWorkflow } from "../definition/workflow.ts";
import {
  executionsFound,
  STATES,
  TALLIES,
  type PeopleFilter,
  type StateAtStep,
  type StateInWorkflow,
} from "./counts/count-queries.ts";
import { executionRecord, executionShape, executionStatusShape } from "./record.ts";
import { countExecutions, executionsNumbered, executionsPage, type ListedExecution } from "./trace-queries.ts";

/** States of the workflow that are not states at a step. */
const OF_WORKFLOW = ["started", "inside", "ended"] as const;

const listing = t.Object({
  ...pageShape,
  status: parameter(executionStatusShape, "Only executions in this state."),
  stepId: parameter(idInputShape, "Only executions that have come to this step."),
  state: parameter(
    oneOf(...STATES, ...OF_WORKFLOW),
    "What they are to the step, as its counts say it: `reached` unless given. Without `stepId` what they are to the workflow, as its counts say it: `started`, `inside`, `ended`, `failed` or `cancelled`.",
  ),
  branch: parameter(t.String({ minLength: 1, maxLength: 100 }), "Only those that have left the step by this branch."),
  contactId: parameter(idInputShape, "Only executions of this contact."),
  limit: parameter(
    wholeNumber(1, 100),
    "Reads the list by cursor, with so many executions on a page at most; with filters 20 unless given.",
  ),
  cursor: parameter(t.String({ maxLength: 100 }), "The `cursor` of the page before."),
});
type ExecutionListQuery = Static<typeof listing>;

/** Under two names: lists of this kind are `data`, and clients read `executions`. */
const both = { data: t.Array(executionShape), executions: t.Array(executionShape) };
const page = t.Object({ ...both, ...pageFields }, { title: "WorkflowExecutionPage" });
const byCursor = t.Object(
  { ...both, cursor: nullable(t.String()), hasMore: t.Boolean() },
  { title: "WorkflowExecutionList" },
);

const LIST = "executions";
const DEFAULT_LIMIT = 20;

export function executionListRoutes(access: Access) {
  const versions = new Versions();
  return routes(access, [
    get(
      "/workflows/:id/executions",
      {
        name: "listExecutions",
        summary: "List executions, newest first",
        answers: { 200: t.Union([page, byCursor]) },
        permission: "read",
        query: listing,
        refuses: ["WORKFLOW_NOT_FOUND", "STEP_NOT_FOUND", "CONTACT_NOT_FOUND"],
        description:
          "Without filters, or with `status` alone, the answer is a page with a total. With `limit`, `cursor` or any other filter the list is read by cursor.",
      },
      async (reader, { params, query, caller: { workspace } }) => {
        const { seq: workflow } = await findWorkflow(reader, workspace, params.id);
        if (isPaged(query)) return pageOf(reader, { workflow, status: query.status ?? null }, query, versions);
        refuseUnfit(query);
        return listOf(reader, await filterOf(reader, { workspace, workflow }, query), query, versions);
      },
      "long",
    ),
  ]);
}

/** The form that the list had before its filters. */
function isPaged({ page: _, pageSize: __, status: ___, ...others }: ExecutionListQuery): boolean {
  return Object.values(others).every((value) => value === undefined);
}

/** @throws AppError INVALID_PARAMETERS */
function refuseUnfit({ page: number, pageSize, status, stepId, state, branch }: ExecutionListQuery): void {
  const wrong = (field: string, message: string) => ({ field, message, code: "conflict" });
  const pages = "A list with filters has no numbered pages: give limit and cursor.";
  const errors = [
    ...(number === undefined ? [] : [wrong("page", pages)]),
    ...(pageSize === undefined ? [] : [wrong("pageSize", pages)]),
    ...(status !== undefined && stepId !== undefined ? [wrong("status", "With stepId, give state instead.")] : []),
    ...(state !== undefined && !isStateOf(stepId, state)
      ? [wrong("state", stepId === undefined ? "This needs a stepId." : "Steps have no such number.")]
      : []),
    ...(state !== undefined && stepId === undefined && status !== undefined
      ? [wrong("status", "With state, no status.")]
      : []),
    ...(branch !== undefined && stepId === undefined ? [wrong("branch", "This needs a stepId.")] : []),
  ];
  if (errors.length > 0) throw invalidParameters(errors);
}

function isStateOf(stepId: string | undefined, state: string): boolean {
  return stepId === undefined ? state in TALLIES : (STATES as readonly string[]).includes(state);
}

type ExecutionOwner = { readonly workspace: number; readonly workflow: number };

/** @throws AppError STEP_NOT_FOUND, CONTACT_NOT_FOUND */
async function filterOf(
  reader: Reader,
  { workspace, workflow }: ExecutionOwner,
  query: ExecutionListQuery,
): Promise<PeopleFilter> {
  const { status = null, stepId, state, branch = null, contactId } = query;
  const step = stepId === undefined ? null : await findStep(reader, workflow, stepId);
  const contact = contactId === undefined ? null : (await findContact(reader, workspace, contactId)).seq;
  return {
    workflow,
    state: stepId === undefined ? "reached" : ((state ?? "reached") as StateAtStep),
    tally: stepId === undefined ? ((state ?? null) as StateInWorkflow | null) : null,
    branch,
    status,
    contact,
    step: step && { id: step.id, isTrigger: step.type === "TRIGGER" },
  };
}

async function listOf(
  reader: Reader,
  filter: PeopleFilter,
  { limit = DEFAULT_LIMIT, cursor }: ExecutionListQuery,
  versions: Versions,
) {
  const before = cursor === undefined ? null : keyInCursor(LIST, "number", cursor);
  const seqs = await executionsFound(reader, filter, { before, limit: limit + 1 });
  const shown = seqs.slice(0, limit);
  const data = await recordsOf(reader, await executionsNumbered(reader, shown), versions);
  const hasMore = seqs.length > limit;
  const last = shown.at(-1);
  return { data, executions: [...data], cursor: hasMore && last ? cursorOf(LIST, last) : null, hasMore };
}

type ExecutionListFilter = { readonly workflow: number; readonly status: PeopleFilter["status"] };

async function pageOf(reader: Reader, filter: ExecutionListFilter, query: ExecutionListQuery, versions: Versions) {
  const { data, ...rest } = await pageFrom(query, {
    total: () => countExecutions(reader, filter),
    items: async (...piece) => recordsOf(reader, await executionsPage(reader, filter, ...piece), versions),
  });
  return { data: [...data], executions: [...data], ...rest };
}

async function recordsOf(reader: Reader, executions: readonly ListedExecution[], versions: Versions) {
  const records: (typeof executionShape.static)[] = [];
  for (const execution of executions)
    records.push(executionRecord(execution, await versions.bySeq(reader, execution.version)));
  return records;
}
