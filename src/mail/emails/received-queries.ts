// The SQL of email from outside: its record, and its bytes.
import { TRANSACTIONAL } from "./queue/holds.ts";
import { insertion, seqsOf } from "../../store/row-statement.ts";
import { sql } from "../../store/sql.ts";
import type { Reader, Tx } from "../../store/store.ts";
import type { RecipientRole } from "./shape.ts";

type ReceivedEmail = {
  readonly id: string;
  readonly workspace: number;
  readonly contact: number | null;
  readonly content: number;
  readonly toAddress: string;
  readonly role: RecipientRole | null;
  readonly receivedAt: string;
};

const RECEIVED = insertion(
  "emails",
  {
    id: "text",
    workspace: "bigint",
    contact: "bigint",
    content: "bigint",
    source_type: "text",
    status: "text",
    lane: "smallint",
    to_address: "text",
    role: "text",
    created_at: "text",
  },
  "returning seq",
);

/** Answers the seq of each. */
export async function insertReceivedEmails(tx: Tx, emails: readonly ReceivedEmail[]): Promise<number[]> {
  const rows = emails.map(({ id, workspace, contact, content, toAddress, role, receivedAt }) => [
    id,
    workspace,
    contact,
    content,
    "INBOUND",
    "RECEIVED",
    TRANSACTIONAL,
    toAddress,
    role,
    receivedAt,
  ]);
  return seqsOf(await tx.runEach<{ seq: number }>(RECEIVED, rows));
}

/** The left part of a Message-ID, in mail to a workspace. */
export type SentName = { readonly workspace: number; readonly name: string };

/**
 * The names of mails composed in the workspace, ours or the next hop's; the name of a complete message is its sender's.
 */
export async function namesOfSent(reader: Reader, names: readonly SentName[]): Promise<SentName[]> {
  if (names.length === 0) return [];
  const texts = [...new Set(names.map(({ name }) => name))];
  return reader.all<SentName>`
    select e.workspace, n.name from (
      select seq, id as name from emails where ${reader.dialect.isOneOf(sql`id`, texts)}
      union all select seq, remote_id as name from emails where ${reader.dialect.isOneOf(sql`remote_id`, texts)}
      union all select m.seq, g.group_id as name from contents g join emails m on m.content = g.seq
        where ${reader.dialect.isOneOf(sql`g.group_id`, texts)}) as n
    join emails e on e.seq = n.seq join contents c on c.seq = e.content
    where c.message_id is null`;
}

/** Null after the last one. */
export async function sliceOfContent(reader: Reader, content: number, number: number): Promise<Uint8Array | null> {
  const row = await reader.get<{ bytes: Uint8Array }>`
    select s.bytes from messages m join message_slices s on s.message = m.seq and s.number = ${number}
    where m.content = ${content}`;
  return row?.bytes ?? null;
}
