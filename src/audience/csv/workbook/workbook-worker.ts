// The thread that reads one workbook: it answers a batch of rows at a time, so that it is never far ahead.
import { lowerThreadPriority } from "../../../base/jobs/thread-priority.ts";
import { carryOutWhatIsAsked } from "../../../base/jobs/worker-side.ts";
import type { CsvRecord } from "../syntax.ts";
import { rowsOf } from "./workbook.ts";

export type WorkbookRequest =
  { readonly kind: "open" } | { readonly kind: "take"; readonly bytes: Uint8Array } | { readonly kind: "next" };

let rows: AsyncGenerator<readonly CsvRecord[]> | null = null;

carryOutWhatIsAsked<WorkbookRequest>(async (request) => {
  if (request.kind === "next") return (await rows?.next())?.value ?? null;
  if (request.kind === "take") rows = rowsOf(request.bytes);
  else lowerThreadPriority();
  return null;
});
