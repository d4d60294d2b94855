// The thread that reads one workbook or archive: it answers a batch of rows at a time, so that it is never far ahead.
import { lowerThreadPriority } from "../../../base/jobs/thread-priority.ts";
import { carryOutWhatIsAsked } from "../../../base/jobs/worker-side.ts";
import type { CsvEncoding } from "../records.ts";
import type { CsvRecord } from "../syntax.ts";
import { rowsOf } from "../workbook/workbook.ts";
import { Archive, isArchive } from "./archive.ts";

/** `mayBeArchive`: else archives are workbooks. `encoding`: of the CSV files in an archive; null = it is detected. */
export type PackedRequest =
  | { readonly kind: "open" }
  | {
      readonly kind: "take";
      readonly bytes: Uint8Array;
      readonly mayBeArchive: boolean;
      readonly encoding: CsvEncoding | null;
    }
  | { readonly kind: "next" }
  | { readonly kind: "files" };

let rows: AsyncGenerator<readonly CsvRecord[]> | null = null;
let archive: Archive | null = null;

carryOutWhatIsAsked<PackedRequest>(async (request) => {
  if (request.kind === "next") return (await rows?.next())?.value ?? null;
  if (request.kind === "files") return archive?.files ?? [];
  if (request.kind === "open") lowerThreadPriority();
  else if (request.mayBeArchive && isArchive(request.bytes)) {
    archive = new Archive(request.bytes, request.encoding);
    rows = archive.records();
  } else rows = rowsOf(request.bytes);
  return null;
});
