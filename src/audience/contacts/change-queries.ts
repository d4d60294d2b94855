// The SQL that creates and changes contacts. Statements that set a flag also keep the counts (count-queries.ts).
import { loader } from "../../store/loads.ts";
import { changing, insertion } from "../../store/row-statement.ts";
import { sql, type Sql } from "../../store/sql.ts";
import type { Tx } from "../../store/store.ts";
import { NO_CHOICES } from "../topics/choice.ts";
import { addToCounts } from "./count-queries.ts";
import type { WorkspaceAddress } from "../suppressions/standing.ts";
import { CONTACT, contactIn, PRESENT, type Contact } from "./queries.ts";

export type NewContact = Omit<Contact, "seq" | "topics" | "pausedUntil" | "expiresAt" | "createdAt" | "updatedAt"> &
  WorkspaceAddress & {
    readonly cause: string | null;
    /** The text that a search covers. */
    readonly sought: string;
  };

/** Leaves out contacts whose address another transaction has taken at the same moment. */
const CONTACTS = insertion(
  "contacts",
  {
    id: "text",
    workspace: "bigint",
    email: "text",
    subscribed: "smallint",
    status: "text",
    suppressed: "text",
    data: "json",
    cause: "text",
    sought: "text",
    created_at: "text",
    updated_at: "text",
  },
  "on conflict (workspace, email) do nothing returning seq, email",
);

/** In their order; null where another transaction has created the contact at the same moment. */
export async function insertContacts(
  tx: Tx,
  workspace: number,
  contacts: readonly NewContact[],
): Promise<(Contact | null)[]> {
  const rows = contacts.map(({ id, email, subscribed, status, suppressed, data, cause, sought }) => [
    id,
    workspace,
    email,
    subscribed ? 1 : 0,
    status,
    suppressed,
    JSON.stringify(data),
    cause,
    sought,
    tx.now,
    tx.now,
  ]);
  const made = await tx.runEach<Pick<Contact, "seq" | "email">>(CONTACTS, rows);
  const seqs = new Map(made.map(({ seq, email }) => [email, seq]));
  const created = contacts.map((contact) => createdContact(tx.now, contact, seqs.get(contact.email)));
  const subscribed = created.filter((contact) => contact?.subscribed).length;
  if (made.length > 0) tx.deferred(addToCounts(tx, workspace, { total: made.length, subscribed }));
  return created;
}

function createdContact(at: string, contact: NewContact, seq: number | undefined): Contact | null {
  if (seq === undefined) return null;
  const { id, email, subscribed, status, suppressed, data } = contact;
  const unset = { topics: NO_CHOICES, pausedUntil: null, expiresAt: null };
  return { seq, id, email, subscribed, status, suppressed, data, ...unset, createdAt: at, updatedAt: at };
}

const DATA = changing(
  "contacts",
  { seq: "bigint", data: "json", sought: "text", now: "text" },
  ({ seq, data, sought, now }) => ({
    set: `data = ${data}, sought = ${sought}, updated_at = ${now}`,
    where: `contacts.seq = ${seq}`,
    returning: "contacts.seq",
  }),
);

type NewData = Pick<Contact, "seq" | "data"> & Pick<NewContact, "sought">;

export const setData = loader<NewData, void>({
  stage: "change",
  ask: async (tx, contacts) => {
    await tx.runEach(
      DATA,
      contacts.map(({ seq, data, sought }) => [seq, JSON.stringify(data), sought, tx.now]),
    );
    return [];
  },
});

const DATA_ALONE = changing("contacts", { seq: "bigint", data: "json", now: "text" }, ({ seq, data, now }) => ({
  set: `data = ${data}, updated_at = ${now}`,
  where: `contacts.seq = ${seq}`,
  returning: "contacts.seq",
}));

/** As `setData`, where the search text stays the same: the index that has it is not written. */
export const setDataAlone = loader<Pick<Contact, "seq" | "data">, void>({
  stage: "change",
  ask: async (tx, contacts) => {
    await tx.runEach(
      DATA_ALONE,
      contacts.map(({ seq, data }) => [seq, JSON.stringify(data), tx.now]),
    );
    return [];
  },
});

export function setUpdatedAt(tx: Tx, seq: number, at: string): Promise<number> {
  return tx.run`update contacts set updated_at = ${at} where seq = ${seq}`;
}

export function setEmail(
  tx: Tx,
  seq: number,
  { email, sought }: Pick<NewContact, "email" | "sought">,
): Promise<number> {
  return tx.run`update contacts set email = ${email}, sought = ${sought}, updated_at = ${tx.now} where seq = ${seq}`;
}

type SubscriptionFlag = { readonly workspace: number; readonly seq: number; readonly subscribed: boolean };

/** `suppressed` is the state of the address, which stays unchanged. */
export type SubscriptionRow = Pick<Contact, "seq" | "email" | "suppressed">;

/** Guarded: null = the flag was already set, or may not be set. Unsubscribing also ends the pause. */
export const setSubscribed = loader<SubscriptionFlag, SubscriptionRow | null>({
  stage: "change",
  ask: async (tx, flags) => {
    const { on = [], off = [] } = Object.groupBy(flags, ({ subscribed }) => (subscribed ? "on" : "off"));
    const switched = [...(await switchOn(tx, on)), ...(await switchOff(tx, off))];
    const changed = new Map(switched.map((contact) => [contact.seq, contact]));
    for (const { seq, workspace, subscribed } of flags)
      if (changed.has(seq)) tx.deferred(addToCounts(tx, workspace, { total: 0, subscribed: subscribed ? 1 : -1 }));
    return flags.map(({ seq }) => changed.get(seq) ?? null);
  },
});

async function switchOn(tx: Tx, those: readonly SubscriptionFlag[]): Promise<SubscriptionRow[]> {
  if (those.length === 0) return [];
  return tx.all`
    update contacts set subscribed = 1, updated_at = ${tx.now}
    where ${among(tx, those)} and subscribed = 0 and status = 'ACTIVE' and ${PRESENT} returning seq, email, suppressed`;
}

async function switchOff(tx: Tx, those: readonly SubscriptionFlag[]): Promise<SubscriptionRow[]> {
  if (those.length === 0) return [];
  return tx.all`
    update contacts set subscribed = 0, paused_until = null, updated_at = ${tx.now}
    where ${among(tx, those)} and subscribed = 1 returning seq, email, suppressed`;
}

function among(tx: Tx, those: readonly SubscriptionFlag[]): Sql {
  return tx.dialect.isAmong(
    sql`seq`,
    those.map(({ seq }) => seq),
  );
}

/** Guarded: answers null if the contact is not PENDING, or its term ends after `unlessAfter`. */
export function setTerm(
  tx: Tx,
  seq: number,
  { expiresAt, unlessAfter }: { readonly expiresAt: string; readonly unlessAfter: string },
): Promise<Contact | null> {
  return contactIn(tx.get`
    update contacts set expires_at = ${expiresAt}, updated_at = ${tx.now}
    where seq = ${seq} and status = 'PENDING' and (expires_at is null or expires_at <= ${unlessAfter})
    returning ${CONTACT}`);
}

/** `contacts`: a query of contact numbers. Contacts that have not confirmed yet can no longer do so. */
export function endTerms(tx: Tx, contacts: Sql): Promise<number> {
  return tx.run`
    update contacts set expires_at = ${tx.now}, updated_at = ${tx.now} where status = 'PENDING' and seq in (${contacts})`;
}

/** Guarded: answers 0 if the contact was already ACTIVE, has expired, or has another address by now. */
export function activate(tx: Tx, seq: number, email: string): Promise<number> {
  return tx.run`
    update contacts set status = 'ACTIVE', expires_at = null, updated_at = ${tx.now}
    where seq = ${seq} and email = ${email} and status = 'PENDING' and expires_at > ${tx.now}`;
}
