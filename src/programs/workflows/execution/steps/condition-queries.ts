// The SQL that matches one contact.
import { sql, type Sql } from "../../../../store/sql.ts";
import type { Reader } from "../../../../store/store.ts";
import type { ContactInContext } from "./execution-context.ts";

/**
 * `matches` is evaluated on the contact `c` as the context has it: a simulation supposes changes that are not stored.
 */
export async function matchesAs(reader: Reader, contact: ContactInContext, matches: Sql): Promise<boolean> {
  const subscribed = sql`cast(${contact.subscribed ? 1 : 0} as integer)`;
  const row = await reader.get`
    select 1 as found from (
      select seq, email, status, topics, paused_until, created_at, updated_at, ${subscribed} as subscribed,
        ${reader.dialect.json(JSON.stringify(contact.data))} as data_queried
      from contacts where id = ${contact.id}) c
    where ${matches}`;
  return row !== null;
}
