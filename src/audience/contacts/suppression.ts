// Contacts and suppressions: the suppressions that a new contact meets, and the keyed hashes of an erased person's
// address, which keep a suppressed address suppressed and keep files accepted before the erasure from bringing the
// person back.
import type { ConsentAct } from "../consent/consent.ts";
import type { Store, Tx } from "../../store/store.ts";
import type { SuppressionReason, Suppression } from "../suppressions/queries.ts";
import { hashErased, takeOver } from "../suppressions/erased.ts";
import { lift, scopeOf, suppress } from "../suppressions/suppression.ts";
import { standingOf } from "../suppressions/standing.ts";
import { tellSuppression } from "../suppressions/in-step.ts";
import type { Contact, ReturnReason } from "./queries.ts";
import { rulesForContacts } from "./search/search-queries.ts";
import { erasedSince, hasErasedSince, insertErasedBeforeImport } from "./suppression-queries.ts";

/** `cause`: the author of the erasure. */
export type Erasure = Pick<ConsentAct, "cause"> & {
  /**
   * A job erases the contact. Files that wait behind the job were accepted after it, so they may bring the person back.
   */
  readonly byJob?: boolean;
};

/** Part of erasing a contact: keeps the hashes of an address. */
export async function rememberErased(
  tx: Tx,
  workspace: number,
  email: string,
  { byJob = false }: Erasure,
): Promise<void> {
  await hashErased(tx, workspace, email);
  if (!byJob) await insertErasedBeforeImport(tx, workspace, tx.keyedHash(email));
}

type OwnSuppressions = {
  readonly own: readonly Suppression[];
  /** The suppressions that a subscription lifts. */
  readonly lifted: readonly Suppression[];
  readonly act: ConsentAct;
};

/**
 * Moves the suppressions of a new contact's address to the contact; the hash of an erased person is an address again.
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

/** Suppresses the address after a hard bounce or a complaint. */
export async function suppressReturned(
  tx: Tx,
  workspace: number,
  email: string,
  { reason, ...act }: ConsentAct & { readonly reason: ReturnReason },
): Promise<void> {
  await suppress(tx, workspace, { target: email, reason, scope: await scopeOf(tx, workspace, reason) }, act);
}

/** The reason for which a new contact would be suppressed. */
export function reasonIn([strongest]: readonly Suppression[]): SuppressionReason | null {
  return strongest ? (strongest.former ?? strongest.reason) : null;
}

/** The reasons for which addresses are suppressed. */
export async function reasonsOf(
  store: Store,
  workspace: number,
  emails: readonly string[],
): Promise<ReadonlyMap<string, SuppressionReason>> {
  const { someSuppressed } = await store.read((reader) => rulesForContacts(reader, workspace));
  if (!someSuppressed || emails.length === 0) return new Map();
  // The key of the hashes is available only to a transaction that may write.
  const standings = await store.write((tx) => Promise.all(emails.map((email) => standingOf(tx, { workspace, email }))));
  return new Map(
    standings.flatMap(({ own }, index): [string, SuppressionReason][] => {
      const reason = reasonIn(own);
      return reason === null ? [] : [[emails[index] as string, reason]];
    }),
  );
}

/** The addresses of people who were erased at or after `since`. */
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
