// Deletes what jobs keep about people who are erased.
import { namesOneOf } from "../../../base/addresses.ts";
import type { Tx } from "../../../store/store.ts";
import type { ErasedNames } from "../../../store/table.ts";
import { deleteError, deleteErrorsAbout, errorsWithAddresses, forgetSelectionsWith } from "./forgetting-queries.ts";

/** Deletes what jobs reported about people, also where their cells contain one of the addresses among other words. */
export async function forgetErrorsNaming(tx: Tx, workspace: number, { ids, emails }: ErasedNames): Promise<void> {
  await deleteErrorsAbout(tx, workspace, [...emails, ...ids]);
  for (const one of await errorsWithAddresses(tx, workspace))
    if (namesOneOf(one.about, emails) || namesOneOf(one.error, emails)) await deleteError(tx, one);
}

export async function forgetSelectionsNaming(tx: Tx, workspace: number, { emails }: ErasedNames): Promise<void> {
  for (const email of emails) await forgetSelectionsWith(tx, workspace, email);
}
