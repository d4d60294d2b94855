// Saves a form without overwriting changes that others have saved since it was opened: the author chooses a version.
import { useState } from "react";
import { Fault } from "../calls/api.ts";
import { choice, type SavedVersion, type VersionSide } from "./asked-choice.ts";
import { differencesBetween, isOverwritten } from "./differences.ts";

type SaveAttempt<Row extends SavedVersion> = {
  /** The record as it was when the form was opened. */
  readonly seen: Row;
  /** The values to save, by the record's field names. */
  readonly mine: object;
  readonly send: (ifUpdatedAt: string | null) => Promise<Row>;
  readonly load: () => Promise<Row>;
  /** For records that also change otherwise: only a changed field of `mine` is a conflict. */
  readonly compares?: "mine";
};

/** `isMine`: `mine` was saved; false = the author kept the other version. */
export type SaveResult<Row> = { readonly row: Row; readonly isMine: boolean };

/** @throws Fault as `send`; `saved_since` if the author has not chosen */
export async function savedOver<Row extends SavedVersion>(
  saving: SaveAttempt<Row>,
  seen = saving.seen,
): Promise<SaveResult<Row>> {
  try {
    return { row: await saving.send(seen.updatedAt ?? null), isMine: true };
  } catch (error) {
    if (!isSavedSince(error)) throw error;
    const theirs = await saving.load();
    const whose = isLoss(saving, theirs) ? await ask(theirs, saving.mine) : "mine";
    if (whose === null) throw error;
    return whose === "theirs" ? { row: theirs, isMine: false } : savedOver(saving, theirs);
  }
}

function isLoss<Row extends SavedVersion>({ seen, mine, compares }: SaveAttempt<Row>, theirs: Row): boolean {
  return compares === "mine" ? isOverwritten(seen, theirs, mine) : differencesBetween(theirs, mine).length > 0;
}

function ask(theirs: SavedVersion, mine: object): Promise<VersionSide> {
  const { promise, resolve } = Promise.withResolvers<VersionSide>();
  choice.get()?.answer(null);
  choice.set({
    theirs,
    mine,
    answer: (whose) => {
      choice.set(null);
      resolve(whose);
    },
  });
  return promise;
}

export function isSavedSince(error: unknown): boolean {
  return error instanceof Fault && error.why.reason === "saved_since";
}

/** The version that a form was opened with. A newer one replaces it only while the form is unchanged. */
export function useSeen<Row extends SavedVersion>(row: Row, isChanged = true): Row {
  const [seen, see] = useState(row);
  const isNewer = (row.updatedAt ?? "") > (seen.updatedAt ?? "");
  if (isChanged || !isNewer) return seen;
  see(row);
  return row;
}
