// The SQL of soft bounces in a row.
import { flag } from "../../../store/columns.ts";
import type { Reader, Tx } from "../../../store/store.ts";

type SoftBounceRules = { readonly softBounces: number; readonly softBounceDays: number };

export async function softBounceRules(reader: Reader, workspace: number): Promise<SoftBounceRules> {
  const row = await reader.get<SoftBounceRules>`
    select soft_bounces as "softBounces", soft_bounce_days as "softBounceDays" from workspaces where seq = ${workspace}`;
  return row ?? { softBounces: 0, softBounceDays: 0 };
}

/** The outcome of a mail, and its time. */
export type BounceFate = { readonly isSoft: boolean; readonly at: string };

/** A longer row is judged by its newest mails. */
const MOST = 100;

/** The contact's mails to this address that have left, up to one of them: the newest first. */
export async function mailsBefore(
  reader: Reader,
  { contact, email, seq }: { readonly contact: number; readonly email: string; readonly seq: number },
): Promise<BounceFate[]> {
  const rows = await reader.all<{ soft: 0 | 1; at: string }>`
    select case when status = 'BOUNCED' and bounce_type = 'Transient' then 1 else 0 end as soft,
      coalesce(bounced_at, sent_at, created_at) as at
    from emails
    where contact = ${contact} and seq <= ${seq} and to_address = ${email}
      and status in ('SENT', 'DELIVERED', 'BOUNCED', 'COMPLAINED')
    order by seq desc limit ${MOST}`;
  return rows.map(({ soft, at }) => ({ isSoft: flag(soft), at }));
}

type Term = { readonly address: string; readonly times: number; readonly at: string };

export function termOf(reader: Reader, contact: number): Promise<Term | null> {
  return reader.get`select address, times, at from soft_bounce_terms where contact = ${contact}`;
}

export function keepTerm(tx: Tx, contact: number, { address, times }: Omit<Term, "at">): Promise<number> {
  return tx.run`
    insert into soft_bounce_terms (contact, address, times, at) values (${contact}, ${address}, ${times}, ${tx.now})
    on conflict (contact) do update set address = excluded.address, times = excluded.times, at = excluded.at`;
}

/** Part of erasing a contact. */
export function forgetTerm(tx: Tx, contact: number): Promise<number> {
  return tx.run`delete from soft_bounce_terms where contact = ${contact}`;
}
