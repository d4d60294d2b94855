// The SQL of the fate of mails after they have left. Each change of state is guarded by the preceding states.
import type { Reader, Tx } from "../../../store/store.ts";

/** The mail's contact, if it still has the address to which the mail went. */
export function addresseeOf(reader: Reader, seq: number): Promise<{ seq: number; email: string } | null> {
  return reader.get`
    select p.seq, p.email from emails e join contacts p on p.seq = e.contact and p.email = e.to_address
    where e.seq = ${seq}`;
}

/** The mail's contact, if the mail went to the address of a contact that was merged into it. */
export function mergedAddresseeOf(
  reader: Reader,
  seq: number,
): Promise<{ seq: number; email: string; former: string } | null> {
  return reader.get`
    select p.seq, p.email, f.address as former
    from emails e join contacts p on p.seq = e.contact
      join former_addresses f on f.contact = p.seq and f.address = e.to_address
    where e.seq = ${seq} and exists (select 1 from merged_contacts m where m.contact = p.seq)`;
}

/** The mail's contact, even if its address has changed. */
export async function readerOf(
  reader: Reader,
  seq: number,
): Promise<{ readonly seq: number; readonly email: string; readonly subscribed: boolean } | null> {
  const row = await reader.get<{ seq: number; email: string; subscribed: number }>`
    select p.seq, p.email, p.subscribed from emails e join contacts p on p.seq = e.contact where e.seq = ${seq}`;
  return row && { ...row, subscribed: row.subscribed === 1 };
}

/** For a mail without an answer that the next hop had accepted. */
export function setKnownSent(tx: Tx, seq: number): Promise<number> {
  return tx.run`
    update emails set status = 'SENT', due_at = null, sent_at = ${tx.now}, error = null
    where seq = ${seq} and status = 'PERHAPS_DELIVERED'`;
}

/** For a mail without an answer that the next hop had not accepted. */
export function setKnownLost(tx: Tx, seq: number, error: string): Promise<number> {
  return tx.run`
    update emails set status = 'FAILED', due_at = null, failed_at = ${tx.now}, error = ${error}
    where seq = ${seq} and status = 'PERHAPS_DELIVERED'`;
}

export function setDelivered(tx: Tx, seq: number): Promise<number> {
  return tx.run`
    update emails set status = 'DELIVERED', delivered_at = ${tx.now}, error = null where seq = ${seq} and status = 'SENT'`;
}

/** A soft bounce may be followed by a hard one: the mail may have been forwarded to several people. */
export function setReturned(tx: Tx, seq: number, error: string | null): Promise<number> {
  return tx.run`
    update emails set status = 'BOUNCED', bounced_at = ${tx.now}, bounce_type = 'Permanent', error = ${error}
    where seq = ${seq} and (status in ('SENT', 'DELIVERED') or (status = 'BOUNCED' and bounce_type = 'Transient'))`;
}

export function setReturnedForNow(tx: Tx, seq: number, error: string | null): Promise<number> {
  return tx.run`
    update emails set status = 'BOUNCED', bounced_at = ${tx.now}, bounce_type = 'Transient', error = ${error}
    where seq = ${seq} and status in ('SENT', 'DELIVERED')`;
}

export function setReturnedUnlessDelivered(tx: Tx, seq: number, error: string | null): Promise<number> {
  return tx.run`
    update emails set status = 'BOUNCED', bounced_at = ${tx.now}, bounce_type = 'Transient', error = ${error}
    where seq = ${seq} and status = 'SENT'`;
}

/** A DELIVERED mail stays so; its `bounce_type` records the reported bounce. */
export function noteReturnOfDelivered(tx: Tx, seq: number): Promise<number> {
  return tx.run`
    update emails set bounce_type = 'Transient' where seq = ${seq} and status = 'DELIVERED' and bounce_type is null`;
}

export function setUndelivered(tx: Tx, seq: number, error: string | null): Promise<number> {
  return tx.run`
    update emails set status = 'FAILED', failed_at = ${tx.now}, error = ${error} where seq = ${seq} and status = 'SENT'`;
}

export function setComplained(tx: Tx, seq: number): Promise<number> {
  return tx.run`
    update emails set status = 'COMPLAINED', complained_at = ${tx.now}
    where seq = ${seq} and status in ('SENT', 'DELIVERED', 'BOUNCED', 'FAILED')`;
}

/** For notices with the next hop's name of a mail. If two mails have the same name, the later one counts. */
export function idByRemoteId(reader: Reader, remoteId: string): Promise<{ id: string } | null> {
  return reader.get<{ id: string }>`select id from emails where remote_id = ${remoteId} order by seq desc limit 1`;
}
