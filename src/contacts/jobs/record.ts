// A job as the interface shows it (interface-gaps.md §3).
import { t } from "elysia";
import { countShape, idShape, nullable, oneOf } from "../../http/answer-shapes.ts";
import type { JobError, JobRow } from "./queries.ts";

const stateFields = {
  id: idShape,
  status: oneOf("PENDING", "PROCESSING", "COMPLETED", "FAILED"),
  progress: t.Number({ minimum: 0, maximum: 100, multipleOf: 1 }),
  failedReason: nullable(t.String()),
};

export const importShape = t.Object(
  {
    ...stateFields,
    result: t.Object({
      totalRows: countShape,
      createdCount: countShape,
      updatedCount: countShape,
      failureCount: countShape,
      errors: t.Array(t.Object({ row: countShape, email: t.String(), error: t.String() })),
    }),
  },
  { title: "Import" },
);

export const bulkShape = t.Object(
  {
    ...stateFields,
    result: t.Object({
      operation: oneOf("subscribe", "unsubscribe", "delete"),
      totalRequested: countShape,
      successCount: countShape,
      failureCount: countShape,
      errors: t.Array(t.Object({ contactId: t.String(), error: t.String() })),
    }),
  },
  { title: "BulkJob" },
);

export function importRecord(job: JobRow, errors: readonly JobError[]): typeof importShape.static {
  return {
    ...state(job),
    result: {
      totalRows: job.total,
      createdCount: job.created,
      updatedCount: job.updated,
      failureCount: job.failed,
      errors: errors.map(({ place, about, error }) => ({ row: place, email: about, error })),
    },
  };
}

export function bulkRecord(job: JobRow, errors: readonly JobError[]): typeof bulkShape.static {
  return {
    ...state(job),
    result: {
      operation: job.operation.toLowerCase() as "subscribe" | "unsubscribe" | "delete",
      totalRequested: job.total,
      successCount: job.updated,
      failureCount: job.failed,
      errors: errors.map(({ about, error }) => ({ contactId: about, error })),
    },
  };
}

function state({ id, status, total, processed, failure }: JobRow) {
  if (status === "STAGING" || status === "ABANDONED") throw new Error("Nobody has been told of this job.");
  const done = total === 0 ? 0 : Math.min(99, Math.floor((100 * processed) / total));
  return { id, status, progress: status === "COMPLETED" ? 100 : done, failedReason: failure };
}
