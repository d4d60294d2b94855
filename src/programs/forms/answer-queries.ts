// The SQL of form answers, until they are confirmed.
import { json } from "../../store/columns.ts";
import type { Variables } from "../../audience/contacts/data.ts";
import type { Language } from "../../base/languages/language.ts";
import type { TopicOffer } from "./fields.ts";
import { sqlList, sql, type Sql } from "../../store/sql.ts";
import type { Reader, Tx } from "../../store/store.ts";
import type { MergeDirection } from "../../store/table.ts";
import { seqsOf } from "../../store/row-statement.ts";

export type FormAnswer = {
  readonly values: Variables;
  /** Keys of topics. */
  readonly topics: readonly string[];
  /** Null = the form listed no topics. */
  readonly offer: TopicOffer | null;
  readonly language: Language;
  /** The version of the words shown; 0 = there were none. */
  readonly wording: number;
  /** The origin of the page; empty = the hosted page, or a program. */
  readonly site: string;
  /** The page's script has solved a proof for it. */
  readonly isProven: boolean;
  /** The sender, for limits; null = cannot be told from others. */
  readonly client: string | null;
  readonly ip: string | null;
  readonly userAgent: string | null;
};

export type PendingAnswer = {
  readonly seq: number;
  readonly form: number;
  readonly workspace: number;
  readonly address: string;
  readonly answer: FormAnswer;
  readonly contact: number | null;
};

type AnswerRow = Omit<PendingAnswer, "answer"> & { readonly answer: string };

const COLUMNS = sql`seq, form, workspace, address, answer, contact`;

function answerOf(row: AnswerRow | null): PendingAnswer | null {
  return row && { ...row, answer: json(row.answer) };
}

export function insertAnswer(tx: Tx, one: Omit<PendingAnswer, "seq" | "contact">): Promise<number> {
  return tx.run`
    insert into form_answers (form, workspace, address, answer, created_at)
    values (${one.form}, ${one.workspace}, ${one.address}, ${JSON.stringify(one.answer)}, ${tx.now})`;
}

/** An answer that no mail asks about yet, and that no other process has in hand. */
export async function lockNewAnswer(tx: Tx, after: number): Promise<PendingAnswer | null> {
  return answerOf(
    await tx.get<AnswerRow>`
      select ${COLUMNS} from form_answers where contact is null and seq > ${after} order by seq limit 1${tx.dialect.skipLocked}`,
  );
}

type AnswerConfirmation = { readonly contact: number; readonly emailId: string; readonly expiresAt: string };

export function setAsked(tx: Tx, seq: number, { contact, emailId, expiresAt }: AnswerConfirmation): Promise<number> {
  return tx.run`
    update form_answers set contact = ${contact}, email_id = ${emailId}, expires_at = ${expiresAt} where seq = ${seq}`;
}

/** Guarded: null if it has expired, was confirmed, or is at another address. */
export async function takeAnswer(tx: Tx, emailId: string, address: string): Promise<PendingAnswer | null> {
  return answerOf(
    await tx.get<AnswerRow>`
      delete from form_answers where email_id = ${emailId} and address = ${address} and expires_at > ${tx.now}
      returning ${COLUMNS}`,
  );
}

/** The answer that a mail asks about, while it can be confirmed. */
export async function answerAskedBy(
  reader: Reader,
  emailId: string,
  now: string,
): Promise<Pick<PendingAnswer, "form" | "address"> | null> {
  return reader.get`select form, address from form_answers where email_id = ${emailId} and expires_at > ${now}`;
}

/** True if a mail of the same form already asks this address, with a question valid until later than that. */
export async function isAskedUntil(
  reader: Reader,
  { workspace, address, form }: Pick<PendingAnswer, "workspace" | "address" | "form">,
  later: string,
): Promise<boolean> {
  const row = await reader.get`
    select 1 as asked from form_answers
    where workspace = ${workspace} and address = ${address} and form = ${form} and expires_at > ${later} limit 1`;
  return row !== null;
}

/** The contacts last asked by this form, without an open question of another. */
export function askedBy(form: number, now: string): Sql {
  return sql`
    select a.contact from form_answers a join contacts c on c.seq = a.contact
    where a.form = ${form} and a.expires_at > ${now} and c.expires_at <= a.expires_at and not exists (
      select 1 from form_answers o where o.contact = a.contact and o.form <> a.form and o.expires_at > ${now})`;
}

export function deleteAnswer(tx: Tx, seq: number): Promise<number> {
  return tx.run`delete from form_answers where seq = ${seq}`;
}

export function deleteAnswersOf(tx: Tx, contact: number): Promise<number> {
  return tx.run`delete from form_answers where contact = ${contact}`;
}

export function deleteAnswersAt(tx: Tx, workspace: number, emails: readonly string[]): Promise<number> {
  return tx.run`delete from form_answers where workspace = ${workspace} and address in (${sqlList(emails)})`;
}

/** Deletes up to `most` answers that were not confirmed in time. */
export function deleteExpiredAnswers(tx: Tx, most: number): Promise<number> {
  return tx.run`
    delete from form_answers where seq in (
      select seq from form_answers where expires_at is not null and expires_at <= ${tx.now}
      order by expires_at limit ${most})`;
}

/** Unconfirmed form answers are confirmed for the other contact. */
export async function moveAnswers(tx: Tx, { from, to }: MergeDirection, address: string): Promise<number[]> {
  return seqsOf(
    await tx.all<{ seq: number }>`
    update form_answers set contact = ${to}, address = ${address} where contact = ${from} returning seq`,
  );
}

/** As moveBack: confirmed for the person who sent it, at that address. */
export function moveAnswersBack(
  tx: Tx,
  { from, to }: MergeDirection,
  moved: readonly number[],
  address: string,
): Promise<number> {
  return tx.run`
    update form_answers set contact = ${from}, address = ${address}
    where ${tx.dialect.isAmong(sql`seq`, moved)} and contact = ${to}`;
}
