// The SQL of bounce mailboxes: which process reads each, and how far it has been read.
import { json } from "../../../store/columns.ts";
import { sqlList } from "../../../store/sql.ts";
import type { Reader, Tx } from "../../../store/store.ts";

export type MailboxClaim = {
  readonly name: string;
  readonly place: string;
  readonly by: string;
  readonly until: string;
};

/** `unmoved`: messages that were taken and may still be in the folder. */
export type MailboxProgress = {
  readonly position: string | null;
  readonly unmoved: readonly string[];
  readonly problem: string | null;
};

/** Null = another process reads it. Settings of another mailbox start anew. */
export async function claimMailbox(tx: Tx, { name, place, by, until }: MailboxClaim): Promise<MailboxProgress | null> {
  const [row] = await tx.all<Omit<MailboxProgress, "unmoved"> & { readonly unmoved: string }>`
    insert into bounce_mailboxes (name, place, claimed_by, claimed_until) values (${name}, ${place}, ${by}, ${until})
    on conflict (name) do update set claimed_by = excluded.claimed_by, claimed_until = excluded.claimed_until,
      place = excluded.place,
      position = case when bounce_mailboxes.place = excluded.place then bounce_mailboxes.position end,
      unmoved = case when bounce_mailboxes.place = excluded.place then bounce_mailboxes.unmoved else '[]' end
    where bounce_mailboxes.claimed_by = ${by} or bounce_mailboxes.claimed_until is null
      or bounce_mailboxes.claimed_until < ${tx.now}
    returning position, unmoved, problem`;
  return row ? { ...row, unmoved: json<string[]>(row.unmoved) } : null;
}

export type MailboxStep = {
  readonly name: string;
  /** The last position that this process has read. */
  readonly from: string | null;
  readonly to: string;
  readonly unmoved: readonly string[];
};

/** Answers 0 if another process has moved it on. */
export function advanceMailbox(tx: Tx, { name, from, to, unmoved }: MailboxStep): Promise<number> {
  return tx.run`
    update bounce_mailboxes set position = ${to}, unmoved = ${JSON.stringify(unmoved)}
    where name = ${name} and coalesce(position, '') = ${from ?? ""}`;
}

export function noteReadable(tx: Tx, name: string): Promise<number> {
  return tx.run`
    update bounce_mailboxes set looked_at = ${tx.now}, problem = null, failing_since = null where name = ${name}`;
}

export function noteProblem(tx: Tx, name: string, problem: string): Promise<number> {
  return tx.run`
    update bounce_mailboxes set problem = ${problem}, failing_since = coalesce(failing_since, ${tx.now})
    where name = ${name}`;
}

export function releaseMailbox(tx: Tx, name: string, by: string): Promise<number> {
  return tx.run`update bounce_mailboxes set claimed_until = null where name = ${name} and claimed_by = ${by}`;
}

/** Ends the leases of a process that is dead: call it only when no other process runs. */
export function endMailboxLeases(tx: Tx): Promise<number> {
  return tx.run`update bounce_mailboxes set claimed_until = null where claimed_until is not null`;
}

export type FailingMailbox = { readonly name: string; readonly problem: string; readonly since: string };

/** Mailboxes of the configuration that cannot be read. */
export async function failingMailboxes(
  reader: Reader,
  configured: readonly { readonly name: string }[],
): Promise<readonly FailingMailbox[]> {
  if (configured.length === 0) return [];
  const names = sqlList(configured.map(({ name }) => name));
  return reader.all<FailingMailbox>`
    select name, problem, failing_since as since from bounce_mailboxes
    where name in (${names}) and problem is not null order by name`;
}
