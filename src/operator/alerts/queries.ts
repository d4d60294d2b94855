// The SQL of the operator's needs, and of the alerts still to be sent.
import type { Reader, Tx } from "../../store/store.ts";
import type { OperatorNeed } from "../operation/needs/row.ts";

export type Trouble = OperatorNeed & { readonly since: string };

/** A known trouble keeps its age and gets the current text. */
export function seeTrouble(tx: Tx, { key, text }: OperatorNeed): Promise<number> {
  return tx.run`
    insert into troubles (key, text, since, seen_at) values (${key}, ${text}, ${tx.now}, ${tx.now})
    on conflict (key) do update set text = excluded.text, seen_at = excluded.seen_at`;
}

/** Troubles seen that are older than `before` and not yet reported; marks them as reported. */
export function takeUntold(tx: Tx, before: string): Promise<Trouble[]> {
  return tx.all<Trouble>`
    update troubles set told_at = ${tx.now} where told_at is null and since <= ${before} and seen_at = ${tx.now}
    returning key, text, since`;
}

/** Removes the troubles last seen before `before`; answers those that were reported. */
export async function takeOver(tx: Tx, before: string): Promise<Trouble[]> {
  const over = await tx.all<Trouble & { readonly toldAt: string | null }>`
    delete from troubles where seen_at < ${before} returning key, text, since, told_at as "toldAt"`;
  return over.flatMap(({ toldAt, ...trouble }) => (toldAt === null ? [] : [trouble]));
}

export type Alert = { readonly seq: number; readonly recipient: string; readonly content: string };

export function insertAlert(tx: Tx, { recipient, content }: Omit<Alert, "seq">): Promise<number> {
  return tx.run`
    insert into alerts (recipient, content, due_at, created_at) values (${recipient}, ${content}, ${tx.now}, ${tx.now})`;
}

export type ClaimedAlert = Alert & { readonly attempts: number; readonly createdAt: string };

/** The next alert that is due, leased until `leaseUntil`; null = none. */
export async function claimAlert(tx: Tx, leaseUntil: string): Promise<ClaimedAlert | null> {
  const [claimed] = await tx.all<ClaimedAlert>`
    update alerts set due_at = ${leaseUntil}, attempts = attempts + 1 where seq = (
      select seq from alerts where due_at <= ${tx.now} order by due_at, seq limit 1${tx.dialect.skipLocked})
    returning seq, recipient, content, attempts, created_at as "createdAt"`;
  return claimed ?? null;
}

export function deferAlert(tx: Tx, seq: number, dueAt: string): Promise<number> {
  return tx.run`update alerts set due_at = ${dueAt} where seq = ${seq}`;
}

export function deleteAlert(tx: Tx, seq: number): Promise<number> {
  return tx.run`delete from alerts where seq = ${seq}`;
}

export async function nextAlertAt(reader: Reader): Promise<string | null> {
  return (await reader.get<{ at: string | null }>`select min(due_at) as at from alerts`)?.at ?? null;
}

export type SigningDomain = { readonly domain: string; readonly selector: string; readonly privateKey: string };

/** The oldest verified sender domain, or the one of that name; null = none. */
export async function signingDomain(reader: Reader, name: string | null, now: string): Promise<SigningDomain | null> {
  const row = await reader.get<SigningDomain>`
    select d.domain, k.selector, k.private_key as "privateKey" from domains d join domain_keys k on k.domain = d.seq
    where d.removed_at is null and d.verified_at is not null and d.failing_since is null
      and (d.domain = ${name} or ${name === null ? 1 : 0} = 1)
      and k.active_from is not null and k.active_from <= ${now} and k.gone_at is null and k.private_key is not null
    order by d.seq, k.active_from desc limit 1`;
  return row ?? null;
}
