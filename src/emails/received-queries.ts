// The SQL of mail from outside: its record, and its bytes.
import type { Reader, Tx } from "../store/store.ts";

type ReceivedEmail = {
  readonly id: string;
  readonly workspace: number;
  readonly contact: number | null;
  readonly content: number;
  readonly toAddress: string;
  readonly receivedAt: string;
};

export async function insertReceivedEmail(tx: Tx, email: ReceivedEmail): Promise<number> {
  const row = await tx.get<{ seq: number }>`
    insert into emails (id, workspace, contact, content, source_type, status, lane, to_address, created_at)
    values (${email.id}, ${email.workspace}, ${email.contact}, ${email.content}, 'INBOUND', 'RECEIVED', 0, ${email.toAddress},
      ${email.receivedAt})
    returning seq`;
  return (row as { seq: number }).seq;
}

/** Whether a mail that we composed has this name, ours or the next hop's; a complete message has its sender's. */
export async function isNameOfSent(reader: Reader, workspace: number, name: string): Promise<boolean> {
  const row = await reader.get`
    select e.seq from emails e join contents c on c.seq = e.content
    where e.seq in (
        select seq from emails where id = ${name} union all select seq from emails where remote_id = ${name})
      and e.workspace = ${workspace} and c.message_id is null limit 1`;
  return row !== null;
}

/** Null after the last one. */
export async function sliceOfContent(reader: Reader, content: number, number: number): Promise<Uint8Array | null> {
  const row = await reader.get<{ bytes: Uint8Array }>`
    select s.bytes from messages m join message_slices s on s.message = m.seq and s.number = ${number}
    where m.content = ${content}`;
  return row?.bytes ?? null;
}
