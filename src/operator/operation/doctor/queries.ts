// The SQL of what should not be there: expired leases, parked events, rows from the future.
import { IN_TURN } from "../../../mail/emails/queue/holds.ts";
import type { Reader } from "../../../store/store.ts";

const MOST = 10_000;

type RowCount = { readonly rows: number };

/** Mails in hand whose lease ended before this moment. */
export async function staleMails(reader: Reader, before: string): Promise<number> {
  const row = await reader.get<RowCount>`
    select count(*) as rows from (
      select 1 as stale from emails where ${IN_TURN} and due_at is not null and status = 'SENDING' and due_at < ${before} limit ${MOST}) as found`;
  return row?.rows ?? 0;
}

/** Webhooks being called whose lease ended before this moment. */
export async function staleCalls(reader: Reader, before: string): Promise<number> {
  const row = await reader.get<RowCount>`
    select count(*) as rows from (
      select 1 as stale from webhook_deliveries where due_at is not null and state = 'CALLING' and due_at < ${before} limit ${MOST})
      as found`;
  return row?.rows ?? 0;
}

/** Events that segments or workflows kept failing to take. */
export async function parkedEvents(reader: Reader): Promise<number> {
  const row = await reader.get<RowCount>`
    select count(*) as rows from (select 1 as parked from outbox where due_at is null limit ${MOST}) as found`;
  return row?.rows ?? 0;
}

/** The time of the newest event; null = none. */
export async function newestEventAt(reader: Reader): Promise<string | null> {
  const row = await reader.get<{ at: string }>`select created_at as at from events order by seq desc limit 1`;
  return row?.at ?? null;
}
