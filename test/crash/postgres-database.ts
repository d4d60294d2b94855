// What lies in a PostgreSQL database, asked from beside the servers that work on it.
import { SQL } from "bun";
import type { StoredMail } from "./database.ts";

/** Ids of the mails that are in hand: SENDING on a lease that runs on at `nowMs`. */
export async function inHandIn(url: string, nowMs: number): Promise<ReadonlySet<string>> {
  const rows = await ask<{ id: string }>(url, "select id from emails where status = 'SENDING' and due_at > $1", [
    new Date(nowMs).toISOString(),
  ]);
  return new Set(rows.map(({ id }) => id));
}

export function mailsIn(url: string): Promise<StoredMail[]> {
  const sentEvents = "select count(*)::int from events v where v.email = e.seq and v.name = 'email.sent'";
  return ask(url, `select e.id, e.to_address as recipient, e.status, (${sentEvents}) as "sentEvents" from emails e`);
}

/** How many mails have not left. */
export async function waitingIn(url: string): Promise<number> {
  const question = "select count(*)::int as total from emails where status in ('QUEUED', 'SENDING')";
  return (await ask<{ total: number }>(url, question))[0]?.total ?? 0;
}

/** A connection for each question: the server may have been away since the last one. */
async function ask<Row>(url: string, question: string, values: readonly string[] = []): Promise<Row[]> {
  await using sql = new SQL(url, { max: 1 });
  return [...(await sql.unsafe<Row[]>(question, [...values]))];
}
