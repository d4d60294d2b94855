// An import or a bulk job in the API.
import { COMMAND_LINE } from "../../../tenant/access/caller.ts";
import { t } from "elysia";
import { iso } from "../../../base/clock.ts";
import { countShape, idShape, nullable, oneOf, timeShape } from "../../../http/answer-shapes.ts";
import { COLUMN_TYPES } from "../../../audience/csv/cell.ts";
import { placeIn } from "../../../audience/csv/packed/files.ts";
import { UNDONE_WITHIN_MS } from "../imported.ts";
import { WARNING_REASONS } from "../terms.ts";
import type { JobError } from "./error-queries.ts";
import type { ContactJob, JobStatus, JobOperation } from "./queries.ts";

const statusShape = oneOf("PENDING", "PROCESSING", "COMPLETED", "FAILED");

export const stateFields = {
  id: idShape,
  status: statusShape,
  progress: t.Number({ minimum: 0, maximum: 100, multipleOf: 1 }),
  failedReason: nullable(t.String()),
  createdAt: timeShape,
};

const warningShape = t.Object({
  field: t.String(),
  message: t.String(),
  reason: t.Optional({
    ...oneOf(...WARNING_REASONS),
    description:
      "`plain_key`: a column's name became a plain key. `no_plain_key`: one is not plain. `left_out`: a file of an archive is not read.",
  }),
});

export const warningsShape = t.Array(warningShape, {
  description:
    "The file is not UTF-8, a file of an archive is left out, a key of data gets another type than contacts have so far, a column names a topic that does not exist, or its name is not plain.",
});

export const formatShape = oneOf(...COLUMN_TYPES);

export const rowFields = {
  row: countShape,
  file: t.Optional(t.String({ description: "The file of an archive that has the row." })),
};

export const skippedShape = t.Array(
  t.Object({ ...rowFields, email: t.String(), field: t.String(), type: formatShape, cell: t.String() }),
  {
    description:
      "The first 1000 cells that do not fit the type chosen for their column; rows are imported without them.",
  },
);

const importFields = {
  ...stateFields,
  undoableUntil: { ...timeShape, description: "Until then the import can be undone, and its contacts be listed." },
  fileName: nullable(t.String()),
  by: t.Object(
    { kind: oneOf("PERSON", "KEY", "COMMAND_LINE"), id: nullable(idShape), name: nullable(t.String()) },
    { description: "Who began the import." },
  ),
  undo: nullable(
    t.Object(
      { jobId: idShape, status: statusShape },
      { description: "The job that undoes the import, or has undone it." },
    ),
  ),
};

const countFields = {
  totalRows: countShape,
  createdCount: countShape,
  updatedCount: countShape,
  repeatedCount: {
    ...countShape,
    description: "Of those updated: rows whose address came before in the file. Each contact is listed once.",
  },
  failureCount: countShape,
};

/** Omits the failed rows. */
export const listedImportShape = t.Object(
  { ...importFields, result: t.Object({ ...countFields, skippedCellCount: countShape }) },
  { title: "ListedImport" },
);

export const importShape = t.Object(
  {
    ...importFields,
    result: t.Object({
      ...countFields,
      errors: t.Array(t.Object({ ...rowFields, email: t.String(), error: t.String() })),
      skippedCellCount: countShape,
      skippedCells: skippedShape,
      warnings: warningsShape,
    }),
  },
  { title: "Import" },
);

export const openedShape = t.Object({ jobId: idShape });

export const bulkShape = t.Object(
  {
    ...stateFields,
    result: t.Object({
      operation: oneOf("subscribe", "unsubscribe", "topics", "join", "leave", "delete", "undo", "rename", "merge"),
      totalRequested: countShape,
      successCount: countShape,
      failureCount: countShape,
      errors: t.Array(t.Object({ contactId: t.String(), error: t.String() })),
    }),
  },
  { title: "BulkJob" },
);

type Statuses = ReadonlyMap<string, JobStatus>;

/** `undoing`: the statuses of the jobs that undo imports. */
export function listedImportRecord(job: ContactJob, undoing: Statuses): typeof listedImportShape.static {
  const status = job.undoneBy === null ? undefined : undoing.get(job.undoneBy);
  return {
    ...stateOf(job),
    undoableUntil: iso(Date.parse(job.createdAt) + UNDONE_WITHIN_MS),
    fileName: job.fileName,
    by: job.madeBy ?? COMMAND_LINE,
    undo: job.undoneBy !== null && status ? { jobId: job.undoneBy, status: accepted(status) } : null,
    result: {
      totalRows: job.total,
      createdCount: job.created,
      updatedCount: job.updated,
      repeatedCount: job.repeated,
      failureCount: job.failed,
      skippedCellCount: job.skipped,
    },
  };
}

export function importRecord(
  job: ContactJob,
  errors: readonly JobError[],
  undoing: Statuses,
): typeof importShape.static {
  const listed = listedImportRecord(job, undoing);
  const terms = job.selection && "warnings" in job.selection ? job.selection : null;
  const placed = (row: number) => placeIn(terms?.files ?? [], row);
  return {
    ...listed,
    result: {
      ...listed.result,
      errors: errors.flatMap(({ place, about, error, cells }) =>
        cells ? [] : { ...placed(place), email: about, error },
      ),
      skippedCells: errors.flatMap(({ place, about, cells = [] }) =>
        cells.map((cell) => ({ ...placed(place), email: about, ...cell })),
      ),
      warnings: [...(terms?.warnings ?? [])],
    },
  };
}

export function bulkRecord(job: ContactJob, errors: readonly JobError[]): typeof bulkShape.static {
  return {
    ...stateOf(job),
    result: {
      operation: job.operation.toLowerCase() as Lowercase<Exclude<JobOperation, "IMPORT" | "SUPPRESS">>,
      totalRequested: job.total,
      successCount: job.created + job.updated,
      failureCount: job.failed,
      errors: errors.map(({ about, error }) => ({ contactId: about, error })),
    },
  };
}

export function stateOf({ id, status, total, processed, failure, createdAt }: ContactJob) {
  const done = total === 0 ? 0 : Math.min(99, Math.floor((100 * processed) / total));
  return {
    id,
    status: accepted(status),
    progress: status === "COMPLETED" ? 100 : done,
    failedReason: failure,
    createdAt,
  };
}

function accepted(status: JobStatus): typeof statusShape.static {
  if (status === "STAGING" || status === "ABANDONED") throw new Error("This job was not accepted.");
  return status;
}
