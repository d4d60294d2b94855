// From the numbers of an import to what they count.
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { ImportJob, ListedImport } from "../calls.ts";
import { isOver } from "./calls.ts";

type Job = ListedImport | ImportJob;
type CountProps = { readonly job: Job; readonly children: ReactNode };

/** To the contacts that it added, or that existed before; no link where there are none, or they are not known. */
export function Imported({ job, imported, children }: CountProps & { readonly imported: "ADDED" | "FOUND" }) {
  if (!knowsContacts(job) || countOf(job)[imported] === 0) return children;
  return (
    <Link to="/people" search={{ importId: job.id, imported }} className="opens">
      {children}
    </Link>
  );
}

/** How many contacts. */
export function countOf({ result: { createdCount, updatedCount, repeatedCount } }: Job) {
  return { ADDED: createdCount, FOUND: updatedCount - repeatedCount };
}

const INVALID_ROWS = "invalid-rows";

/** Leads to the rows of its screen that could not be imported. */
export function Invalid({ job, children }: CountProps) {
  return (
    <Link to="/people/import" search={{ job: job.id }} hash={INVALID_ROWS} className="opens">
      {children}
    </Link>
  );
}

/** For the part of the screen that lists those rows: it comes after the page, so the browser has not found it. */
export const invalidRows = {
  id: INVALID_ROWS,
  ref: (part: HTMLElement | null) => {
    if (location.hash === `#${INVALID_ROWS}`) part?.scrollIntoView();
  },
};

/** Whom it added and found is known for seven days, and until it is undone. */
export function knowsContacts(job: Job): boolean {
  return isOver(job) && !isUndone(job) && isUndoable(job);
}

/** Or is being undone. */
function isUndone({ undo }: Pick<ListedImport, "undo">): boolean {
  return undo !== null && undo.status !== "FAILED";
}

function isUndoable({ undoableUntil }: Pick<ListedImport, "undoableUntil">): boolean {
  return Date.parse(undoableUntil) > Date.now();
}
