// The last editor of a record, and the check that a change does not overwrite a later one.
import { laterThan, MINUTE_MS } from "../../base/clock.ts";
import { AppError, invalidField } from "../../base/errors.ts";
import type { Tx } from "../../store/store.ts";
import type { ChangeAuthor } from "./caller.ts";

/** The terms of a change, besides its fields. */
export type SaveTerms = {
  /** The author of the change. */
  readonly by?: ChangeAuthor;
  /** When the version that the caller has seen was saved; null = any version is overwritten. */
  readonly ifUpdatedAt?: string | null | undefined;
};

type SaveStamp = {
  readonly updatedAt: string;
  /** Null: saved by this server itself. Undefined: it is not kept. */
  readonly updatedBy?: ChangeAuthor | null;
};

/** `before` is locked. @throws AppError CONFLICT, VALIDATION_ERROR if the time is invalid */
export function refuseSavedSince(tx: Tx, before: SaveStamp, { ifUpdatedAt }: SaveTerms): void {
  if (ifUpdatedAt === undefined || ifUpdatedAt === null) return;
  const seenMs = Date.parse(ifUpdatedAt);
  if (Number.isNaN(seenMs))
    throw invalidField(
      "ifUpdatedAt",
      "This is not an ISO 8601 date-time, such as the updatedAt that you have read: 2026-12-24T09:30:00.000Z.",
      "invalid_date",
    );
  if (seenMs !== Date.parse(before.updatedAt)) throw savedSince(tx, before);
}

/** The time of a change of `before`: each has its own time, even within a millisecond or if the clock goes back. */
export function timeOfSaving(tx: Tx, { updatedAt }: Pick<SaveStamp, "updatedAt">): string {
  return laterThan(tx.nowMs, updatedAt);
}

function savedSince(tx: Tx, { updatedAt, updatedBy }: SaveStamp): AppError {
  const name = updatedBy?.name ?? "";
  const minutes = Math.round((tx.nowMs - Date.parse(updatedAt)) / MINUTE_MS);
  const ago = minutes < 1 ? "just now" : `${minutes} min ago`;
  return new AppError("CONFLICT", `${name || "Somebody"} saved this ${ago}, after you had read it.`, {
    reason: "saved_since",
    values: { name, at: updatedAt },
    suggestion: "Read it again, and put your change onto it; or leave out ifUpdatedAt to overwrite it.",
  });
}
