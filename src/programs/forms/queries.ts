// The SQL of forms and of the wordings of their consents.
import { flag, json, jsonOrNull } from "../../store/columns.ts";
import { sql } from "../../store/sql.ts";
import type { Reader, Tx } from "../../store/store.ts";
import type { By } from "../../tenant/access/caller.ts";
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

export type FormFields = {
  readonly key: string;
  readonly name: string;
  readonly enabled: boolean;
  readonly doubleOptIn: boolean;
  /** The version of its consent and of `besides`; 0 = it never had either. */
  readonly wording: number;
  readonly segment: number | null;
  readonly settings: FormSettings;
  readonly updatedBy: By | null;
};

export type Form = FormFields & {
  readonly seq: number;
  readonly id: string;
  readonly workspace: number;
  readonly segmentId: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
};

type FormColumns = {
  readonly enabled: 0 | 1;
  readonly doubleOptIn: 0 | 1;
  readonly settings: string;
  readonly updatedBy: string | null;
};
type FormRow = Omit<Form, keyof FormColumns> & FormColumns;

const COLUMNS = sql`seq, id, workspace, key, name, enabled, double_opt_in as "doubleOptIn", wording, segment,
  (select s.id from segments s where s.seq = forms.segment) as "segmentId", settings, updated_by as "updatedBy",
  created_at as "createdAt", updated_at as "updatedAt"`;

function formOf(row: FormRow): Form {
  return {
    ...row,
    enabled: flag(row.enabled),
    doubleOptIn: flag(row.doubleOptIn),
    settings: json(row.settings),
    updatedBy: jsonOrNull(row.updatedBy),
  };
}

async function formIn(row: Promise<FormRow | null>): Promise<Form | null> {
  const found = await row;
  return found && formOf(found);
}

export async function insertForm(tx: Tx, workspace: number, id: string, fields: FormFields): Promise<Form | null> {
  const { key, name, enabled, doubleOptIn, wording, segment, settings, updatedBy } = fields;
  return formIn(tx.get<FormRow>`
    insert into forms (id, workspace, key, name, enabled, double_opt_in, wording, segment, settings, updated_by, created_at,
      updated_at)
    values (${id}, ${workspace}, ${key}, ${name}, ${enabled ? 1 : 0}, ${doubleOptIn ? 1 : 0}, ${wording}, ${segment},
      ${JSON.stringify(settings)}, ${updatedBy && JSON.stringify(updatedBy)}, ${tx.now}, ${tx.now})
    on conflict (key) do nothing returning ${COLUMNS}`);
}

/** `before` is locked. */
export function updateForm(tx: Tx, before: Form, fields: FormFields): Promise<number> {
  const { key, name, enabled, doubleOptIn, wording, segment, settings, updatedBy } = fields;
  return tx.run`
    update forms set key = ${key}, name = ${name}, enabled = ${enabled ? 1 : 0}, double_opt_in = ${doubleOptIn ? 1 : 0},
      wording = ${wording}, segment = ${segment}, settings = ${JSON.stringify(settings)},
      updated_by = ${updatedBy && JSON.stringify(updatedBy)}, updated_at = ${timeOfSaving(tx, before)}
    where seq = ${before.seq}`;
}

export function formById(reader: Reader, workspace: number, id: string): Promise<Form | null> {
  return formIn(reader.get<FormRow>`select ${COLUMNS} from forms where workspace = ${workspace} and id = ${id}`);
}

/** No other transaction can change the form until this one ends. */
export function lockForm(tx: Tx, workspace: number, id: string): Promise<Form | null> {
  return formIn(
    tx.get<FormRow>`select ${COLUMNS} from forms where workspace = ${workspace} and id = ${id}${tx.dialect.forUpdate}`,
  );
}

/** A form of any workspace. */
export function formWithKey(reader: Reader, key: string): Promise<Form | null> {
  return formIn(reader.get<FormRow>`select ${COLUMNS} from forms where key = ${key}`);
}

export function formBySeq(reader: Reader, seq: number): Promise<Form | null> {
  return formIn(reader.get<FormRow>`select ${COLUMNS} from forms where seq = ${seq}`);
}

/** Newest first. */
export async function formsPage(reader: Reader, workspace: number, limit: number, offset: number): Promise<Form[]> {
  const rows = await reader.all<FormRow>`
    select ${COLUMNS} from forms where workspace = ${workspace} order by seq desc limit ${limit} offset ${offset}`;
  return rows.map(formOf);
}

export async function countForms(reader: Reader, workspace: number): Promise<number> {
  const row = await reader.get<{ total: number }>`select count(*) as total from forms where workspace = ${workspace}`;
  return row?.total ?? 0;
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
