// The SQL of mail from outside: its record, and its bytes.
import type { Reader, Tx } from "../store/store.ts";

type ReceivedContent = {
  readonly workspace: number;
  readonly fromAddress: string;
  readonly fromName: string | null;
  readonly replyTo: string | null;
  readonly subject: string;
  readonly messageId: string;
  readonly returnPath: string;
  readonly attachments: number;
};

/** What it says stands in the message itself. */
export async function insertReceivedContent(tx: Tx, content: ReceivedContent): Promise<number> {
  const row = await tx.get<{ seq: number }>`
    insert into contents (workspace, kind, lenient, from_address, from_name, reply_to, subject, html, text, message_id,
      return_path, attachments)
    values (${content.workspace}, 'TRANSACTIONAL', 0, ${content.fromAddress}, ${content.fromName}, ${content.replyTo},
      ${content.subject}, '', '', ${content.messageId}, ${content.returnPath}, ${content.attachments})
    returning seq`;
  return (row as { seq: number }).seq;
}

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

/** Whether a mail that we composed bears this name, ours or the next hop's; what was handed in whole bears its sender's. */
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

/** What is attached to a message from outside, as JSON text; null if there is no such message. */
export async function filesOfContent(reader: Reader, content: number): Promise<string | null> {
  const row = await reader.get<{ files: string | null }>`select files from messages where content = ${content}`;
  return row?.files ?? null;
}
