// The SQL of templates.
import { labelsIn, storedLabels, type StoredLabels } from "../../base/labels.ts";
import { flag, jsonOrNull } from "../../store/columns.ts";
import { folded } from "../../store/folded.ts";
import { sqlList, sql, type Sql } from "../../store/sql.ts";
import type { Reader, Tx } from "../../store/store.ts";
import { timeOfSaving } from "../../tenant/access/saving.ts";
import type { By } from "../../tenant/access/caller.ts";
import type { ContentFields } from "./written.ts";

export const TEMPLATE_TYPES = ["TRANSACTIONAL", "MARKETING"] as const;
export type TemplateType = (typeof TEMPLATE_TYPES)[number];

export type TemplateFields = ContentFields & {
  /** Another name in calls; null = only the id. */
  readonly alias: string | null;
  readonly name: string;
  readonly description: string | null;
  readonly type: TemplateType;
  /** The author of the last save; null = unknown. */
  readonly updatedBy: By | null;
};

/** The part of a template that determines the sent content. */
export type PublishedVersion = {
  /** Null = the current content is sent. */
  readonly publishedVersion: number | null;
  readonly publishedAt: string | null;
  /** The current content differs from the published version. */
  readonly isChanged: boolean;
};

export type Template = TemplateFields &
  PublishedVersion & {
    readonly seq: number;
    readonly id: string;
    readonly createdAt: string;
    readonly updatedAt: string;
  };

const TEMPLATE = sql`seq, id, alias, name, description, subject, preheader, body, text, from_address as "fromAddress",
  from_name as "fromName", reply_to as "replyTo", type, design, topic, tags, metadata, published_version as "publishedVersion", published_at as "publishedAt", is_changed as "isChanged", updated_by as "updatedBy", created_at as "createdAt", updated_at as "updatedAt"`;

type TemplateColumns = StoredLabels & { readonly design: string | null; readonly updatedBy: string | null };
type TemplateRow = Omit<Template, keyof TemplateColumns | "isChanged"> &
  TemplateColumns & { readonly isChanged: 0 | 1 };

function templateOf(row: TemplateRow): Template {
  const { design, updatedBy, isChanged } = row;
  return {
    ...row,
    ...labelsIn(row),
    design: jsonOrNull(design),
    updatedBy: jsonOrNull(updatedBy),
    isChanged: flag(isChanged),
  };
}

async function oneTemplate(row: Promise<TemplateRow | null>): Promise<Template | null> {
  const found = await row;
  return found && templateOf(found);
}

function encoded({ design, updatedBy, ...fields }: TemplateFields): TemplateColumns {
  return {
    ...storedLabels(fields),
    design: design && JSON.stringify(design),
    updatedBy: updatedBy && JSON.stringify(updatedBy),
  };
}

/** The text of a search in one column, folded here since the engines' lower() does not cover every script. */
function searchText({ name, subject, description }: TemplateFields): string {
  return folded([name, subject, description ?? ""].join("\n"));
}

export async function insertTemplate(tx: Tx, workspace: number, id: string, fields: TemplateFields): Promise<Template> {
  const { design, updatedBy, tags, metadata } = encoded(fields);
  const row = await tx.get<TemplateRow>`
    insert into templates
      (id, workspace, alias, name, description, subject, preheader, body, text, from_address, from_name, reply_to, type, design, topic, tags, metadata, updated_by, search_text, created_at, updated_at)
    values (${id}, ${workspace}, ${fields.alias}, ${fields.name}, ${fields.description}, ${fields.subject}, ${fields.preheader}, ${fields.body}, ${fields.text},
      ${fields.fromAddress}, ${fields.fromName}, ${fields.replyTo}, ${fields.type}, ${design}, ${fields.topic}, ${tags}, ${metadata}, ${updatedBy},
      ${searchText(fields)}, ${tx.now}, ${tx.now})
    returning ${TEMPLATE}`;
  return templateOf(row as TemplateRow);
}

/** `name`: the id or the alias. */
export function templateNamed(reader: Reader, workspace: number, name: string): Promise<Template | null> {
  return oneTemplate(reader.get`select ${TEMPLATE} from templates where workspace = ${workspace} and ${byName(name)}`);
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
  return oneTemplate(tx.get`
    select ${TEMPLATE} from templates where workspace = ${workspace} and ${byName(name)}${tx.dialect.forUpdate}`);
}

/** No alias looks like an id. */
function byName(name: string): Sql {
  return isTemplateId(name) ? sql`id = ${name}` : sql`alias = ${name}`;
}

export function isTemplateId(name: string): boolean {
  return UUID.test(name);
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export async function updatePublishing(tx: Tx, seq: number, published: PublishedVersion): Promise<Template> {
  const row = await tx.get<TemplateRow>`
    update templates set published_version = ${published.publishedVersion}, published_at = ${published.publishedAt},
      is_changed = ${published.isChanged ? 1 : 0}
    where seq = ${seq} returning ${TEMPLATE}`;
  return templateOf(row as TemplateRow);
}

export async function updateTemplate(tx: Tx, { seq, updatedAt }: Template, fields: TemplateFields): Promise<Template> {
  const { design, updatedBy, tags, metadata } = encoded(fields);
  const row = await tx.get<TemplateRow>`
    update templates set alias = ${fields.alias}, name = ${fields.name}, description = ${fields.description}, subject = ${fields.subject},
      preheader = ${fields.preheader}, body = ${fields.body}, text = ${fields.text}, from_address = ${fields.fromAddress}, from_name = ${fields.fromName},
      reply_to = ${fields.replyTo}, type = ${fields.type}, design = ${design}, topic = ${fields.topic}, tags = ${tags}, metadata = ${metadata}, updated_by = ${updatedBy},
      search_text = ${searchText(fields)}, updated_at = ${timeOfSaving(tx, { updatedAt })}
    where seq = ${seq} returning ${TEMPLATE}`;
  return templateOf(row as TemplateRow);
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
export async function templatesNumbered(reader: Reader, seqs: readonly number[]): Promise<Template[]> {
  const rows = await reader.all<TemplateRow>`
    select ${TEMPLATE} from templates where seq in (${sqlList(seqs)}) order by seq desc`;
  return rows.map(templateOf);
}

export async function countTemplates(reader: Reader, filter: TemplateFilter): Promise<number> {
  const row = await reader.get<{ total: number }>`select count(*) as total from templates where ${matching(filter)}`;
  return row?.total ?? 0;
}
