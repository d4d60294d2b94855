// Renames a key of data for all contacts: a key that segments, conditions and emails cannot name becomes plain.
import { invalidField } from "../../base/errors.ts";
import type { ChangeAuthor } from "../../tenant/access/caller.ts";
import type { Tx } from "../../store/store.ts";
import { change } from "../../audience/contacts/contact.ts";
import { isPlainKey, plainKey } from "../../audience/contacts/plain-keys.ts";
import { isReserved, type Variables } from "../../audience/contacts/data.ts";
import { lockContactToChange, type Contact } from "../../audience/contacts/queries.ts";
import { searchFieldsOf } from "../../audience/contacts/search/search-queries.ts";
import { contactsInOrder, lastContact } from "../../audience/contacts/search/selection-queries.ts";
import type { JobError } from "./jobs/error-queries.ts";
import { openJob, type JobBatchResult } from "./jobs/job.ts";
import type { ContactJob, KeyRename } from "./jobs/queries.ts";

/** Contacts examined in one transaction, which should take about ten milliseconds. */
const CONTACTS_A_BATCH = 100;
const EVERYBODY = { filter: {}, inSegment: null, saying: null };

/** `to`: null = the plain form of `from`. @throws AppError VALIDATION_ERROR on `from` and `to` */
export function renamingIn(from: string, to: string | null): Pick<KeyRename, "from" | "to"> {
  if (isPlainKey(from)) throw invalidField("from", `${from} is plain already.`, "invalid_value");
  const key = to ?? plainKey(from);
  if (!isPlainKey(key) || isReserved(key))
    throw invalidField("to", "A key consists of letters, digits, _ and -, and begins with a letter.", "invalid_value");
  return { from, to: key };
}

type RenameJob = Pick<KeyRename, "from" | "to"> & { readonly total: number; readonly madeBy: ChangeAuthor };

/** @throws AppError CONFLICT if the workspace has too many unfinished jobs */
export async function openRenaming(tx: Tx, workspace: number, { total, madeBy, ...keys }: RenameJob): Promise<string> {
  const selection: KeyRename = { ...keys, lastSeq: await lastContact(tx, workspace) };
  return (await openJob(tx, { workspace, operation: "RENAME", status: "PENDING", selection, total, madeBy })).id;
}

/** Processes the next contacts. `updated` counts contacts that had the key. */
export async function renameBatch(tx: Tx, job: ContactJob): Promise<JobBatchResult> {
  const { from, to, lastSeq } = job.selection as KeyRename;
  const range = { after: job.position, upTo: lastSeq, ...EVERYBODY };
  const seen = await contactsInOrder(tx, job.workspace, range, CONTACTS_A_BATCH);
  const having = seen.filter(({ data }) => Object.hasOwn(data, from));
  const locked = await Promise.all(having.map(({ seq }) => lockContactToChange(tx, seq)));
  const those = locked.flatMap((one) => (one && Object.hasOwn(one.data, from) ? one : []));
  const [refused, others] = [
    those.filter((one) => isOther(one, from, to)),
    those.filter((one) => !isOther(one, from, to)),
  ];
  const searchFields = others.length === 0 ? [] : await searchFieldsOf(tx, job.workspace);
  const act = { cause: job.id };
  await Promise.all(
    others.map((contact) =>
      change(
        tx,
        job.workspace,
        { contact, data: renamed(contact.data, from, to), subscribed: null, searchFields },
        act,
      ),
    ),
  );
  const errors = refused.map(({ seq, id }): JobError => ({
    place: seq,
    about: id,
    error: `Has another value in ${to}.`,
  }));
  return {
    position: seen.at(-1)?.seq ?? lastSeq,
    processed: seen.length,
    created: 0,
    updated: others.length,
    errors,
    isLast: seen.length < CONTACTS_A_BATCH,
  };
}

/** True if the contact has another value under the new key: both keys stay. */
function isOther({ data }: Contact, from: string, to: string): boolean {
  const there = Object.hasOwn(data, to) ? data[to] : null;
  return there !== null && there !== "" && JSON.stringify(there) !== JSON.stringify(data[from]);
}

function renamed(data: Variables, from: string, to: string): Variables {
  const entries = Object.entries(data).filter(([key]) => key !== to);
  return Object.fromEntries(entries.map(([key, value]) => [key === from ? to : key, value]));
}
