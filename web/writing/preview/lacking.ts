// Finds the next person who lacks a variable that a mail names.
import { api, told } from "../../api.ts";
import { personOf, type Contact, type Person } from "./people.ts";

/** People looked through; more would be more than one waits for. */
const PAGE = 100;
const PAGES = 5;

/** After the one who is shown, round and round; null: none of those looked at lacks one. */
export async function nextLacking(names: readonly string[], after: Person | null): Promise<Person | null> {
  let cursor: string | null = null;
  const lacking: Contact[] = [];
  for (let page = 0; page < PAGES; page++) {
    const query: { limit: number; cursor?: string } = { limit: PAGE, ...(cursor === null ? {} : { cursor }) };
    const found: { readonly data: readonly unknown[]; readonly cursor: string | null } = await told(
      api.GET("/contacts", { params: { query } }),
    );
    lacking.push(...(found.data as readonly Contact[]).filter((contact) => lacks(contact, names)));
    const next = lacking[lacking.findIndex(({ id }) => id === after?.id) + 1];
    if (next) return personOf(next);
    if (found.cursor === null) break;
    cursor = found.cursor;
  }
  return lacking[0] ? personOf(lacking[0]) : null;
}

function lacks({ data }: Contact, names: readonly string[]): boolean {
  return names.some((name) => data[name] === undefined || data[name] === null || data[name] === "");
}
