// The SQL of what becomes of mails after they have left. Each change of state is guarded by the states that it may follow.
import { sql } from "../store/sql.ts";
import type { Reader, Tx } from "../store/store.ts";

/** The mail's contact, if it still has the address that the mail went to. */
export function addresseeOf(reader: Reader, seq: number): Promise<{ contact: number } | null> {
  return reader.get<{ contact: number }>`
    select p.seq as contact from emails e join contacts p on p.seq = e.contact and p.email = e.to_address
    where e.seq = ${seq}`;
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

/** A DELIVERED mail stays so; its `bounce_type` says that this bounce was reported. */
export function setReturnedPerhaps(tx: Tx, seq: number, error: string | null): Promise<number> {
  return tx.run`
    update emails set bounce_type = 'Transient', bounced_at = case when status = 'SENT' then ${tx.now} end,
      error = case when status = 'SENT' then ${error} end, status = case when status = 'SENT' then 'BOUNCED' else status end
    where seq = ${seq} and (status = 'SENT' or (status = 'DELIVERED' and bounce_type is null))`;
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

/** For notices that name a mail as the next hop does. If two have the same name, the later one is meant. */
export function idByRemoteId(reader: Reader, remoteId: string): Promise<{ id: string } | null> {
  return reader.get<{ id: string }>`select id from emails where remote_id = ${remoteId} order by seq desc limit 1`;
}

/** A mail that is being handed over may be opened before that is recorded; one that was never handed over cannot be. */
const HAS_LEFT = sql`status not in ('QUEUED', 'RECEIVED')`;

type Opened = { readonly opens: number; readonly openedAt: string };

/** Null for a mail that has not left, or that has been opened `most` times. */
export function addOpen(tx: Tx, seq: number, most: number): Promise<Opened | null> {
  return tx.get<Opened>`
    update emails set opens = opens + 1, opened_at = coalesce(opened_at, ${tx.now})
    where seq = ${seq} and opens < ${most} and ${HAS_LEFT} returning opens, opened_at as "openedAt"`;
}

export function addClick(tx: Tx, seq: number, most: number): Promise<{ readonly clicks: number } | null> {
  return tx.get`
    update emails set clicks = clicks + 1, clicked_at = coalesce(clicked_at, ${tx.now})
    where seq = ${seq} and clicks < ${most} and ${HAS_LEFT} returning clicks`;
}

export type MachineVisit = {
  readonly kind: "open" | "click";
  readonly at: string;
  readonly link: string | null;
};

/** Other visits to this mail wait until this transaction ends. Null if its person was erased. */
export function lockMail(tx: Tx, seq: number): Promise<{ seq: number } | null> {
  return tx.get`select seq from emails where seq = ${seq} and to_address <> ''${tx.dialect.forUpdate}`;
}

/** The mail must be locked. Answers 0 once there are `most`. */
export function insertMachineVisit(
  tx: Tx,
  email: number,
  { kind, link }: Omit<MachineVisit, "at">,
  most: number,
): Promise<number> {
  return tx.run`
    insert into machine_visits (email, number, kind, at, link)
    select ${email}, count(*) + 1, ${kind}, ${tx.now}, ${link} from machine_visits where email = ${email}
    having count(*) < ${most}`;
}

export function machineVisits(reader: Reader, email: number): Promise<MachineVisit[]> {
  return reader.all<MachineVisit>`select kind, at, link from machine_visits where email = ${email} order by number`;
}
