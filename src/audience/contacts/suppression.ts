// Contacts and suppressions: what a new contact finds suppressed, and what stays of an erased person, as keyed hashes of
// the address: a suppressed one stays so, and a file accepted before the erasure brings nobody back.
import { namesOneOf } from "../../base/addresses.ts";
import type { ConsentAct } from "../consent/consent.ts";
import type { Store, Tx } from "../../store/store.ts";
import type { SuppressionReason, Suppression } from "../suppressions/queries.ts";
import { hashErased, takeOver } from "../suppressions/erased.ts";
import { lift, scopeOf, suppress } from "../suppressions/suppression.ts";
import { standingOf } from "../suppressions/standing.ts";
import { tellSuppression } from "../suppressions/in-step.ts";
import type { Contact, ReturnReason } from "./queries.ts";
import { rulesForContacts } from "./search-queries.ts";
import {
  deleteError,
  deleteErrorsAbout,
  erasedSince,
  forgetSelectionsWith,
  errorsWithAddresses,
  hasErasedSince,
  insertErasedBeforeImport,
} from "./suppression-queries.ts";

/** `cause`: who erases. */
export type Erasure = Pick<ConsentAct, "cause"> & {
  /**
   * A job erases the contact. Files that wait behind the job were accepted after it, so they may bring the person back.
   */
  readonly byJob?: boolean;
};

/** Part of erasing a contact: keeps the hashes, and forgets what jobs reported about the person. */
export async function rememberErased(
  tx: Tx,
  workspace: number,
  { id, email }: Contact,
  { byJob = false }: Erasure,
): Promise<void> {
  await hashErased(tx, workspace, email);
  if (!byJob) await insertErasedBeforeImport(tx, workspace, tx.keyedHash(email));
  await deleteErrorsAbout(tx, workspace, [email, id]);
  await forgetSelectionsWith(tx, workspace, email);
}

/** What jobs reported of cells that name somebody among other words. */
export async function forgetErrorsNaming(tx: Tx, workspace: number, emails: readonly string[]): Promise<void> {
  for (const one of await errorsWithAddresses(tx, workspace))
    if (namesOneOf(one.about, emails) || namesOneOf(one.error, emails)) await deleteError(tx, one);
}

type OwnSuppressions = {
  readonly own: readonly Suppression[];
  /** Of these, those that are lifted as a secret key subscribes the contact. */
  readonly lifted: readonly Suppression[];
  readonly act: ConsentAct;
};

/**
 * What a new contact's address is suppressed by becomes the contact's own: the hash of an erased person is an address
 * again.
 */
export async function settleOwn(
  tx: Tx,
  workspace: number,
  contact: Contact,
  { own, lifted, act }: OwnSuppressions,
): Promise<void> {
  const { email, suppressed } = contact;
  await lift(tx, workspace, lifted, act);
  const stays = own.filter((one) => !lifted.includes(one));
  if (stays[0]?.kind === "hash") {
    await takeOver(tx, workspace, [email]);
    for (const one of stays) {
      const back = { ...one, reason: one.former ?? one.reason, kind: "address", target: email } as const;
      await tellSuppression(tx, { workspace, contact, act, isAdded: true }, back);
    }
  }
  const isReturned = suppressed === "bounce" || suppressed === "complaint";
  if (isReturned && reasonIn(stays) !== suppressed)
    await suppressReturned(tx, workspace, email, { ...act, reason: suppressed });
}

/** As a hard bounce or a complaint does. */
export async function suppressReturned(
  tx: Tx,
  workspace: number,
  email: string,
  { reason, ...act }: ConsentAct & { readonly reason: ReturnReason },
): Promise<void> {
  await suppress(tx, workspace, { target: email, reason, scope: await scopeOf(tx, workspace, reason) }, act);
}

/** Why a new contact would be suppressed. */
export function reasonIn([strongest]: readonly Suppression[]): SuppressionReason | null {
  return strongest ? (strongest.former ?? strongest.reason) : null;
}

/** Why addresses are suppressed. */
export async function reasonsOf(
  store: Store,
  workspace: number,
  emails: readonly string[],
): Promise<ReadonlyMap<string, SuppressionReason>> {
  const { someSuppressed } = await store.read((reader) => rulesForContacts(reader, workspace));
  if (!someSuppressed || emails.length === 0) return new Map();
  // Only a transaction that may write knows the key of the hashes.
  const standings = await store.write((tx) => Promise.all(emails.map((email) => standingOf(tx, { workspace, email }))));
  return new Map(
    standings.flatMap(({ own }, index): [string, SuppressionReason][] => {
      const reason = reasonIn(own);
      return reason === null ? [] : [[emails[index] as string, reason]];
    }),
  );
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
