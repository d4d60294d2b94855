// The SQL of templates.
import { column, only, TableRows, type RecordOf, type RowOf } from "../../store/columns.ts";
import { folded } from "../../store/folded.ts";
import { sqlList, sql, type Sql } from "../../store/sql.ts";
import type { Reader, Tx } from "../../store/store.ts";
import { timeOfSaving } from "../../tenant/access/saving.ts";
import type { ChangeAuthor } from "../../tenant/access/caller.ts";
import { CONTENT } from "./written.ts";

export const TEMPLATE_TYPES = ["TRANSACTIONAL", "MARKETING"] as const;
export type TemplateType = (typeof TEMPLATE_TYPES)[number];

/** The columns that a save changes. */
const SAVED = {
  ...CONTENT,
  /** Another name in calls; null = only the id. */
  alias: column.orNull(column.text()),
  name: column.text(),
  description: column.orNull(column.text()),
  type: column.oneOf<TemplateType>(),
  /** The author of the last save; null = unknown. */
  updatedBy: column.orNull(column.json<ChangeAuthor>()),
};
/** The part of a template that determines the sent content. */
const PUBLISHED = {
  /** Null = the current content is sent. */
  publishedVersion: column.orNull(column.number()),
  publishedAt: column.orNull(column.text()),
  /** The current content differs from the published version. */
  isChanged: column.flag(),
};
const ROWS = new TableRows("templates", {
  ...SAVED,
  ...PUBLISHED,
  seq: column.number(),
  id: column.text(),
  createdAt: column.text(),
  updatedAt: column.text(),
});

export type TemplateFields = RecordOf<typeof SAVED>;
export type PublishedVersion = RecordOf<typeof PUBLISHED>;
export type Template = RowOf<typeof ROWS>;

/** The text of a search in one column, folded here since the engines' lower() does not cover every script. */
function searchText({ name, subject, description }: TemplateFields): string {
  return folded([name, subject, description ?? ""].join("\n"));
}

export function insertTemplate(tx: Tx, workspace: number, id: string, fields: TemplateFields): Promise<Template> {
  const made = { ...only(SAVED, fields), id, createdAt: tx.now, updatedAt: tx.now };
  return ROWS.insert(tx, made, { workspace, search_text: searchText(fields) });
}

/** `name`: the id or the alias. */
export function templateNamed(reader: Reader, workspace: number, name: string): Promise<Template | null> {
  return ROWS.get(reader, sql`where workspace = ${workspace} and ${byName(name)}`);
}

/** Some existing aliases: enough to find a misspelt one. */
export async function someAliases(reader: Reader, workspace: number, most: number): Promise<string[]> {
  const rows = await reader.all<{ alias: string }>`
    select alias from templates where workspace = ${workspace} and alias is not null order by alias limit ${most}`;
  return rows.map(({ alias }) => alias);
}

/** An id as it is, also of a deleted template; null = no template has the alias. */
export async function templateIdOf(reader: Reader, workspace: number, name: string): Promise<string | null> {
  if (isTemplateId(name)) return name;
  const row = await reader.get<{ id: string }>`
    select id from templates where workspace = ${workspace} and alias = ${name}`;
  return row?.id ?? null;
}

/** As `templateNamed`, locked until this transaction ends. */
export function lockTemplate(tx: Tx, workspace: number, name: string): Promise<Template | null> {
  return ROWS.get(tx, sql`where workspace = ${workspace} and ${byName(name)}${tx.dialect.forUpdate}`);
}

/** No alias looks like an id. */
function byName(name: string): Sql {
  return isTemplateId(name) ? sql`id = ${name}` : sql`alias = ${name}`;
}

export function isTemplateId(name: string): boolean {
  return UUID.test(name);
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export function updatePublishing(tx: Tx, seq: number, published: PublishedVersion): Promise<Template> {
  return ROWS.update(tx, seq, published);
}

export function updateTemplate(tx: Tx, { seq, updatedAt }: Template, fields: TemplateFields): Promise<Template> {
  const saved = { ...only(SAVED, fields), updatedAt: timeOfSaving(tx, { updatedAt }) };
  return ROWS.update(tx, seq, saved, { search_text: searchText(fields) });
}

/** Removes senders of this domain from templates. */
export function clearSenders(tx: Tx, workspace: number, domain: string): Promise<number> {
  return tx.run`
    update templates set from_address = null, updated_at = ${tx.now}
    where workspace = ${workspace} and from_address like ${`%@${domain}`}`;
}

export function deleteTemplate(tx: Tx, seq: number): Promise<number> {
  return tx.run`delete from templates where seq = ${seq}`;
}

export type TemplateFilter = {
  readonly workspace: number;
  readonly type: TemplateType | null;
  readonly search: string | null;
};

function matching({ workspace, type, search }: TemplateFilter) {
  const ofType = type === null ? sql`` : sql` and type = ${type}`;
  const found = search ? sql` and instr(search_text, ${folded(search)}) > 0` : sql``;
  return sql`workspace = ${workspace}${ofType}${found}`;
}

/** Newest first, with the length of each content. */
export function templatesPage(
  reader: Reader,
  filter: TemplateFilter,
  limit: number,
  offset: number,
): Promise<{ seq: number; chars: number }[]> {
  return reader.all`
    select seq, length(body) + length(coalesce(text, '')) + length(coalesce(design, '')) as chars from templates
    where ${matching(filter)} order by seq desc limit ${limit} offset ${offset}`;
}

const WITH_LENGTH = sql`seq, length(body) + length(coalesce(text, '')) + length(coalesce(design, '')) as chars`;

type TemplateLength = { readonly seq: number; readonly chars: number };

/** The next templates below `before`, newest first, with the length of each content. */
export function templatesBefore(
  reader: Reader,
  workspace: number,
  before: number,
  limit: number,
): Promise<TemplateLength[]> {
  return reader.all<TemplateLength>`
    select ${WITH_LENGTH} from templates where workspace = ${workspace} and seq < ${before} order by seq desc limit ${limit}`;
}

/** The next templates above `after`, as `templatesBefore`. */
export function templatesAfter(
  reader: Reader,
  workspace: number,
  after: number,
  limit: number,
): Promise<TemplateLength[]> {
  return reader.all<TemplateLength>`
    select ${WITH_LENGTH} from templates where workspace = ${workspace} and seq > ${after} order by seq limit ${limit}`;
}

/** Newest first. */
export function templatesNumbered(reader: Reader, seqs: readonly number[]): Promise<Template[]> {
  return ROWS.all(reader, sql`where seq in (${sqlList(seqs)}) order by seq desc`);
}

export function countTemplates(reader: Reader, filter: TemplateFilter): Promise<number> {
  return ROWS.count(reader, sql`where ${matching(filter)}`);
}
