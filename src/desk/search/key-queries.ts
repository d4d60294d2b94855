// The SQL of the uses of a data key: conditions, texts of emails, forms and steps of workflows.
import { joined, sql, type Sql } from "../../store/sql.ts";
import type { Reader } from "../../store/store.ts";

export type DataKeyUse = {
  readonly kind: "segment" | "campaign" | "template" | "workflow" | "form";
  readonly id: string;
  readonly name: string;
};

const MOST = 100;

/** Records that may name the key: in quotes or after `data.`, in JSON as in Liquid. At most a hundred. */
export function usesOfKey(reader: Reader, workspace: number, key: string): Promise<DataKeyUse[]> {
  const inJson = JSON.stringify(key).slice(1, -1);
  const forms = new Set([`"${key}"`, `'${key}'`, `"${inJson}"`, `"data.${inJson}"`, `\\"${inJson}\\"`, `'${inJson}'`]);
  const names = (column: Sql) =>
    sql`(${joined(
      [...forms].map((form) => sql`instr(${column}, ${form}) > 0`),
      " or ",
    )})`;
  return reader.all<DataKeyUse>`
    select * from (
      select 'segment' as kind, id, name from segments where workspace = ${workspace} and ${names(sql`coalesce(condition, '')`)}
      union all
      select 'campaign', id, name from campaigns
      where workspace = ${workspace} and deleted_at is null and status in ('DRAFT', 'SCHEDULED')
        and ${names(sql`coalesce(audience_condition, '') || subject || body || coalesce(text, '')`)}
      union all
      select 'template', id, name from templates
      where workspace = ${workspace} and ${names(sql`subject || body || coalesce(text, '')`)}
      union all
      select 'workflow', id, name from workflows w
      where workspace = ${workspace} and deleted_at is null and exists (
        select 1 from workflow_steps s where s.workflow = w.seq and ${names(sql`s.config`)})
      union all
      select 'form', id, name from forms where workspace = ${workspace} and ${names(sql`settings`)}) as uses
    order by kind, name limit ${MOST}`;
}
