// The SQL of the mail servers that mails are handed to, under the names in timelines.
import type { Reader, Store, Tx } from "../../store/store.ts";

/** The number of the server in the store; null = it has no name. */
export async function hopIn(store: Store, name: string | null): Promise<number | null> {
  if (name === null) return null;
  const known = await store.read((reader) => hopNamed(reader, name));
  return known ?? store.write((tx) => addHop(tx, name));
}

/** False if the limit was known. */
export async function setMailsPerSession(tx: Tx, hop: number, mails: number): Promise<boolean> {
  const changed = await tx.run`
    update hops set mails_per_session = ${mails} where seq = ${hop} and coalesce(mails_per_session, 0) <> ${mails}`;
  return changed > 0;
}

/** Null = no limit was found. */
export async function mailsPerSessionOf(reader: Reader, name: string): Promise<number | null> {
  const row = await reader.get<{
    mails: number | null;
  }>`select mails_per_session as mails from hops where name = ${name}`;
  return row?.mails ?? null;
}

async function hopNamed(reader: Reader, name: string): Promise<number | null> {
  return (await reader.get<{ seq: number }>`select seq from hops where name = ${name}`)?.seq ?? null;
}

async function addHop(tx: Tx, name: string): Promise<number | null> {
  await tx.run`insert into hops (name) values (${name}) on conflict do nothing`;
  return hopNamed(tx, name);
}
