// The SQL of the installation's identity and contents.
import type { Reader } from "../../store/store.ts";

export type Holdings = { readonly workspaces: number; readonly contacts: number; readonly people: number };

/** Contacts as their counts have them. */
export async function holdings(reader: Reader): Promise<Holdings> {
  const row = await reader.get<Holdings>`
    select (select count(*) from workspaces where arriving_until is null) as workspaces,
      (select cast(coalesce(sum(total), 0) as bigint) from contact_counts) as contacts,
      (select count(*) from users) as people`;
  return row as Holdings;
}
