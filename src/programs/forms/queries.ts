// The SQL of forms and of the wordings of their consents.
import { column, json, only, TableRows, type RecordOf, type RowOf } from "../../store/columns.ts";
import { sql } from "../../store/sql.ts";
import type { Reader, Tx } from "../../store/store.ts";
import type { ChangeAuthor } from "../../tenant/access/caller.ts";
import { timeOfSaving } from "../../tenant/access/saving.ts";
import type { FormField } from "./fields.ts";
import type { LocalizedText } from "./text.ts";

/** The settings of a form besides its columns. */
export type FormSettings = {
  readonly title: LocalizedText;
  readonly intro: LocalizedText;
  readonly button: LocalizedText;
  readonly fields: readonly FormField[];
  /** `checkbox`: people tick it; else the text is above the button. */
  readonly consent: { readonly wording: LocalizedText; readonly checkbox: boolean } | null;
  /** The pages after sending and after confirming; null = pages of this server. */
  readonly redirectUrl: string | null;
  readonly confirmedUrl: string | null;
  /** Origins of pages that may show it. */
  readonly sites: readonly string[];
  /** Keys of topics that people may choose. */
  readonly topics: readonly string[];
  /** A text on what people get besides. Empty: nothing, so they are out of every topic that they do not choose. */
  readonly besides: LocalizedText;
  readonly event: string | null;
  readonly tags: readonly string[];
};

/** The columns that a save changes. */
const SAVED = {
  key: column.text(),
  name: column.text(),
  enabled: column.flag(),
  doubleOptIn: column.flag(),
  /** The version of its consent and of `besides`; 0 = it never had either. */
  wording: column.number(),
  segment: column.orNull(column.number()),
  settings: column.json<FormSettings>(),
  updatedBy: column.orNull(column.json<ChangeAuthor>()),
};
const ROWS = new TableRows("forms", {
  ...SAVED,
  seq: column.number(),
  id: column.text(),
  workspace: column.number(),
  segmentId: column.computed("(select s.id from segments s where s.seq = forms.segment)", column.orNull(column.text())),
  createdAt: column.text(),
  updatedAt: column.text(),
});

export type FormFields = RecordOf<typeof SAVED>;
export type Form = RowOf<typeof ROWS>;

/** Null if another form has the key. */
export function insertForm(tx: Tx, workspace: number, id: string, fields: FormFields): Promise<Form | null> {
  const made = { ...only(SAVED, fields), id, workspace, createdAt: tx.now, updatedAt: tx.now };
  return ROWS.insertUnless(tx, sql`on conflict (key) do nothing`, made);
}

/** `before` is locked. */
export function updateForm(tx: Tx, before: Form, fields: FormFields): Promise<Form> {
  return ROWS.update(tx, before.seq, { ...only(SAVED, fields), updatedAt: timeOfSaving(tx, before) });
}

export function formById(reader: Reader, workspace: number, id: string): Promise<Form | null> {
  return ROWS.get(reader, sql`where workspace = ${workspace} and id = ${id}`);
}

/** No other transaction can change the form until this one ends. */
export function lockForm(tx: Tx, workspace: number, id: string): Promise<Form | null> {
  return ROWS.get(tx, sql`where workspace = ${workspace} and id = ${id}${tx.dialect.forUpdate}`);
}

/** A form of any workspace. */
export function formWithKey(reader: Reader, key: string): Promise<Form | null> {
  return ROWS.get(reader, sql`where key = ${key}`);
}

export function formBySeq(reader: Reader, seq: number): Promise<Form | null> {
  return ROWS.get(reader, sql`where seq = ${seq}`);
}

/** Newest first. */
export function formsPage(reader: Reader, workspace: number, limit: number, offset: number): Promise<Form[]> {
  return ROWS.all(reader, sql`where workspace = ${workspace} order by seq desc limit ${limit} offset ${offset}`);
}

export function countForms(reader: Reader, workspace: number): Promise<number> {
  return ROWS.count(reader, sql`where workspace = ${workspace}`);
}

export function deleteForm(tx: Tx, seq: number): Promise<number> {
  return tx.run`delete from forms where seq = ${seq}`;
}

export type FormStatement = { readonly wording: LocalizedText; readonly besides: LocalizedText };
export type FormWording = FormStatement & { readonly version: number; readonly createdAt: string };
type SaidRow = { readonly [Part in keyof FormStatement]: string };

export function insertWording(
  tx: Tx,
  { workspace, id }: Pick<Form, "workspace" | "id">,
  { version, wording, besides }: Omit<FormWording, "createdAt">,
): Promise<number> {
  return tx.run`
    insert into form_wordings (workspace, form_id, version, wording, besides, created_at)
    values (${workspace}, ${id}, ${version}, ${JSON.stringify(wording)}, ${JSON.stringify(besides)}, ${tx.now})`;
}

export async function wordingOf(
  reader: Reader,
  { workspace, id }: Pick<Form, "workspace" | "id">,
  version: number,
): Promise<FormStatement | null> {
  const row = await reader.get<SaidRow>`
    select wording, besides from form_wordings where workspace = ${workspace} and form_id = ${id} and version = ${version}`;
  return row && saidOf(row);
}

function saidOf({ wording, besides }: SaidRow): FormStatement {
  return { wording: json(wording), besides: json(besides) };
}

/** Newest first; also of a deleted form. */
export async function wordingsOf(reader: Reader, workspace: number, formId: string): Promise<FormWording[]> {
  const rows = await reader.all<Omit<FormWording, keyof FormStatement> & SaidRow>`
    select version, wording, besides, created_at as "createdAt" from form_wordings
    where workspace = ${workspace} and form_id = ${formId} order by version desc`;
  return rows.map((row) => ({ ...row, ...saidOf(row) }));
}
