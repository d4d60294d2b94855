// What stays of an erased person, as keyed hashes of the address: an address that bounced or complained stays
// suppressed, and a file accepted before the erasure brings nobody back.
import { namesOneOf } from "../addresses.ts";
import type { Act } from "../consent/consent.ts";
import { loader } from "../store/loads.ts";
import type { Store, Tx } from "../store/store.ts";
import { nameOf, type Contact, type Place, type Reason } from "./queries.ts";
import {
  deleteError,
  deleteErrorsAbout,
  erasedSince,
  forgetSelectionsWith,
  errorsWithAddresses,
  hasErasedSince,
  hasSuppressions,
  insertErasedBeforeImport,
  insertSuppression,
  suppressionsAmong,
  takeSuppressions,
} from "./suppression-queries.ts";

/** `cause`: who erases. */
export type Erasure = Pick<Act, "cause"> & {
  /**
   * A job erases the contact. Files that wait behind the job were accepted after it, so they may bring the person back.
   */
  readonly byJob?: boolean;
};

/** Part of erasing a contact: keeps the hashes, and forgets what jobs reported about the person. */
export async function rememberErased(
  tx: Tx,
  workspace: number,
  { id, email, suppressed }: Contact,
  { byJob = false }: Erasure,
): Promise<void> {
  const hash = tx.keyedHash(email);
  if (suppressed !== null) await insertSuppression(tx, workspace, hash, suppressed);
  if (!byJob) await insertErasedBeforeImport(tx, workspace, hash);
  await deleteErrorsAbout(tx, workspace, [email, id]);
  await forgetSelectionsWith(tx, workspace, email);
}

/** What jobs reported of cells that name somebody among other words. */
export async function forgetErrorsNaming(tx: Tx, workspace: number, emails: readonly string[]): Promise<void> {
  for (const one of await errorsWithAddresses(tx, workspace))
    if (namesOneOf(one.about, emails) || namesOneOf(one.error, emails)) await deleteError(tx, one);
}

/** Why an address is suppressed; null = it is not. From now on the contact to be created holds that itself. */
export const takeReason = loader<Place, Reason | null>({
  stage: "take",
  name: nameOf,
  ask: async (tx, places) => {
    const reasons = new Map<string, Reason>();
    const hashOf = ({ workspace, email }: Place) => `${workspace} ${tx.keyedHash(email)}`;
    for (const [workspace, theirs] of Map.groupBy(places, (place) => place.workspace)) {
      const hashes = theirs.map(({ email }) => tx.keyedHash(email));
      for (const { hash, reason } of await takeSuppressions(tx, workspace, hashes))
        reasons.set(`${workspace} ${hash}`, reason);
    }
    return places.map((place) => reasons.get(hashOf(place)) ?? null);
  },
});

/** As `takeReason`, of several, but nothing changes. */
export async function reasonsOf(
  store: Store,
  workspace: number,
  emails: readonly string[],
): Promise<ReadonlyMap<string, Reason>> {
  if (!(await store.read((reader) => hasSuppressions(reader, workspace)))) return new Map();
  // Only a transaction that may write knows the key of the hashes.
  return store.write(async (tx) => {
    const byHash = new Map(emails.map((email) => [tx.keyedHash(email), email]));
    const found = await suppressionsAmong(tx, workspace, [...byHash.keys()]);
    return new Map(found.map(({ hash, reason }) => [byHash.get(hash) as string, reason]));
  });
}

/** Those of these addresses whose people were erased at `since` or later. */
export async function erasedAmong(
  tx: Tx,
  workspace: number,
  emails: readonly string[],
  since: string,
): Promise<ReadonlySet<string>> {
  if (emails.length === 0 || !(await hasErasedSince(tx, workspace, since))) return new Set();
  const byHash = new Map(emails.map((email) => [tx.keyedHash(email), email]));
  const erased = await erasedSince(tx, workspace, [...byHash.keys()], since);
  return new Set(erased.map((hash) => byHash.get(hash) as string));
}
