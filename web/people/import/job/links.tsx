// Links from the numbers of an import to the records that they count.
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { ImportJob, ListedImport } from "../../calls.ts";
import { isOver } from "../calls.ts";

type Job = ListedImport | ImportJob;
type CountProps = { readonly job: Job; readonly children: ReactNode };

/** A link to contacts that were added or existed before; without one if there are none or they are not known. */
export function Imported({ job, imported, children }: CountProps & { readonly imported: "ADDED" | "FOUND" }) {
  if (!knowsContacts(job) || countOf(job)[imported] === 0) return children;
  return (
    <Link to="/people" search={{ importId: job.id, imported }} className="opens">
      {children}
    </Link>
  );
}

/** The numbers of added and existing contacts. */
export function countOf({ result: { createdCount, updatedCount, repeatedCount } }: Job) {
  return { ADDED: createdCount, FOUND: updatedCount - repeatedCount };
}

const INVALID_ROWS = "invalid-rows";

/** A link to the invalid rows on the import's screen. */
export function Invalid({ job, children }: CountProps) {
  return (
    <Link to="/people/import" search={{ job: job.id }} hash={INVALID_ROWS} className="opens">
      {children}
    </Link>
  );
}

/** Props for the element with these rows. It loads after the page, so the browser does not scroll to it by itself. */
export const invalidRows = {
  id: INVALID_ROWS,
  ref: (part: HTMLElement | null) => {
    if (location.hash === `#${INVALID_ROWS}`) part?.scrollIntoView();
  },
};

/** The contacts of an import are known for seven days, unless it is undone. */
export function knowsContacts(job: Job): boolean {
  return isOver(job) && !isUndone(job) && isUndoable(job);
}

/** Also while the undo runs. */
function isUndone({ undo }: Pick<ListedImport, "undo">): boolean {
  return undo !== null && undo.status !== "FAILED";
}

function isUndoable({ undoableUntil }: Pick<ListedImport, "undoableUntil">): boolean {
  return Date.parse(undoableUntil) > Date.now();
}
