// The SQL of templates.
import { folded } from "../store/folded.ts";
import { list, sql } from "../store/sql.ts";
import type { Reader, Tx } from "../store/store.ts";

export const TEMPLATE_TYPES = ["TRANSACTIONAL", "MARKETING"] as const;
export type TemplateType = (typeof TEMPLATE_TYPES)[number];

export type TemplateFields = {
  readonly name: string;
  readonly description: string | null;
  readonly subject: string;
  /** Null = none. */
  readonly preheader: string | null;
  readonly body: string;
  readonly text: string | null;
  readonly fromAddress: string | null;
  readonly fromName: string | null;
  readonly replyTo: string | null;
  readonly type: TemplateType;
};

export type Template = TemplateFields & {
  readonly seq: number;
  readonly id: string;
  readonly createdAt: string;
  readonly updatedAt: string;
};

const TEMPLATE = sql`seq, id, name, description, subject, preheader, body, text, from_address as "fromAddress",
  from_name as "fromName", reply_to as "replyTo", type, created_at as "createdAt", updated_at as "updatedAt"`;

/** What a search looks through, in one column: lower() of the engines does not know every script. */
function searchText({ name, subject, description }: TemplateFields): string {
  return folded([name, subject, description ?? ""].join("\n"));
}

export async function insertTemplate(tx: Tx, workspace: number, id: string, fields: TemplateFields): Promise<Template> {
  const row = await tx.get<Template>`
    insert into templates
      (id, workspace, name, description, subject, preheader, body, text, from_address, from_name, reply_to, type, search_text, created_at, updated_at)
    values (${id}, ${workspace}, ${fields.name}, ${fields.description}, ${fields.subject}, ${fields.preheader}, ${fields.body}, ${fields.text},
      ${fields.fromAddress}, ${fields.fromName}, ${fields.replyTo}, ${fields.type}, ${searchText(fields)}, ${tx.now}, ${tx.now})
    returning ${TEMPLATE}`;
  return row as Template;
}

export function templateById(reader: Reader, workspace: number, id: string): Promise<Template | null> {
  return reader.get<Template>`select ${TEMPLATE} from templates where workspace = ${workspace} and id = ${id}`;
}

/** Nobody else can change it until this transaction ends. */
export function lockTemplate(tx: Tx, workspace: number, id: string): Promise<Template | null> {
  return tx.get<Template>`
    select ${TEMPLATE} from templates where workspace = ${workspace} and id = ${id}${tx.dialect.forUpdate}`;
}

export async function updateTemplate(tx: Tx, seq: number, fields: TemplateFields): Promise<Template> {
  const row = await tx.get<Template>`
    update templates set name = ${fields.name}, description = ${fields.description}, subject = ${fields.subject},
      preheader = ${fields.preheader}, body = ${fields.body}, text = ${fields.text}, from_address = ${fields.fromAddress}, from_name = ${fields.fromName},
      reply_to = ${fields.replyTo}, type = ${fields.type}, search_text = ${searchText(fields)}, updated_at = ${tx.now}
    where seq = ${seq} returning ${TEMPLATE}`;
  return row as Template;
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

/** Newest first, with the length of what each says. */
export function templatesPage(
  reader: Reader,
  filter: TemplateFilter,
  limit: number,
  offset: number,
): Promise<{ seq: number; chars: number }[]> {
  return reader.all`
    select seq, length(body) + length(coalesce(text, '')) as chars from templates
    where ${matching(filter)} order by seq desc limit ${limit} offset ${offset}`;
}

/** Newest first. */
export function templatesNumbered(reader: Reader, seqs: readonly number[]): Promise<Template[]> {
  return reader.all<Template>`select ${TEMPLATE} from templates where seq in (${list(seqs)}) order by seq desc`;
}

export async function countTemplates(reader: Reader, filter: TemplateFilter): Promise<number> {
  const row = await reader.get<{ total: number }>`select count(*) as total from templates where ${matching(filter)}`;
  return row?.total ?? 0;
}
